import './invitations.css'
import { type ReactNode, useState } from 'react'
import type { CreatedInvitation } from '#features/registration/contract.ts'
import { focusFirst } from '#web/focus.ts'
import { InvitationForm } from './InvitationForm.tsx'
import { InvitationList } from './InvitationList.tsx'
import type { InvitationSource } from './invitation-sources.ts'
import { NewInvitation } from './NewInvitation.tsx'

interface Props {
  source: InvitationSource
  /** If false, the page shows only the list. */
  canCreate?: boolean
  /** Above the form. */
  children?: ReactNode
}

export function Invitations({ source, canCreate = true, children }: Props) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  const showForm = () => {
    setCreated(null)
    focusFirst('.invitation-form input')
  }
  return (
    <div className="cards invitations">
      {children}
      {created ? (
        <NewInvitation created={created} onDone={showForm} />
      ) : (
        canCreate && <InvitationForm source={source} onCreated={setCreated} />
      )}
      <InvitationList source={source} />
    </div>
  )
}
