import './reactions.css'
import { UsersRound } from 'lucide-react'
import type { ContentRef } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { EmojiButtons } from './EmojiButtons.tsx'
import { messageWithOpenListStore } from './open-list.ts'
import { reactionsText } from './text.ts'
import { useReactions } from './useReactions.ts'

/** The items that react to a message, and that open the list of the people who do. */
export default function ReactionsContentMenuItems({ content }: { content: ContentRef }) {
  const t = useText(reactionsText)
  const rows = useReactions(content)
  return (
    <>
      <EmojiButtons content={content} rows={rows} />
      {rows.length > 0 && (
        <MenuItemButton icon={UsersRound} onPress={() => messageWithOpenListStore.set(content.id)}>
          {t.whoReacted}
        </MenuItemButton>
      )}
      <hr />
    </>
  )
}
