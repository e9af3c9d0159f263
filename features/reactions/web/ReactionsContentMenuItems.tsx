import './reactions.css'
import { UsersRound } from 'lucide-react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { messageIdWithOpenReactorsStore } from './open-list.ts'
import { ReactionEmojiButtons } from './ReactionEmojiButtons.tsx'
import { reactionsText } from './text.ts'
import { useReactions } from './useReactions.ts'

/**
 * Renders the part of the menu of a message with the buttons that add or remove a reaction, and the item that
 * opens the list of the people who react.
 */
export default function ReactionsContentMenuItems({ content }: { content: PostReplyOrMessageInfo }) {
  const t = useText(reactionsText)
  const rows = useReactions(content)
  return (
    <>
      <ReactionEmojiButtons content={content} rows={rows} />
      {rows.length > 0 && (
        <MenuItemButton icon={UsersRound} onPress={() => messageIdWithOpenReactorsStore.set(content.id)}>
          {t.whoReacted}
        </MenuItemButton>
      )}
      <hr />
    </>
  )
}
