import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { Pictures } from '#features/posts/web/Pictures.tsx'
import { Preview } from '#features/posts/web/PictureTiles.tsx'
import { copyText } from '#web/clipboard.ts'
import { useExplain } from '#web/errors.ts'
import { langOf, useLang, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { clock, exactly } from './dates.tsx'
import { isEmoji, type MessageChunk } from './message-chunks.tsx'
import type { Message } from './message-store.tsx'
import { isPermanentFailure, type Outgoing } from './outbox.tsx'
import { chatText } from './text.ts'

export interface MessageActions {
  edit: (message: Message) => void
  remove: (message: Message) => void
  retry: (client_id: string) => void
  giveUp: (client_id: string) => void
  putBack: (message: Outgoing) => void
}

interface TalkProps {
  block: Extract<MessageChunk, { kind: 'talk' }>
  /** Names stand above the messages of others where there are several. */
  named: boolean
  /** Words under the last message that others have seen, and which that is. */
  seen: { id: number; words: string } | null
  acts: MessageActions
}

/** Messages of one person, close together. */
export function MessageGroup({
  block: { author, own, joins, goesOn, messages, outgoing },
  named,
  seen,
  acts,
}: TalkProps) {
  return (
    <div
      className={own ? 'talk own' : 'talk'}
      data-joins={joins || undefined}
      data-goes-on={goesOn || undefined}
    >
      {!own && !joins && <Avatar person={author} size="s" />}
      {!own &&
        !joins &&
        (named ? <Name className="name">{author.name}</Name> : <span className="hide">{author.name}</span>)}
      <div className="bubbles">
        {messages.map((message, at) => (
          <Line
            key={message.client_id ?? message.id}
            message={message}
            own={own}
            last={at === messages.length - 1 && !outgoing.length && !goesOn}
            seen={seen?.id === message.id ? seen.words : null}
            acts={acts}
          />
        ))}
        {outgoing.map((one) => (
          <Leaving key={one.client_id} message={one} acts={acts} />
        ))}
      </div>
    </div>
  )
}

interface LineProps {
  message: Message
  own: boolean
  last: boolean
  seen: string | null
  acts: MessageActions
}
const Line = memo(function Line({ message, own, last, seen, acts }: LineProps) {
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
      {(last || seen) && (
        <span className="stamp">
          {seen && (
            <>
              {seen}
              <br />
            </>
          )}
          {last && <time dateTime={created_at}>{clock(created_at, lang)}</time>}
        </span>
      )}
      {!deleted_at && <More message={message} own={own} acts={acts} />}
    </div>
  )
})

const Bubble = ({ text, children }: { text: string; children?: React.ReactNode }) => (
  // A touch chooses it, which brings its menu.
  <div className={isEmoji(text) ? 'bubble big' : 'bubble'} dir="auto" lang={langOf(text)} tabIndex={-1}>
    {withLinks(text)}
    {children}
  </div>
)

function More({ message, own, acts }: Pick<LineProps, 'message' | 'own' | 'acts'>) {
  const t = useText(chatText)
  const copy = () =>
    copyText(message.message).then(
      () => toast(t.copied),
      () => toast(t.notCopied, { kind: 'bad' }),
    )
  const about = message.message.slice(0, 40) || t.picture
  if (!own && !message.message) return null
  return (
    <span className="acts">
      <Menu
        label={t.actions(about)}
        button={(props) => (
          // Up and down lead from message to message.
          <button
            {...props}
            onKeyDown={undefined}
            tabIndex={-1}
            className="button bare only small"
            aria-label={t.actions(about)}
          >
            <Icon of={Ellipsis} size="s" />
          </button>
        )}
      >
        {message.message && (
          <MenuButton icon={Copy} onPress={copy}>
            {t.copy}
          </MenuButton>
        )}
        {own && message.message && (
          <MenuButton icon={Pencil} onPress={() => acts.edit(message)}>
            {t.edit}
          </MenuButton>
        )}
        {own && (
          <MenuButton icon={Trash2} danger onPress={() => acts.remove(message)}>
            {t.remove}
          </MenuButton>
        )}
      </Menu>
    </span>
  )
}

/** On its way: hollow until it has arrived. */
function Leaving({ message, acts }: { message: Outgoing; acts: MessageActions }) {
  const t = useText(chatText)
  const explain = useExplain()
  const { client_id, text, pictures, state, error, sent } = message
  const failed = state === 'failed'
  return (
    <>
      <div className="said-line" data-sending={failed ? undefined : ''} data-failed={failed ? '' : undefined}>
        <div className="said-parts">
          {pictures.length > 0 && (
            <div className="bubble picture">
              <div className="pictures" data-count={pictures.length}>
                {pictures.map((picture) => (
                  <span className="pane" key={picture.key}>
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
      {failed && (
        <div className="failed" role="alert">
          <span>{error === null ? t.notSent : `${t.notSent}: ${explain(error)}`}</span>
          {isPermanentFailure(error) ? (
            <button type="button" onClick={() => acts.putBack(message)}>
              {t.edit}
            </button>
          ) : (
            <button type="button" onClick={() => acts.retry(client_id)}>
              {t.retry}
            </button>
          )}
          <button type="button" onClick={() => acts.giveUp(client_id)}>
            {t.remove}
          </button>
        </div>
      )}
    </>
  )
}
