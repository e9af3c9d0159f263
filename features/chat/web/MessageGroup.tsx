import './messages.css'
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { Pictures } from '#features/posts/web/Pictures.tsx'
import { Preview } from '#features/posts/web/PictureTiles.tsx'
import { copyText } from '#web/clipboard.ts'
import { useExplain } from '#web/errors.ts'
import { langOf, useLang, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { clock, exactly, isEmoji } from './format.ts'
import type { MessageGroupItem } from './message-chunks.ts'
import type { Message, Outgoing } from './messages.ts'
import { isPermanentFailure } from './outbox.ts'
import { chatText } from './text.ts'

export interface MessageActions {
  edit: (message: Message) => void
  remove: (message: Message) => void
  retry: (message: Outgoing) => void
  discard: (message: Outgoing) => void
  putBack: (message: Outgoing) => void
}

export interface GroupViewProps {
  /** In a group chat, the author's name stands above the messages. */
  showNames: boolean
  /** Words beside the last message that others have seen, and which message that is. */
  seen: { id: number; words: string } | null
  actions: MessageActions
}

/** Messages of one author, close together. */
export function MessageGroup({
  group,
  showNames,
  seen,
  actions,
}: GroupViewProps & { group: MessageGroupItem }) {
  const { author, own, continuesPrevious, continuesInNext, messages, outgoing } = group
  return (
    <div
      className={own ? 'talk own' : 'talk'}
      data-joins={continuesPrevious || undefined}
      data-goes-on={continuesInNext || undefined}
    >
      {!own && !continuesPrevious && (
        <>
          <Avatar person={author} size="s" />
          {showNames ? (
            <Name className="name">{author.name}</Name>
          ) : (
            <span className="hide">{author.name}</span>
          )}
        </>
      )}
      <div className="bubbles">
        {messages.map((message, at) => (
          <MessageView
            key={message.client_id ?? message.id}
            message={message}
            own={own}
            showTime={at === messages.length - 1 && !outgoing.length && !continuesInNext}
            seen={seen?.id === message.id ? seen.words : null}
            actions={actions}
          />
        ))}
        {outgoing.map((one) => (
          <OutgoingMessage key={one.client_id} message={one} actions={actions} />
        ))}
      </div>
    </div>
  )
}

interface MessageViewProps {
  message: Message
  own: boolean
  showTime: boolean
  seen: string | null
  actions: MessageActions
}
const MessageView = memo(function MessageView({ message, own, showTime, seen, actions }: MessageViewProps) {
  const t = useText(chatText)
  const lang = useLang()
  const { deleted_at, edited_at, images, created_at } = message
  return (
    <div className="said-line" data-message={message.id} title={exactly(created_at, lang)}>
      <div className="said-parts">
        {deleted_at ? (
          <div className="bubble gone">{t.deleted}</div>
        ) : (
          <>
            {images.length > 0 && (
              <div className="bubble picture">
                <Pictures images={images} first={false} width={300} />
              </div>
            )}
            {message.message && (
              <Bubble text={message.message}>
                {edited_at && <span className="edited"> {t.edited}</span>}
              </Bubble>
            )}
          </>
        )}
      </div>
      {(showTime || seen) && (
        <span className="stamp">
          {seen}
          {seen && <br />}
          {showTime && <time dateTime={created_at}>{clock(created_at, lang)}</time>}
        </span>
      )}
      {!deleted_at && <MessageMenu message={message} own={own} actions={actions} />}
    </div>
  )
})

const Bubble = ({ text, children }: { text: string; children?: React.ReactNode }) => (
  // A touch focuses it, which shows its menu button.
  <div className={isEmoji(text) ? 'bubble big' : 'bubble'} dir="auto" lang={langOf(text)} tabIndex={-1}>
    {withLinks(text)}
    {children}
  </div>
)

function MessageMenu({ message, own, actions }: Pick<MessageViewProps, 'message' | 'own' | 'actions'>) {
  const t = useText(chatText)
  const copy = () =>
    copyText(message.message).then(
      () => toast(t.copied),
      () => toast(t.notCopied, { kind: 'bad' }),
    )
  const label = t.actions(message.message.slice(0, 40) || t.picture)
  if (!own && !message.message) return null
  return (
    <span className="acts">
      <Menu
        label={label}
        button={({ onKeyDown: _, ...props }) => (
          // The list handles the arrow keys: they move from message to message.
          <Button {...props} tabIndex={-1} kind="bare" only small icon={Ellipsis} label={label} />
        )}
      >
        {message.message && (
          <MenuButton icon={Copy} onPress={copy}>
            {t.copy}
          </MenuButton>
        )}
        {own && message.message && (
          <MenuButton icon={Pencil} onPress={() => actions.edit(message)}>
            {t.edit}
          </MenuButton>
        )}
        {own && (
          <MenuButton icon={Trash2} danger onPress={() => actions.remove(message)}>
            {t.remove}
          </MenuButton>
        )}
      </Menu>
    </span>
  )
}

type OutgoingProps = { message: Outgoing; actions: MessageActions }

/** A message that is being sent, or could not be sent. */
function OutgoingMessage({ message, actions }: OutgoingProps) {
  const t = useText(chatText)
  const { text, pictures, sent } = message
  const failed = message.state === 'failed'
  return (
    <>
      <div className="said-line" data-sending={failed ? undefined : ''} data-failed={failed ? '' : undefined}>
        <div className="said-parts">
          {pictures.length > 0 && (
            <div className="bubble picture">
              <div className="pictures" data-count={pictures.length}>
                {pictures.map((picture) => (
                  <span className="picture" key={picture.key}>
                    <Preview file={picture.file} alt={picture.alt} />
                  </span>
                ))}
              </div>
            </div>
          )}
          {text && <Bubble text={text} />}
        </div>
        {!failed && (
          <span className="stamp">
            {pictures.length ? `${t.sending} ${Math.round(sent * 100)}%` : t.sending}
          </span>
        )}
      </div>
      {failed && <SendingFailed message={message} actions={actions} />}
    </>
  )
}

function SendingFailed({ message, actions }: OutgoingProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const { error } = message
  const isFinal = isPermanentFailure(error)
  return (
    <div className="failed" role="alert">
      <span>{error === null ? t.notSent : `${t.notSent}: ${explain(error)}`}</span>
      <button type="button" onClick={() => (isFinal ? actions.putBack(message) : actions.retry(message))}>
        {isFinal ? t.edit : t.retry}
      </button>
      <button type="button" onClick={() => actions.discard(message)}>
        {t.remove}
      </button>
    </div>
  )
}
