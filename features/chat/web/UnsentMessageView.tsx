import { Suspense } from 'react'
import { PicturePreview } from '#features/posts/web/PicturePreview.tsx'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { UnsentMessage } from './conversation.ts'
import { MessageBubble } from './MessageBubble.tsx'
import type { MessageActionHandlers } from './message-actions.ts'
import { isFinalMessageRefusal } from './outbox.ts'
import { chatText } from './text.ts'

const MessageQuote = lazyWithRetry(() => import('./MessageQuote.tsx'))
const UnsentFiles = lazyWithRetry(async () => ({
  default: (await import('./MessageFiles.tsx')).UnsentMessageFiles,
}))

type UnsentMessageProps = { message: UnsentMessage; actions: MessageActionHandlers }

/** Renders a message that is being sent or could not be sent, with buttons to retry, edit or delete it. */
export function UnsentMessageView({ message, actions }: UnsentMessageProps) {
  const t = useText(chatText)
  const { text, pictures, files = [], progress } = message
  const isFailed = message.state === 'failed'
  return (
    <>
      <div
        className="message"
        data-sending={isFailed ? undefined : ''}
        data-failed={isFailed ? '' : undefined}
      >
        {message.quoted && (
          <Suspense>
            <MessageQuote quoted={message.quoted} store={actions.store} />
          </Suspense>
        )}
        {pictures.length > 0 && (
          <div className="bubble picture">
            <div className="pictures" data-count={pictures.length}>
              {pictures.map((picture) => (
                <span className="picture" key={picture.key}>
                  <PicturePreview file={picture.file} alt={picture.alt} />
                </span>
              ))}
            </div>
          </div>
        )}
        {files.length > 0 && (
          <Suspense>
            <UnsentFiles files={files} voice={message.voice} />
          </Suspense>
        )}
        {text && <MessageBubble text={text} />}
        {!isFailed && (
          <span className="message-meta">
            {message.isWaiting
              ? t.waiting
              : pictures.length || files.length
                ? `${t.sending} ${Math.round(progress * 100)}%`
                : t.sending}
          </span>
        )}
      </div>
      {isFailed && <SendError message={message} actions={actions} />}
      {message.isWaiting && (
        <div className="send-error">
          <DiscardButton message={message} actions={actions} />
        </div>
      )}
    </>
  )
}

function SendError({ message, actions }: UnsentMessageProps) {
  const t = useText(chatText)
  const explain = useErrorFormatter()
  const { error } = message
  const isFinal = isFinalMessageRefusal(error)
  return (
    <div className="send-error" role="alert">
      <span>{error === null ? t.notSent : `${t.notSent}: ${explain(error)}`}</span>
      <button
        type="button"
        onClick={() => (isFinal ? actions.restoreToDraft(message) : actions.retry(message))}
      >
        {isFinal ? t.edit : t.retry}
      </button>
      <DiscardButton message={message} actions={actions} />
    </div>
  )
}

const DiscardButton = ({ message, actions }: UnsentMessageProps) => (
  <button type="button" onClick={() => actions.discard(message)}>
    {useText(chatText).deleteAction}
  </button>
)
