import './messages.css'
import { memo, Suspense, useEffect, useRef } from 'react'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { hasInitialRowsBelowMessage } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MESSAGE_PICTURES_WIDTH } from '../message-picture-contract.ts'
import { toMessageInfoForAddedContent } from './content-ref.ts'
import type { ShownMessage } from './conversation.ts'
import { formatClockTime, formatDateTime } from './date-format.ts'
import { MessageBubble } from './MessageBubble.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import type { MessageActionHandlers } from './message-actions.ts'
import type { ConsecutiveMessagesItem } from './message-chunks.ts'
import { chatText } from './text.ts'
import { UnsentMessageView } from './UnsentMessageView.tsx'

const ContentFootersFromFeatures = lazyWithRetry(() => import('#web/AddedContentParts.tsx'))
const ForwardedMark = lazyWithRetry(() => import('./ForwardedMark.tsx'))
const BlockedOrMutedAuthorMessage = lazyWithRetry(() => import('./BlockedOrMutedAuthorMessage.tsx'))
const ExpiredImagesNote = lazyWithRetry(() => import('#features/posts/web/ExpiredImagesNote.tsx'))

const MessageFiles = lazyWithRetry(() => import('./MessageFiles.tsx'))
const MessageQuote = lazyWithRetry(() => import('./MessageQuote.tsx'))

export interface MessageGroupPropsWithoutMessages {
  /** Whether the author's name is shown above the messages, as in group chats. */
  showNames: boolean
  /**
   * The label that says who has seen the message with this id, such as “Seen by 2”; it is shown beside the
   * message. Null if no message has such a label.
   */
  seen: { id: number; label: string } | null
  /** Whether the messages are so far from the visible area that only texts, names and notes are rendered. */
  isFar: boolean
  actions: MessageActionHandlers
}

/** Returns whether a note replaces the message, because the member has blocked or muted its author. */
const isNoteOfMessage = ({ is_blocked, is_muted }: ShownMessage) => is_blocked || is_muted

/** Renders consecutive messages of one author, sent less than five minutes apart, as one group. */
export function MessageGroup({
  group,
  showNames,
  seen,
  isFar,
  actions,
}: MessageGroupPropsWithoutMessages & { group: ConsecutiveMessagesItem }) {
  const { author, isOwn, continuesPrevious, continuesInNext, messages, outgoing } = group
  const isNote = messages[0] && isNoteOfMessage(messages[0])
  return (
    <div
      className={isOwn ? 'message-group own' : 'message-group'}
      data-continues-previous={continuesPrevious || undefined}
      data-continues-in-next={continuesInNext || undefined}
    >
      {!isOwn && !continuesPrevious && !isNote && (
        <>
          {!isFar && <Avatar person={author} size="s" />}
          {showNames ? (
            <span className="name-line">
              <UserText className="name">{author.name}</UserText>
              {!isFar && <HandleShownForLookalikeName person={author} />}
            </span>
          ) : (
            <span className="visually-hidden">{author.name}</span>
          )}
        </>
      )}
      <div className="bubbles">
        {messages.map((message, index) => (
          <MessageView
            key={message.client_id ?? message.id}
            message={message}
            isOwn={isOwn}
            showTime={index === messages.length - 1 && !outgoing.length && !continuesInNext}
            seen={seen?.id === message.id ? seen.label : null}
            isFar={isFar && !isNoteOfMessage(message)}
            actions={actions}
          />
        ))}
        {outgoing.map((message) => (
          <UnsentMessageView key={message.client_id} message={message} actions={actions} />
        ))}
      </div>
    </div>
  )
}

interface MessageViewProps {
  message: ShownMessage
  isOwn: boolean
  showTime: boolean
  seen: string | null
  isFar: boolean
  actions: MessageActionHandlers
}
const MessageView = memo(function MessageView({
  message,
  isOwn,
  showTime,
  seen,
  isFar,
  actions,
}: MessageViewProps) {
  const t = useText(chatText)
  const lang = useLang()
  const { deleted_at, edited_at, images, created_at } = message
  const element = useRef<HTMLDivElement>(null)
  // Sets the tooltip when the browser is idle, because it takes many milliseconds to create the format.
  useEffect(() => {
    void waitUntilIdle().then(() => element.current?.setAttribute('title', formatDateTime(created_at, lang)))
  }, [created_at, lang])
  return (
    <div ref={element} className="message" data-message={message.id}>
      {isNoteOfMessage(message) && (
        <Suspense>
          <BlockedOrMutedAuthorMessage message={message} />
        </Suspense>
      )}
      {deleted_at ? (
        <div className="bubble deleted">{t.deleted}</div>
      ) : (
        <>
          {!isFar && message.forwarded && (
            <Suspense fallback={<div style={{ minBlockSize: 18 }} />}>
              <ForwardedMark forwarded={message.forwarded} author={message.author.id} />
            </Suspense>
          )}
          {!isFar && message.quoted && (
            <Suspense fallback={<div style={{ minBlockSize: 52 }} />}>
              <MessageQuote quoted={message.quoted} store={actions.store} />
            </Suspense>
          )}
          {!isFar && images.length > 0 && (
            <div className="bubble picture">
              <AttachedPictures images={images} isAboveFold={false} width={MESSAGE_PICTURES_WIDTH} />
            </div>
          )}
          {!isFar && message.files && (
            <Suspense fallback={<div style={{ minBlockSize: 52 * message.files.length }} />}>
              <MessageFiles files={message.files} />
            </Suspense>
          )}
          {!isFar && message.removed_images && (
            <Suspense>
              <ExpiredImagesNote count={message.removed_images} />
            </Suspense>
          )}
          {message.message && (
            <MessageBubble text={message.message}>
              {edited_at && <span className="edited"> {t.edited}</span>}
            </MessageBubble>
          )}
        </>
      )}
      {!isFar && (showTime || seen) && (
        <span className="message-meta">
          {seen}
          {seen && <br />}
          {showTime && <time dateTime={created_at}>{formatClockTime(created_at, lang)}</time>}
        </span>
      )}
      {!isFar && !deleted_at && <MessageMenu message={message} isOwn={isOwn} actions={actions} />}
      {!isFar && !deleted_at && !isNoteOfMessage(message) && (
        <Suspense fallback={hasInitialRowsBelowMessage(message.id) && <div className="row-space" />}>
          <ContentFootersFromFeatures content={toMessageInfoForAddedContent(message, actions.store)} />
        </Suspense>
      )}
    </div>
  )
})
