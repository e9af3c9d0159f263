import './invitations.css'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import type { ListPreview, NewCards } from '#features/cards/contract.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { AdminLayout } from './AdminLayout.tsx'
import { CreatedCards } from './CreatedCards.tsx'
import { emptyDraft, ImportForm } from './ImportForm.tsx'
import { ImportHistory } from './ImportHistory.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import { importText } from './member-list-text.ts'

export default function MemberListImportPage() {
  const t = useText(importText)
  usePageTitle(t.title)
  return (
    <AdminLayout title={t.title}>
      <ButtonLink kind="ghost" small className="to-dashboard" icon={ChevronLeft} href="/admin/new-members">
        {t.back}
      </ButtonLink>
      <ListSteps />
    </AdminLayout>
  )
}

function ListSteps() {
  const [draft, setDraft] = useState(emptyDraft)
  const [preview, setPreview] = useState<ListPreview | null>(null)
  const [created, setCreated] = useState<NewCards | null>(null)
  const showForm = () => {
    setPreview(null)
    focusFirst('.member-list-form textarea')
  }
  const showCards = (cards: NewCards) => {
    setCreated(cards)
    setPreview(null)
  }
  return (
    <div className="cards invitations member-lists">
      {created && (
        <CreatedCards
          // The first code as the key: React creates the section anew for other cards.
          key={created.cards[0]?.code}
          created={created}
          onDone={() => {
            setCreated(null)
            setDraft(emptyDraft)
            showForm()
          }}
        />
      )}
      {!created && preview && (
        <ImportPreview draft={draft} preview={preview} onChange={showForm} onCreated={showCards} />
      )}
      {!created && !preview && <ImportForm draft={draft} onDraft={setDraft} onChecked={setPreview} />}
      <ImportHistory onCreated={showCards} />
    </div>
  )
}
