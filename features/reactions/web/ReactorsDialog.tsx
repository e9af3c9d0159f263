import { useState } from 'react'
import PeopleDialog from '#features/people/web/PeopleDialog.tsx'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { type EmojiCount, reactionEndpoints } from '../contract.ts'
import { reactionsText } from './text.ts'

const lists = {
  post: reactionEndpoints.postReactors,
  reply: reactionEndpoints.replyReactors,
  message: reactionEndpoints.messageReactors,
}

interface Props {
  content: ContentInfo
  /** There is at least one. */
  rows: readonly EmojiCount[]
  onClose: () => void
}

/** One list for each emoji. */
export default function ReactorsDialog({ content: { kind, id }, rows, onClose }: Props) {
  const t = useText(reactionsText)
  const [chosen, setChosen] = useState(rows[0]!.emoji)
  const list = lists[kind]
  return (
    <PeopleDialog
      title={t.whoReacted}
      queryKey={`${list.path} ${id} ${chosen}`}
      fetchPage={async (from) => {
        const page = await fetchPage(list, { id, emoji: chosen }, from)
        return { ...page, rows: page.rows.map(({ user }) => user) }
      }}
      onClose={onClose}
    >
      <SegmentedControl
        label={t.reactions}
        onCard
        options={rows.map(({ emoji, count }) => ({ value: emoji, label: `${emoji} ${count}` }))}
        value={chosen}
        onChange={setChosen}
      />
    </PeopleDialog>
  )
}
