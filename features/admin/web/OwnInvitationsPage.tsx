import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Link } from '#web/ui/Link.tsx'
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
  const isAdmin = useMe()?.is_admin
  const mayInvite = useInvitations(invitationSources.own).data?.pages[0]?.mayInvite
  return (
    <Invitations source={invitationSources.own} canCreate={mayInvite === true}>
      {mayInvite === false && (
        <p className="card">
          {isAdmin ? (
            <>
              {t.forAdmins} <Link href="/admin/new-members">{t.newMembers}</Link>
            </>
          ) : (
            t.onlyAdmins
          )}
        </p>
      )}
    </Invitations>
  )
}
