import { Route } from 'lucide-react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { messageDeliveryMenuItemText } from './menu-text.ts'
import { messageIdOfOpenDeliveryDialogStore } from './open-dialog.ts'

/**
 * Renders the menu item of a received message that opens the dialog about how the message reached the member.
 */
export default function DeliveriesContentLastMenuItems({ content }: { content: PostReplyOrMessageInfo }) {
  const t = useText(messageDeliveryMenuItemText)
  if (content.isOwn) return null
  return (
    <MenuItemButton icon={Route} onPress={() => messageIdOfOpenDeliveryDialogStore.set(content.id)}>
      {t.item}
    </MenuItemButton>
  )
}
