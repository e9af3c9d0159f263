import '#web/ui/form-pages.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PageSections } from '#web/views.tsx'
import { setupEndpoints } from '../contract.ts'
import { CommunityPicture } from './CommunityPicture.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { setupText } from './setup-text.ts'

/** The server prints the link with the set-up code when it starts. */
export default function SetupPage() {
  const t = useText(setupText)
  const [code] = useState(() => new URLSearchParams(location.search).get('code') ?? '')
  const { data, error, refetch } = useQuery({
    queryKey: [setupEndpoints.state.path, code],
    queryFn: () => callEndpoint(setupEndpoints.state, { code }),
  })
  // Becomes `done` with the registration, but the form still has to show that it was successful.
  const [first, setFirst] = useState(data?.state)
  if (data && !first) setFirst(data.state)
  const state = first === 'wrong_code' && !code ? 'missing' : first
  const [isRegistered, setRegistered] = useState(false)
  usePageTitle(isRegistered ? t.registered : null)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.title}>
        <CommunityPicture />
      </PageHeader>
      {error && <LoadErrorMessage error={error} onRetry={refetch} />}
      {!state && !error && <LoadingText />}
      {state === 'open' && <RegistrationForm setupCode={code} onRegistered={() => setRegistered(true)} />}
      {isRegistered && <PageSections path="/setup" />}
      {state && state !== 'open' && (
        <div className="card alone form-card">
          <p>{t[state]}</p>
          {state === 'done' ? (
            <ButtonLink kind="primary" fullWidth href="/register">
              {t.register}
            </ButtonLink>
          ) : (
            <ButtonLink fullWidth href="/">
              {t.backToTop}
            </ButtonLink>
          )}
        </div>
      )}
    </PageLayout>
  )
}
