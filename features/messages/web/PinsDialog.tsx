import '#features/groups/web/group-dialog.css'
import { PinOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { shorten } from '#core/text/shorten.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type GroupChat, type PinnedMessage, pinEndpoints } from '../contract.ts'
import { describeQuoted } from './describe-quoted.ts'
import { messageMenuText, pinnedText } from './menu-text.ts'
import { reloadPins } from './pins.ts'
import type { MessageStore } from './store.ts'

interface Props {
  group: GroupChat
  pins: readonly PinnedMessage[]
  store: MessageStore
  /** Closes the dialog and shows this message in the chat. */
  onShow: (id: number) => void
  onClose: () => void
}

export default function PinsDialog(props: Props) {
  const { group, pins, store, onShow, onClose } = props
  const t = useText(pinnedText)
  const explain = useErrorText()
  const list = useRef<HTMLUListElement>(null)
  const [pending, setPending] = useState<number | null>(null)
  async function unpin(id: number) {
    setPending(id)
    try {
      await callEndpoint(pinEndpoints.unpin, { id })
      await reloadPins(store)
      showToast(t.unpinned)
      // The button that had the focus is gone; after the last message, the dialog too.
      if (pins.length > 1) list.current?.focus()
      else focusFirst('.message-list')
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

interface RowProps {
  pin: PinnedMessage
  isPending: boolean
  onShow: () => void
  /** Undefined if the member may not unpin it. */
  onUnpin: (() => void) | undefined
}

function PinnedMessageRow({ pin, isPending, onShow, onUnpin }: RowProps) {
  const t = useText(pinnedText)
  const lang = useLang()
  const { text, isNote } = describeQuoted(pin, useText(messageMenuText))
  const label = shorten(text.replace(/\s+/g, ' '), 40)
  const time = dates.exact(pin.pinned_at, lang)
  return (
    <li className="row">
      <Avatar person={pin.user} size="s" />
      <div className="text">
        <span className="name-line">
          <UserText className="name">{pin.user.name}</UserText>
          <SharedHandle person={pin.user} />
        </span>
        <p data-note={isNote || undefined} dir="auto" lang={detectLanguage(text)}>
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
