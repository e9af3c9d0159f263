import './reactions.css'
import { UsersRound } from 'lucide-react'
import type { ContentRef } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { messageWithOpenReactorsStore } from './open-list.ts'
import { ReactionEmojiButtons } from './ReactionEmojiButtons.tsx'
import { reactionsText } from './text.ts'
import { useReactions } from './useReactions.ts'

/**
 * The part of the menu of a message with the buttons that add or take back a reaction, and with the item
 * that opens the list of people who reacted.
 */
export default function ReactionsContentMenuItems({ content }: { content: ContentRef }) {
  const t = useText(reactionsText)
  const rows = useReactions(content)
  return (
    <>
      <ReactionEmojiButtons content={content} rows={rows} />
      {rows.length > 0 && (
        <MenuItemButton icon={UsersRound} onPress={() => messageWithOpenReactorsStore.set(content.id)}>
          {t.whoReacted}
        </MenuItemButton>
      )}
      <hr />
    </>
  )
}
