import './invitations.css'
import { useState } from 'react'
import { DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import type { CreatedInvitation } from '#features/registration/invitation-contract.ts'
import { focusAfterRender } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { CreatedInvitationCard } from './CreatedInvitationCard.tsx'
import { InvitationForm } from './InvitationForm.tsx'
import { InvitationList } from './InvitationList.tsx'
import { invitationText } from './invitation-text.ts'

/** The page where admins invite people, and see who came. */
export default function NewMembersPage() {
  const t = useText(invitationText)
  return (
    <AdminLayout title={t.newMembers}>
      <DashboardLink />
      <Invitations />
    </AdminLayout>
  )
}

function Invitations() {
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  const showForm = () => {
    setCreated(null)
    focusAfterRender('.invitation-form input')
  }
  return (
    <div className="cards invitations">
      {created ? (
        <CreatedInvitationCard created={created} onDone={showForm} />
      ) : (
        <InvitationForm onCreated={setCreated} />
      )}
      <InvitationList />
    </div>
  )
}
