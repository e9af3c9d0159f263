import {
  CheckCheck,
  Copy,
  Forward,
  Link,
  Mail,
  Pencil,
  Pin,
  PinOff,
  Reply,
  ShieldCheck,
  Trash2,
} from 'lucide-react'
import { useLayoutEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { conversationMuteAndUnreadEndpoints } from '../conversation-mute-contract.ts'
import { messagePinEndpoints } from '../message-pin-contract.ts'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import { toMessageInfoForAddedContent } from './content-ref.ts'
import { isGroupConversation } from './conversation.ts'
import type { MessageMenuProps } from './message-actions.ts'
import { messageMenuText } from './message-menu-text.ts'
import type { MessageStore } from './message-store.ts'

const AddedContentMenuItems = lazyWithRetry(() =>
  import('#web/AddedContentParts.tsx').then(({ MessageMenuItemsFromFeatures }) => ({
    default: MessageMenuItemsFromFeatures,
  })),
)

export default function MessageMenuItems({ message, isOwn, actions }: MessageMenuProps) {
  const t = useText(messageMenuText)
  const explain = useErrorFormatter()
  const { store } = actions
  // The `resize` event makes the open menu compute its position again, because its items, and so its size,
  // are there only now.
  useLayoutEffect(() => void dispatchEvent(new Event('resize')), [])
  const copy = (text: string, copied: string) =>
    copyTextToClipboard(text).then(
      () => showToast(copied),
      () => showToast(t.notCopied, { kind: 'error' }),
    )
  const markUnread = () =>
    callEndpoint(conversationMuteAndUnreadEndpoints.markUnread, { id: message.id }).then(
      () => showToast(t.markedUnread),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <>
      {!store.state.get().isClosed && (
        <AddedContentMenuItems content={toMessageInfoForAddedContent(message, store)} />
      )}
      {!store.state.get().isClosed && (
        <MenuItemButton icon={Reply} onPress={() => actions.reply(message)}>
          {t.reply}
        </MenuItemButton>
      )}
      <MenuItemButton icon={Forward} onPress={() => actions.openDialog('forward', message)}>
        {t.forward}
      </MenuItemButton>
      {message.message && (
        <MenuItemButton icon={Copy} onPress={() => copy(message.message, t.copied)}>
          {t.copy}
        </MenuItemButton>
      )}
      <MenuItemButton
        icon={Link}
        onPress={() =>
          copy(
            toMessageUrl(store.conversation, message.id),
            store.conversation.kind === 'private' ? t.ownLinkCopied : t.linkCopied,
          )
        }
      >
        {t.copyLink}
      </MenuItemButton>
      <PinItem id={message.id} store={store} />
      {(isOwn || store.conversation.kind === 'groups') && (
        <MenuItemButton icon={CheckCheck} onPress={() => actions.openDialog('seenBy', message)}>
          {t.seenBy}
        </MenuItemButton>
      )}
      {!isOwn && (
        <MenuItemButton icon={Mail} onPress={markUnread}>
          {t.unreadFromHere}
        </MenuItemButton>
      )}
      {!store.state.get().isClosed && (
        <AddedContentMenuItems isEnd content={toMessageInfoForAddedContent(message, store)} />
      )}
      {!isOwn && (
        <MenuItemButton icon={ShieldCheck} onPress={() => location.assign(`/report/message/${message.id}`)}>
          {t.report}
        </MenuItemButton>
      )}
      {isOwn && message.message && !message.forwarded && (
        <MenuItemButton icon={Pencil} onPress={() => actions.edit(message)}>
          {t.edit}
        </MenuItemButton>
      )}
      {isOwn && (
        <MenuItemButton icon={Trash2} danger onPress={() => actions.remove(message)}>
          {t.deleteAction}
        </MenuItemButton>
      )}
    </>
  )
}

/** Renders the menu item with which admins and the owner of a group pin a message, or unpin it. */
function PinItem({ id, store }: { id: number; store: MessageStore }) {
  const t = useText(messageMenuText)
  const explain = useErrorFormatter()
  const { info, isClosed } = useStore(store.state)
  if (isClosed || !info || !isGroupConversation(info) || !(store.me.is_admin || info.is_owner)) return null
  const isPinned = info.pins?.some((pin) => pin.id === id)
  const { pin, unpin } = messagePinEndpoints
  const change = () =>
    callEndpoint(isPinned ? unpin : pin, { id }).then(
      ({ pinned }) => showToast(pinned ? t.pinned : t.unpinned),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <MenuItemButton icon={isPinned ? PinOff : Pin} onPress={change}>
      {isPinned ? t.unpin : t.pin}
    </MenuItemButton>
  )
}

/**
 * Returns the URL that opens the conversation at a message. Every member of a group can open the URL. In a
 * private chat only the current user can, because the path has the id of the other person.
 */
function toMessageUrl({ kind, id }: ChatPartnerOrGroupRef, message: number) {
  const path = kind === 'private' ? `/privatechat/${id}` : `/group-chat/${id}`
  return new URL(`${path}?message=${message}`, location.origin).href
}
