import { chatText } from '#features/conversations/web/text.ts'
import '#web/ui/messages.css'
import { memo, Suspense, useEffect, useRef } from 'react'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { hasInitialRows } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { PICTURES_WIDTH } from '../contract.ts'
import type { MessageActions } from './actions.ts'
import { Bubble } from './Bubble.tsx'
import type { MessageGroupItem } from './chunks.ts'
import { toContentRef } from './content-ref.ts'
import type { ShownMessage } from './conversation.ts'
import { MessageMenu } from './Menu.tsx'
import { messageText } from './text.ts'
import { Unsent } from './Unsent.tsx'

const ContentFooters = lazyWithRetry(() => import('#web/AddedContentParts.tsx'))
const ForwardedMark = lazyWithRetry(() => import('./ForwardedMark.tsx'))
const Blocked = lazyWithRetry(() => import('./Blocked.tsx'))
const ExpiredImagesNote = lazyWithRetry(() => import('#features/posts/web/ExpiredImagesNote.tsx'))

const Files = lazyWithRetry(() => import('./Files.tsx'))
const Quote = lazyWithRetry(() => import('./Quote.tsx'))

export interface MessageProps {
  /** The author's name is above the messages, as in group chats. */
  showNames: boolean
  /** Says beside the message `id` who has seen it, such as “Seen by 2”. */
  seen: { id: number; label: string } | null
  /** So far from the visible area that only texts, names and notes are rendered. */
  isFar: boolean
  actions: MessageActions
}

const isNoteOfMessage = ({ is_blocked, is_muted }: ShownMessage) => is_blocked || is_muted

export function MessageGroup({
  group,
  showNames,
  seen,
  isFar,
  actions,
}: MessageProps & { group: MessageGroupItem }) {
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
              {!isFar && <SharedHandle person={author} />}
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
          <Unsent key={message.client_id} message={message} actions={actions} />
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
  actions: MessageActions
}
const MessageView = memo(function MessageView({
  message,
  isOwn,
  showTime,
  seen,
  isFar,
  actions,
}: MessageViewProps) {
  const t = useText(messageText)
  const chat = useText(chatText)
  const lang = useLang()
  const { deleted_at, edited_at, images, created_at } = message
  const element = useRef<HTMLDivElement>(null)
  // Set when the browser is idle, because it takes many milliseconds to create the format.
  useEffect(() => {
    void waitUntilIdle().then(() => element.current?.setAttribute('title', dates.exact(created_at, lang)))
  }, [created_at, lang])
  return (
    <div ref={element} className="message" data-message={message.id}>
      {isNoteOfMessage(message) && (
        <Suspense>
          <Blocked message={message} />
        </Suspense>
      )}
      {deleted_at ? (
        <div className="bubble deleted">{chat.deleted}</div>
      ) : (
        <>
          {!isFar && message.forwarded && (
            <Suspense fallback={<div style={{ minBlockSize: 18 }} />}>
              <ForwardedMark forwarded={message.forwarded} author={message.author.id} />
            </Suspense>
          )}
          {!isFar && message.quoted && (
            <Suspense fallback={<div style={{ minBlockSize: 52 }} />}>
              <Quote quoted={message.quoted} store={actions.store} />
            </Suspense>
          )}
          {!isFar && images.length > 0 && (
            <div className="bubble picture">
              <AttachedPictures images={images} isAboveFold={false} width={PICTURES_WIDTH} />
            </div>
          )}
          {!isFar && message.files && (
            <Suspense fallback={<div style={{ minBlockSize: 52 * message.files.length }} />}>
              <Files files={message.files} />
            </Suspense>
          )}
          {!isFar && message.removed_images && (
            <Suspense>
              <ExpiredImagesNote count={message.removed_images} />
            </Suspense>
          )}
          {message.message && (
            <Bubble text={message.message}>{edited_at && <span className="edited"> {t.edited}</span>}</Bubble>
          )}
        </>
      )}
      {!isFar && (showTime || seen) && (
        <span className="message-meta">
          {seen}
          {seen && <br />}
          {showTime && <time dateTime={created_at}>{dates.clock(created_at, lang)}</time>}
        </span>
      )}
      {!isFar && !deleted_at && <MessageMenu message={message} isOwn={isOwn} actions={actions} />}
      {!isFar && !deleted_at && !isNoteOfMessage(message) && (
        <Suspense fallback={hasInitialRows(message.id) && <div className="row-space" />}>
          <ContentFooters content={toContentRef(message, actions.store)} />
        </Suspense>
      )}
    </div>
  )
})
