import { Bell, BellOff, Info } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { hasPage } from '#web/views.tsx'
import type { ConversationRef } from './state.ts'
import * as chatState from './state.ts'
import { chatText } from './text.ts'

const MuteDialog = lazyWithRetry(() => import('./MuteDialog.tsx'))

export const useIsMuted = ({ kind, id }: ConversationRef) =>
  useStore(chatState.store, ({ unread }) => unread.muted?.[kind][id] !== undefined)

export function MutedIcon({ conversation }: { conversation: ConversationRef }) {
  const t = useText(chatText)
  if (!useIsMuted(conversation)) return null
  return (
    <span className="muted-mark">
      <Icon icon={BellOff} size="s" />
      <span className="visually-hidden">{t.mutedChat}</span>
    </span>
  )
}

/**
 * The items about notifications, for the menu of a conversation. The caller renders `dialog` outside of the
 * menu, because choosing one closes the menu.
 */
export function useMuteItems(conversation: ConversationRef) {
  const t = useText(chatText)
  const [isOpen, setIsOpen] = useState(false)
  const isMuted = useIsMuted(conversation)
  const items = (
    <>
      <MenuItemButton icon={isMuted ? Bell : BellOff} onPress={() => setIsOpen(true)}>
        {isMuted ? t.unmuteChat : t.muteChat}
      </MenuItemButton>
      {hasPage('/account/deliveries') && (
        <MenuItemLink icon={Info} href="/account/deliveries">
          {t.deliveries}
        </MenuItemLink>
      )}
    </>
  )
  const dialog = isOpen && (
    <Suspense>
      <MuteDialog conversation={conversation} isMuted={isMuted} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
  return { items, dialog }
}
