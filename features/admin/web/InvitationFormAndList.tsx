import './invitations.css'
import { type ReactNode, useState } from 'react'
import type { CreatedInvitationWithCodeAndLink } from '#features/registration/invitation-contract.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { CreatedInvitationCard } from './CreatedInvitationCard.tsx'
import { InvitationForm } from './InvitationForm.tsx'
import { InvitationList } from './InvitationList.tsx'
import type { InvitationPageFunctionsAndLimits } from './invitation-sources.ts'

interface InvitationsProps {
  source: InvitationPageFunctionsAndLimits
  /** Whether the member may create invitations. If false, the page shows only the list. */
  canCreate?: boolean
  /** Further content that is shown above the form. */
  children?: ReactNode
}

/**
 * Renders the form for a new invitation, or the invitation that was just created, and below it the list of
 * invitations.
 */
export function InvitationFormAndList({ source, canCreate = true, children }: InvitationsProps) {
  const [created, setCreated] = useState<CreatedInvitationWithCodeAndLink | null>(null)
  const showForm = () => {
    setCreated(null)
    focusFirstMatchOnceRendered('.invitation-form input')
  }
  return (
    <div className="cards invitations">
      {children}
      {created ? (
        <CreatedInvitationCard created={created} onDone={showForm} />
      ) : (
        canCreate && <InvitationForm source={source} onCreated={setCreated} />
      )}
      <InvitationList source={source} />
    </div>
  )
}
