import './reactions.css'
import { UsersRound } from 'lucide-react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { EmojiButtons } from './EmojiButtons.tsx'
import { openReactors } from './open-list.ts'
import { reactionsText } from './text.ts'
import { useReactions } from './useReactions.ts'

/** For the menu of a message. */
export default function ContentMenuItems({ content }: { content: ContentInfo }) {
  const t = useText(reactionsText)
  const rows = useReactions(content)
  return (
    <>
      <EmojiButtons content={content} rows={rows} />
      {rows.length > 0 && (
        <MenuItemButton icon={UsersRound} onPress={() => openReactors.set(content.id)}>
          {t.whoReacted}
        </MenuItemButton>
      )}
      <hr />
    </>
  )
}
