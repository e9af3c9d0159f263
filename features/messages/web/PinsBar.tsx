import './pins.css'
import { Pin } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { GroupChat } from '../contract.ts'
import { describeQuoted } from './describe-quoted.ts'
import { messageMenuText, pinnedText } from './menu-text.ts'
import type { MessageStore } from './store.ts'

const PinsDialog = lazyWithRetry(() => import('./PinsDialog.tsx'))

interface Props {
  group: GroupChat
  pins: NonNullable<GroupChat['pins']>
  store: MessageStore
}

export default function PinsBar({ group, pins, store }: Props) {
  const t = useText(pinnedText)
  const menuText = useText(messageMenuText)
  const explain = useErrorText()
  const [isOpen, setIsOpen] = useState(false)
  const newest = pins[0]
  if (!newest) return null
  const { text, isNote } = describeQuoted(newest, menuText)
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
          <span className="line" data-note={isNote || undefined} lang={detectLanguage(text)}>
            <bdi>{text.replace(/\s+/g, ' ')}</bdi>
          </span>
        </span>
      </button>
      <Button kind="ghost" small label={t.showAll(pins.length)} onClick={() => setIsOpen(true)}>
        {t.all(pins.length)}
      </Button>
      {isOpen && (
        <Suspense>
          <PinsDialog
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
