import './pinned-messages.css'
import { Pin } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Group } from '../group-contract.ts'
import { toQuotedOrPinnedMessageTextOrNote } from './describe-quoted.ts'
import { messageMenuText } from './message-menu-text.ts'
import type { MessageStore } from './message-store.ts'
import { pinnedMessagesText } from './pinned-messages-text.ts'

const PinnedMessagesDialog = lazyWithRetry(() => import('./PinnedMessagesDialog.tsx'))

interface PinnedMessagesBarProps {
  group: Group
  pins: NonNullable<Group['pins']>
  store: MessageStore
}

/**
 * Renders the bar under the header of a group with the message that was pinned last, which leads to its place
 * in the chat, and a button for the list of all pinned messages.
 */
export default function PinnedMessagesBar({ group, pins, store }: PinnedMessagesBarProps) {
  const t = useText(pinnedMessagesText)
  const menuText = useText(messageMenuText)
  const explain = useErrorFormatter()
  const [isOpen, setIsOpen] = useState(false)
  const newest = pins[0]
  if (!newest) return null
  const { text, isNote } = toQuotedOrPinnedMessageTextOrNote(newest, menuText)
  const name = newest.user.id === store.me.id ? menuText.you : newest.user.name
  const show = (id: number) =>
    store.showMessage(id).then(
      (isFound) => isFound || showToast(menuText.noSuchMessage, { kind: 'error' }),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <section className="pinned-bar" aria-label={t.title}>
      <button
        type="button"
        className="newest"
        onClick={() => show(newest.id)}
        aria-label={t.goTo(newest.user.name, text)}
      >
        <Icon icon={Pin} size="s" />
        <span className="text">
          <UserText className="name">{name}</UserText>
          <span className="line" data-note={isNote || undefined} lang={detectLanguageOfUserText(text)}>
            <bdi>{text.replace(/\s+/g, ' ')}</bdi>
          </span>
        </span>
      </button>
      <Button kind="ghost" small label={t.showAll(pins.length)} onClick={() => setIsOpen(true)}>
        {t.all(pins.length)}
      </Button>
      {isOpen && (
        <Suspense>
          <PinnedMessagesDialog
            {...{ group, pins, store }}
            onShow={(id) => {
              setIsOpen(false)
              void show(id)
            }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </section>
  )
}
