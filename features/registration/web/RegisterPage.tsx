import '#features/people/web/account-pages.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountText } from '#features/people/web/account-text.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadError } from '#web/LoadError.tsx'
import { findInitialAnswer } from '#web/page-data.ts'
import { useReplacePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type JoinState, registrationEndpoints } from '../contract.ts'
import { RegistrationForm } from './RegistrationForm.tsx'
import { registrationText } from './text.ts'

export default function RegisterPage() {
  const t = useText(accountText)
  const [isRegistered, setRegistered] = useState(false)
  useReplacePageTitle(isRegistered ? t.registered : null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [registrationEndpoints.state.path],
    queryFn: () => callEndpoint(registrationEndpoints.state, {}),
    initialData: () => findInitialAnswer(registrationEndpoints.state)?.body as JoinState | undefined,
  })
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.signUp}>
        <DecorativeAvatars />
      </PageHeader>
      {!data && error && <LoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {!data && !error && <Loading />}
      {data?.who_can_join === 'closed' && !isRegistered && <ClosedNotice />}
      {data && (data.who_can_join !== 'closed' || isRegistered) && (
        <RegistrationForm onRegistered={() => setRegistered(true)} />
      )}
    </PageLayout>
  )
}

/** Stands in place of the form while nobody may register. */
function ClosedNotice() {
  const t = useText(registrationText)
  return (
    <div className="card alone form-card">
      <p>{t.closed}</p>
      <p className="text-soft">{t.closedHelp}</p>
      <ButtonLink kind="primary" fullWidth href="/login">
        {t.logIn}
      </ButtonLink>
    </div>
  )
}
