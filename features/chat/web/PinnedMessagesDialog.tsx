import { PinOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { detectLanguageOfUserText, useLang, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Group } from '../group-contract.ts'
import { messagePinEndpoints, type PinnedMessage } from '../message-pin-contract.ts'
import { formatDateTime } from './date-format.ts'
import { toQuotedOrPinnedMessageTextOrNote } from './describe-quoted.ts'
import { messageMenuText } from './message-menu-text.ts'
import type { MessageStore } from './message-store.ts'
import { reloadPinnedMessages } from './pinned-messages.ts'
import { pinnedMessagesText } from './pinned-messages-text.ts'

interface PinnedMessagesDialogProps {
  group: Group
  pins: readonly PinnedMessage[]
  store: MessageStore
  /** Called to close the dialog and to show the message with this id in the chat. */
  onShow: (id: number) => void
  onClose: () => void
}

/**
 * Renders the dialog with the pinned messages of a group. Admins and the owner of the group can unpin
 * messages in it.
 */
export default function PinnedMessagesDialog(props: PinnedMessagesDialogProps) {
  const { group, pins, store, onShow, onClose } = props
  const t = useText(pinnedMessagesText)
  const explain = useErrorFormatter()
  const list = useRef<HTMLUListElement>(null)
  const [pending, setPending] = useState<number | null>(null)
  async function unpin(id: number) {
    setPending(id)
    try {
      await callEndpoint(messagePinEndpoints.unpin, { id })
      await reloadPinnedMessages(store)
      showToast(t.unpinned)
      // Moves the focus, because the button that had the focus is gone. After the last message was unpinned,
      // the dialog is gone too.
      if (pins.length > 1) list.current?.focus()
      else focusFirstMatchOnceRendered('.message-list')
    } catch (error) {
      showToast(explain(error), { kind: 'error' })
    } finally {
      setPending(null)
    }
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="group-dialog pinned-messages">
      <ul className="rows" ref={list} tabIndex={-1}>
        {pins.map((pin) => (
          <PinnedMessageRow
            key={pin.id}
            pin={pin}
            isPending={pending === pin.id}
            onShow={() => onShow(pin.id)}
            onUnpin={store.me.is_admin || group.is_owner ? () => unpin(pin.id) : undefined}
          />
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

interface PinnedMessageRowProps {
  pin: PinnedMessage
  isPending: boolean
  onShow: () => void
  /** Called to unpin the message; undefined if the member may not unpin it. */
  onUnpin: (() => void) | undefined
}

function PinnedMessageRow({ pin, isPending, onShow, onUnpin }: PinnedMessageRowProps) {
  const t = useText(pinnedMessagesText)
  const lang = useLang()
  const { text, isNote } = toQuotedOrPinnedMessageTextOrNote(pin, useText(messageMenuText))
  const label = text.replace(/\s+/g, ' ').slice(0, 40)
  const time = formatDateTime(pin.pinned_at, lang)
  return (
    <li className="row">
      <Avatar person={pin.user} size="s" />
      <div className="text">
        <span className="name-line">
          <UserText className="name">{pin.user.name}</UserText>
          <HandleShownForLookalikeName person={pin.user} />
        </span>
        <p data-note={isNote || undefined} dir="auto" lang={detectLanguageOfUserText(text)}>
          {text}
        </p>
        <span className="line">
          {pin.pinned_by ? t.pinnedBy(pin.pinned_by.name, time) : t.pinnedAt(time)}
        </span>
        <Button small label={t.showWhich(label)} onClick={onShow}>
          {t.show}
        </Button>
      </div>
      {onUnpin && (
        <Button
          kind="ghost"
          iconOnly
          icon={PinOff}
          label={t.unpin(label)}
          pending={isPending}
          onClick={onUnpin}
        />
      )}
    </li>
  )
}
