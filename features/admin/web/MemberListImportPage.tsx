import './invitations.css'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import type {
  CreatedLogInCardsAndExpiry,
  MemberListImportPreviewResponse,
} from '#features/cards/list-contract.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useOverridePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { CreatedLogInCardsSection } from './CreatedCards.tsx'
import { emptyMemberListImportDraft, MemberListImportForm } from './MemberListImportForm.tsx'
import { MemberListImportHistory } from './MemberListImportHistory.tsx'
import { MemberListImportPreview } from './MemberListImportPreview.tsx'
import { memberListImportText } from './member-list-text.ts'

/**
 * Renders the page where admins create members from a list, print their cards, and see who has logged in with
 * a card.
 */
export default function MemberListImportPage() {
  const t = useText(memberListImportText)
  useOverridePageTitle(t.title)
  return (
    <AdminOnlyPageLayout title={t.title}>
      <ButtonLink kind="ghost" small className="to-dashboard" icon={ChevronLeft} href="/admin/new-members">
        {t.back}
      </ButtonLink>
      <ListSteps />
    </AdminOnlyPageLayout>
  )
}

/**
 * Shows the form for a list of new members, then its preview, then the new log-in cards. Below them, always
 * shows the lists that admins have imported before.
 */
function ListSteps() {
  const [draft, setDraft] = useState(emptyMemberListImportDraft)
  const [preview, setPreview] = useState<MemberListImportPreviewResponse | null>(null)
  const [created, setCreated] = useState<CreatedLogInCardsAndExpiry | null>(null)
  const showForm = () => {
    setPreview(null)
    focusFirstMatchOnceRendered('.member-list-form textarea')
  }
  const showCards = (cards: CreatedLogInCardsAndExpiry) => {
    setCreated(cards)
    setPreview(null)
  }
  return (
    <div className="cards invitations member-lists">
      {created && (
        <CreatedLogInCardsSection
          // Uses the code of the first card as the React key, so that React creates the section anew when
          // other cards were created.
          key={created.cards[0]?.code}
          created={created}
          onDone={() => {
            setCreated(null)
            setDraft(emptyMemberListImportDraft)
            showForm()
          }}
        />
      )}
      {!created && preview && (
        <MemberListImportPreview draft={draft} preview={preview} onChange={showForm} onCreated={showCards} />
      )}
      {!created && !preview && (
        <MemberListImportForm draft={draft} onDraft={setDraft} onChecked={setPreview} />
      )}
      <MemberListImportHistory onCreated={showCards} />
    </div>
  )
}
