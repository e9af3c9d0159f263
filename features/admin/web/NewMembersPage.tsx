import './invitations.css'
import { ListPlus } from 'lucide-react'
import { BackToAdminDashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { InvitationFormAndList } from './InvitationFormAndList.tsx'
import { allAndOwnInvitationPageFunctionsAndLimits } from './invitation-sources.ts'
import { invitationText } from './invitation-text.ts'
import { JoinRequestList } from './JoinRequestList.tsx'

/**
 * Renders the page where admins answer requests to join, invite people, and see who has registered with an
 * invitation.
 */
export default function NewMembersPage() {
  const t = useText(invitationText)
  return (
    <AdminOnlyPageLayout title={t.newMembers}>
      <BackToAdminDashboardLink />
      <ButtonLink small icon={ListPlus} href="/admin/new-members/list">
        {t.fromList}
      </ButtonLink>
      <InvitationFormAndList source={allAndOwnInvitationPageFunctionsAndLimits.all}>
        <JoinRequestList />
      </InvitationFormAndList>
    </AdminOnlyPageLayout>
  )
}
