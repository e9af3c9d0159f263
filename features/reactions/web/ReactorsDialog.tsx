import { useState } from 'react'
import PeopleDialog from '#features/people/web/PeopleDialog.tsx'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { type EmojiReactionCountWithMine, reactionEndpoints } from '../contract.ts'
import { reactionsText } from './text.ts'

const lists = {
  post: reactionEndpoints.postReactors,
  reply: reactionEndpoints.replyReactors,
  message: reactionEndpoints.messageReactors,
}

interface ReactorsDialogProps {
  content: PostReplyOrMessageInfo
  /** The reactions to the post, reply or message. There is at least one. */
  rows: readonly EmojiReactionCountWithMine[]
  onClose: () => void
}

/** Renders the dialog with the people who react to a post, reply or message, with one list for each emoji. */
export default function ReactorsDialog({ content: { kind, id }, rows, onClose }: ReactorsDialogProps) {
  const t = useText(reactionsText)
  const [chosen, setChosen] = useState(rows[0]!.emoji)
  const list = lists[kind]
  return (
    <PeopleDialog
      title={t.whoReacted}
      queryKey={`${list.path} ${id} ${chosen}`}
      fetchPage={async (from) => {
        const page = await fetchListPage(list, { id, emoji: chosen }, from)
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
