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
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type JoinState, joinStateEndpoint } from '../join-state-contract.ts'
import { InvitationCodeForm } from './InvitationCodeForm.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { registrationText } from './text.ts'
import { useInvitation } from './useInvitation.ts'

export default function RegisterPage() {
  const t = useText(accountText)
  const [isRegistered, setRegistered] = useState(false)
  useReplacePageTitle(isRegistered ? t.registered : null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [joinStateEndpoint.path],
    queryFn: () => callEndpoint(joinStateEndpoint, {}),
    initialData: () => findInitialAnswer(joinStateEndpoint)?.body as JoinState | undefined,
  })
  // Keeps the first answer, so that a form that somebody fills in stays.
  const [first, setFirst] = useState(data)
  if (data && !first) setFirst(data)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.signUp}>
        <DecorativeAvatars />
      </PageHeader>
      {!first && error && <LoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {!first && !error && <Loading />}
      {first?.who_can_join === 'closed' && <ClosedNotice />}
      {first && first.who_can_join !== 'closed' && (
        <Registration
          needsInvitation={first.who_can_join === 'invitation'}
          isRegistered={isRegistered}
          onRegistered={() => setRegistered(true)}
        />
      )}
    </PageLayout>
  )
}

interface RegistrationProps {
  needsInvitation: boolean
  isRegistered: boolean
  onRegistered: () => void
}

/** Checks the invitation in the address, then shows the form, or asks for a code if there must be one. */
function Registration({ needsInvitation, isRegistered, onRegistered }: RegistrationProps) {
  const t = useText(registrationText)
  const { code, error, isTyped, isChecking, isValid, check } = useInvitation()
  if (isChecking && !isTyped) return <Loading />
  if (needsInvitation && !isValid)
    return <InvitationCodeForm code={code} error={error} pending={isChecking} onCode={check} />
  return (
    <>
      {error && <Notice kind="error">{error}</Notice>}
      {isValid && !isRegistered && <p className="form-alternative invitation-note">{t.invited}</p>}
      <RegistrationForm invitation={isValid ? code : null} onRegistered={onRegistered} />
    </>
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
