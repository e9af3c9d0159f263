import './invitations.css'
import { ListPlus } from 'lucide-react'
import { DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { AdminLayout } from './AdminLayout.tsx'
import { Invitations } from './Invitations.tsx'
import { invitationSources } from './invitation-sources.ts'
import { JoinRequestList } from './JoinRequestList.tsx'
import { invitationText } from './joining-text.ts'

export default function NewMembersPage() {
  const t = useText(invitationText)
  return (
    <AdminLayout title={t.newMembers}>
      <DashboardLink />
      <ButtonLink small icon={ListPlus} href="/admin/new-members/list">
        {t.fromList}
      </ButtonLink>
      <Invitations source={invitationSources.all}>
        <JoinRequestList />
      </Invitations>
    </AdminLayout>
  )
}
