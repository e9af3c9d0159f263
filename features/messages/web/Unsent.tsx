import '#features/posts/web/pictures.css'
import { Suspense } from 'react'
import { chatText } from '#features/conversations/web/text.ts'
import { PicturePreview } from '#features/posts/web/PicturePreview.tsx'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { MessageActions } from './actions.ts'
import { Bubble } from './Bubble.tsx'
import type { UnsentMessage } from './conversation.ts'
import { isFinalRefusal } from './outbox.ts'
import { messageText } from './text.ts'

const Quote = lazyWithRetry(() => import('./Quote.tsx'))
const UnsentFiles = lazyWithRetry(async () => ({
  default: (await import('./Files.tsx')).UnsentFiles,
}))

type UnsentMessageProps = { message: UnsentMessage; actions: MessageActions }

export function Unsent({ message, actions }: UnsentMessageProps) {
  const t = useText(messageText)
  const { text, pictures, files = [], progress } = message
  const isFailed = message.state === 'failed' && !message.isWaiting
  return (
    <>
      <div
        className="message"
        data-sending={isFailed ? undefined : ''}
        data-failed={isFailed ? '' : undefined}
      >
        {message.quoted && (
          <Suspense>
            <Quote quoted={message.quoted} store={actions.store} />
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
        {text && <Bubble text={text} />}
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
      {message.isWaiting && <WaitReason message={message} actions={actions} />}
    </>
  )
}

/** The message that has failed says why it and those after it wait. */
function WaitReason({ message, actions }: UnsentMessageProps) {
  const t = useText(messageText)
  const { retry } = useText(chatText)
  const { error } = message
  return (
    <div className="send-error" data-waiting role="status">
      {error !== null && (
        <>
          <span>{hasStatus(error, 0) ? t.sentWhenOnline : t.sentSoon}</span>
          <button type="button" onClick={() => actions.retry(message)}>
            {retry}
          </button>
        </>
      )}
      <DiscardButton message={message} actions={actions} />
    </div>
  )
}

function SendError({ message, actions }: UnsentMessageProps) {
  const t = useText(messageText)
  const { retry } = useText(chatText)
  const explain = useErrorText()
  const { error } = message
  const isFinal = isFinalRefusal(error)
  return (
    <div className="send-error" role="alert">
      <span>{error === null ? t.notSent : `${t.notSent}: ${explain(error)}`}</span>
      <button
        type="button"
        onClick={() => (isFinal ? actions.restoreToDraft(message) : actions.retry(message))}
      >
        {isFinal ? t.edit : retry}
      </button>
      <DiscardButton message={message} actions={actions} />
    </div>
  )
}

const DiscardButton = ({ message, actions }: UnsentMessageProps) => (
  <button type="button" onClick={() => actions.discard(message)}>
    {useText(messageText).deleteAction}
  </button>
)
