import { CheckCheck, Copy, Flag, Forward, Link, Mail, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { muteEndpoints } from '#features/conversations/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { pinEndpoints } from '../contract.ts'
import type { MessageMenuProps } from './actions.ts'
import { toContentRef } from './content-ref.ts'
import { isGroup } from './conversation.ts'
import { messageMenuText } from './menu-text.ts'
import type { MessageStore } from './store.ts'

const AddedContentMenuItems = lazyWithRetry(() =>
  import('#web/AddedContentParts.tsx').then(({ MessageMenuParts }) => ({
    default: MessageMenuParts,
  })),
)

export default function MenuItems({ message, isOwn, actions }: MessageMenuProps) {
  const t = useText(messageMenuText)
  const explain = useErrorText()
  const { store } = actions
  // The open menu computes its position again, because its items, and so its size, are there only now.
  useLayoutEffect(() => void dispatchEvent(new Event('resize')), [])
  const copy = (text: string, copied: string) =>
    copyText(text).then(
      () => showToast(copied),
      () => showToast(t.notCopied, { kind: 'error' }),
    )
  const markUnread = () =>
    callEndpoint(muteEndpoints.markUnread, { id: message.id }).then(
      () => showToast(t.markedUnread),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <>
      {!store.state.get().isClosed && <AddedContentMenuItems content={toContentRef(message, store)} />}
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
      {store.conversation.kind === 'groups' && (
        <MenuItemButton
          icon={Link}
          onPress={() => copy(toMessageUrl(store.conversation.id, message.id), t.linkCopied)}
        >
          {t.copyLink}
        </MenuItemButton>
      )}
      <PinItem id={message.id} store={store} />
      {isOwn && (
        <MenuItemButton icon={CheckCheck} onPress={() => actions.openDialog('seenBy', message)}>
          {t.seenBy}
        </MenuItemButton>
      )}
      {!isOwn && (
        <MenuItemButton icon={Mail} onPress={markUnread}>
          {t.unreadFromHere}
        </MenuItemButton>
      )}
      {!isOwn && (
        <MenuItemButton icon={Flag} onPress={() => location.assign(`/report/message/${message.id}`)}>
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

function PinItem({ id, store }: { id: number; store: MessageStore }) {
  const t = useText(messageMenuText)
  const explain = useErrorText()
  const { info, isClosed } = useStore(store.state)
  if (isClosed || !info || !isGroup(info) || !(store.me.is_admin || info.is_owner)) return null
  const isPinned = info.pins?.some((pin) => pin.id === id)
  const { pin, unpin } = pinEndpoints
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

const toMessageUrl = (group: number, message: number) =>
  new URL(`/group-chat/${group}?message=${message}`, location.origin).href
