import './messages.css'
import { Copy, Ellipsis, Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import { lazy, memo, Suspense } from 'react'
import { SharedNameHandle } from '#features/people/web/SharedNameHandle.tsx'
import { PicturePreview } from '#features/posts/web/PicturePreview.tsx'
import { Pictures } from '#features/posts/web/Pictures.tsx'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useLang, useText } from '#web/i18n.ts'
import { linkifyUrlsAndEmails } from '#web/links.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { ConversationMessage, UnsentMessage } from './conversation.ts'
import { formatDateTime, formatTime, isOneToThreeEmoji } from './date-format.ts'
import type { ConsecutiveMessagesItem } from './message-chunks.ts'
import { isMessageRefusal } from './outbox.ts'
import { chatText } from './text.ts'

const BlockedMessage = lazy(() => import('./BlockedMessage.tsx'))
const RemovedImagesNote = lazy(() => import('#features/posts/web/RemovedImagesNote.tsx'))

export interface MessageActionHandlers {
  edit: (message: ConversationMessage) => void
  remove: (message: ConversationMessage) => void
  retry: (message: UnsentMessage) => void
  discard: (message: UnsentMessage) => void
  restoreToDraft: (message: UnsentMessage) => void
}

export interface MessageGroupProps {
  /** Whether the author's name is shown above the messages, as in group chats. */
  showNames: boolean
  /** The label beside the message with this id, such as “Seen by 2”. */
  seen: { id: number; label: string } | null
  actions: MessageActionHandlers
}

/** Whether a note replaces the message, because the member has blocked or muted the author. */
const isNoteOfMessage = ({ is_blocked, is_muted }: ConversationMessage) => is_blocked || is_muted

/** Shows consecutive messages of one author, sent less than five minutes apart, as one group. */
export function MessageGroup({
  group,
  showNames,
  seen,
  actions,
}: MessageGroupProps & { group: ConsecutiveMessagesItem }) {
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
          <Avatar person={author} size="s" />
          {showNames ? (
            <span className="name-line">
              <UserText className="name">{author.name}</UserText>
              <SharedNameHandle person={author} />
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
  message: ConversationMessage
  isOwn: boolean
  showTime: boolean
  seen: string | null
  actions: MessageActionHandlers
}
const MessageView = memo(function MessageView({ message, isOwn, showTime, seen, actions }: MessageViewProps) {
  const t = useText(chatText)
  const lang = useLang()
  const { deleted_at, edited_at, images, created_at } = message
  return (
    <div className="message" data-message={message.id} title={formatDateTime(created_at, lang)}>
      {isNoteOfMessage(message) && (
        <Suspense>
          <BlockedMessage message={message} />
        </Suspense>
      )}
      {deleted_at ? (
        <div className="bubble deleted">{t.deleted}</div>
      ) : (
        <>
          {images.length > 0 && (
            <div className="bubble picture">
              <Pictures images={images} isAboveFold={false} width={300} />
            </div>
          )}
          {message.removed_images && (
            <Suspense>
              <RemovedImagesNote count={message.removed_images} />
            </Suspense>
          )}
          {message.message && (
            <Bubble text={message.message}>{edited_at && <span className="edited"> {t.edited}</span>}</Bubble>
          )}
        </>
      )}
      {(showTime || seen) && (
        <span className="message-meta">
          {seen}
          {seen && <br />}
          {showTime && <time dateTime={created_at}>{formatTime(created_at, lang)}</time>}
        </span>
      )}
      {!deleted_at && <MessageMenu message={message} isOwn={isOwn} actions={actions} />}
    </div>
  )
})

const Bubble = ({ text, children }: { text: string; children?: React.ReactNode }) => (
  // The bubble is focusable, because a touch then focuses it, and a focused bubble shows its menu button.
  <div
    className={isOneToThreeEmoji(text) ? 'bubble emoji-only' : 'bubble'}
    dir="auto"
    lang={detectLanguageOfUserText(text)}
    tabIndex={-1}
  >
    {linkifyUrlsAndEmails(text)}
    {children}
  </div>
)

function MessageMenu({ message, isOwn, actions }: Pick<MessageViewProps, 'message' | 'isOwn' | 'actions'>) {
  const t = useText(chatText)
  const copy = () =>
    copyTextToClipboard(message.message).then(
      () => showToast(t.copied),
      () => showToast(t.notCopied, { kind: 'error' }),
    )
  const label = t.actions(message.message.slice(0, 40) || t.picture)
  if (!isOwn && !message.message && !message.images.length) return null
  return (
    <span className="actions">
      <Menu
        label={label}
        renderButton={({ onKeyDown: _, ...props }) => (
          // Removes the menu button from the Tab order, because the arrow keys move from message to message.
          <Button {...props} tabIndex={-1} kind="ghost" iconOnly small icon={Ellipsis} label={label} />
        )}
      >
        {message.message && (
          <MenuItemButton icon={Copy} onPress={copy}>
            {t.copy}
          </MenuItemButton>
        )}
        {!isOwn && (
          <MenuItemButton icon={ShieldCheck} onPress={() => location.assign(`/report/message/${message.id}`)}>
            {t.report}
          </MenuItemButton>
        )}
        {isOwn && message.message && (
          <MenuItemButton icon={Pencil} onPress={() => actions.edit(message)}>
            {t.edit}
          </MenuItemButton>
        )}
        {isOwn && (
          <MenuItemButton icon={Trash2} danger onPress={() => actions.remove(message)}>
            {t.deleteAction}
          </MenuItemButton>
        )}
      </Menu>
    </span>
  )
}

type UnsentMessageProps = { message: UnsentMessage; actions: MessageActionHandlers }

/** A message that is being sent, or could not be sent. */
function UnsentMessageView({ message, actions }: UnsentMessageProps) {
  const t = useText(chatText)
  const { text, pictures, progress } = message
  const isFailed = message.state === 'failed'
  return (
    <>
      <div
        className="message"
        data-sending={isFailed ? undefined : ''}
        data-failed={isFailed ? '' : undefined}
      >
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
        {text && <Bubble text={text} />}
        {!isFailed && (
          <span className="message-meta">
            {message.isWaiting
              ? t.waiting
              : pictures.length
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
  const isFinal = isMessageRefusal(error)
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
