import './message-quote.css'
import { X } from 'lucide-react'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { QuotedMessage } from '../contract.ts'
import { toQuotedOrPinnedMessageTextOrNote } from './describe-quoted.ts'
import { messageMenuText } from './message-menu-text.ts'
import type { MessageStore } from './message-store.ts'

interface QuoteProps {
  quoted: QuotedMessage
  store: MessageStore
}

function QuoteContent({ quoted, store, name }: QuoteProps & { name: string }) {
  const t = useText(messageMenuText)
  const { text, isNote } = toQuotedOrPinnedMessageTextOrNote(quoted, t)
  return (
    <>
      {name && <UserText className="name">{quoted.user.id === store.me.id ? t.you : name}</UserText>}
      <span className="line" dir="auto" data-note={isNote || undefined} lang={detectLanguageOfUserText(text)}>
        {text.replace(/\s+/g, ' ')}
      </span>
    </>
  )
}

/** Renders the quote above the text of a message: a button that leads to the quoted message. */
export default function MessageQuote({ quoted, store }: QuoteProps) {
  const t = useText(messageMenuText)
  const explain = useErrorFormatter()
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
      aria-label={t.quoteOf(name, toQuotedOrPinnedMessageTextOrNote(quoted, t).text)}
    >
      <QuoteContent quoted={quoted} store={store} name={name} />
    </button>
  )
}

/** Renders the quote above the text field of the message box, while the user replies to a message. */
export function QuoteAboveMessageComposer({ quoted, store, onClose }: QuoteProps & { onClose: () => void }) {
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
