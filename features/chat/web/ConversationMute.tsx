import { Bell, BellOff } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { type ChatPartnerOrGroupRef, chatStateStore } from './chat-state.ts'
import { chatText } from './text.ts'

const ConversationMuteDialog = lazyWithRetry(() => import('./ConversationMuteDialog.tsx'))

export const useIsConversationMuted = ({ kind, id }: ChatPartnerOrGroupRef) =>
  useStore(chatStateStore, ({ unread }) => unread.muted?.[kind][id] !== undefined)

/** Renders the icon that marks a muted conversation. Renders nothing if the conversation is not muted. */
export function MutedConversationIcon({ conversation }: { conversation: ChatPartnerOrGroupRef }) {
  const t = useText(chatText)
  if (!useIsConversationMuted(conversation)) return null
  return (
    <span className="muted-mark">
      <Icon icon={BellOff} size="s" />
      <span className="visually-hidden">{t.mutedChat}</span>
    </span>
  )
}

/**
 * Returns the menu item (`item`) that mutes a conversation or ends the mute, and the dialog (`dialog`) that
 * the item opens. The caller renders the dialog outside of the menu, because choosing the item closes the
 * menu with its content.
 */
export function useConversationMuteMenuItemAndDialog(conversation: ChatPartnerOrGroupRef) {
  const t = useText(chatText)
  const [isOpen, setIsOpen] = useState(false)
  const isMuted = useIsConversationMuted(conversation)
  const item = (
    <MenuItemButton icon={isMuted ? Bell : BellOff} onPress={() => setIsOpen(true)}>
      {isMuted ? t.unmuteChat : t.muteChat}
    </MenuItemButton>
  )
  const dialog = isOpen && (
    <Suspense>
      <ConversationMuteDialog
        conversation={conversation}
        isMuted={isMuted}
        onClose={() => setIsOpen(false)}
      />
    </Suspense>
  )
  return { item, dialog }
}
