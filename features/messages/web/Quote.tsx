import './quote.css'
import { X } from 'lucide-react'
import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { describeQuoted } from './describe-quoted.ts'
import { messageMenuText } from './menu-text.ts'
import type { MessageStore } from './store.ts'

interface QuoteProps {
  quoted: QuotedMessage
  store: MessageStore
}

function QuoteContent({ quoted, store, name }: QuoteProps & { name: string }) {
  const t = useText(messageMenuText)
  const { text, isNote } = describeQuoted(quoted, t)
  return (
    <>
      {name && <UserText className="name">{quoted.user.id === store.me.id ? t.you : name}</UserText>}
      <span className="line" dir="auto" data-note={isNote || undefined} lang={detectLanguage(text)}>
        {text.replace(/\s+/g, ' ')}
      </span>
    </>
  )
}

export default function Quote({ quoted, store }: QuoteProps) {
  const t = useText(messageMenuText)
  const explain = useErrorText()
  const { name } = quoted.user
  const show = () =>
    store.showMessage(quoted.id).then(
      (isFound) => isFound || showToast(t.noSuchMessage, { kind: 'error' }),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <button
      type="button"
      className="quote"
      onClick={show}
      aria-label={t.quoteOf(name, describeQuoted(quoted, t).text)}
    >
      <QuoteContent quoted={quoted} store={store} name={name} />
    </button>
  )
}

export function ComposerQuote({ quoted, store, onClose }: QuoteProps & { onClose: () => void }) {
  const t = useText(messageMenuText)
  const { id, name } = quoted.user
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div
      className="answered-message"
      role="group"
      aria-label={id === store.me.id ? t.replyingToSelf : t.replyingTo(name)}
    >
      <span className="quote">
        <QuoteContent quoted={quoted} store={store} name={name} />
      </span>
      <Button kind="ghost" iconOnly small icon={X} label={t.cancelReply} onClick={onClose} />
    </div>
  )
}
