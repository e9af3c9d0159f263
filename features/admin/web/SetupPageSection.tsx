import './invitations.css'
import { useQuery } from '@tanstack/react-query'
import { invitationEndpoints } from '#features/registration/invitation-contract.ts'
import { publicJoinSettingsEndpoint } from '#features/registration/join-state-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { InvitationLinkAndQrCode } from './CreatedInvitationCard.tsx'
import { setupFinishedText } from './setup-end-text.ts'

/**
 * Renders the last part of the set-up, below the message that the first admin has registered: an invitation,
 * and links to the next pages.
 */
export default function SetupPageSection() {
  const t = useText(setupFinishedText)
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

/**
 * The first invitation of the community: how many people can register with it, and for how many days it is
 * valid.
 */
const FIRST_INVITATION = { max_uses: 30, days: 14 }

/**
 * Creates the first invitation of the community and returns it. Creates none and returns null if nobody may
 * join, because then nobody can register with an invitation.
 */
async function createFirstInvitation() {
  const { who_can_join } = await callEndpoint(publicJoinSettingsEndpoint, {})
  return who_can_join === 'closed' ? null : callEndpoint(invitationEndpoints.create, FIRST_INVITATION)
}

/** Creates the first invitation of the community as soon as the component is rendered, and shows it. */
function FirstInvitation() {
  const t = useText(setupFinishedText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['first invitation'],
    queryFn: createFirstInvitation,
    // Turns off all automatic fetches after the first one, because each fetch creates an invitation.
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
          <InvitationLinkAndQrCode created={data} />
        </>
      )}
    </section>
  )
}
