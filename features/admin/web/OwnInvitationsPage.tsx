import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { Invitations } from './Invitations.tsx'
import { invitationSources } from './invitation-sources.ts'
import { invitationText } from './joining-text.ts'
import { useInvitations } from './useInvitations.ts'

export default function OwnInvitationsPage() {
  const t = useText(invitationText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.inviteSomebody} />
      {useMe() ? <OwnInvitations /> : <LogInPrompt />}
    </PageLayout>
  )
}

function OwnInvitations() {
  const t = useText(invitationText)
  const mayInvite = useInvitations(invitationSources.own).data?.pages[0]?.mayInvite
  return (
    <Invitations source={invitationSources.own} canCreate={mayInvite === true}>
      {mayInvite === false && <p className="card">{t.onlyAdmins}</p>}
    </Invitations>
  )
}
