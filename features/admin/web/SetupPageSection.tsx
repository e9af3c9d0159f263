import './invitations.css'
import { useQuery } from '@tanstack/react-query'
import { invitationEndpoints, registrationEndpoints } from '#features/registration/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { setupEndText } from './joining-text.ts'
import { InvitationLink } from './NewInvitation.tsx'

/** Below the message that the first admin has registered. */
export default function SetupPageSection() {
  const t = useText(setupEndText)
  return (
    <div className="setup-end">
      <div className="cards invitations">
        <FirstInvitation />
      </div>
      <div className="setup-end-links">
        <ButtonLink kind="primary" href="/">
          {t.toCommunity}
        </ButtonLink>
        <ButtonLink href="/admin/settings#examples">{t.examples}</ButtonLink>
        <ButtonLink href="/admin/dashboard">{t.toDashboard}</ButtonLink>
      </div>
    </div>
  )
}

const FIRST_INVITATION = { max_uses: 30, days: 14 }

/** Null if nobody may join, because then nobody can register with an invitation. */
async function createFirstInvitation() {
  const { who_can_join } = await callEndpoint(registrationEndpoints.state, {})
  return who_can_join === 'closed' ? null : callEndpoint(invitationEndpoints.create, FIRST_INVITATION)
}

/** Created as soon as the component is rendered. */
function FirstInvitation() {
  const t = useText(setupEndText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['first invitation'],
    queryFn: createFirstInvitation,
    // Each fetch creates an invitation.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
  })
  return (
    <section className="card created-invitation">
      <h2>{t.inviteFirst}</h2>
      {!data && error && <LoadErrorMessage plain error={error} pending={isFetching} onRetry={refetch} />}
      {data === undefined && !error && <LoadingText />}
      {data === null && <p>{t.closed}</p>}
      {data && (
        <>
          <p className="text-soft">{t.howToInvite(FIRST_INVITATION.max_uses, FIRST_INVITATION.days)}</p>
          <InvitationLink created={data} />
        </>
      )}
    </section>
  )
}
