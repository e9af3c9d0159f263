import '#features/chat/web/message-box.css'
import '#features/chat/web/messages.css'
import './public-chat.css'
import { ShieldCheck } from 'lucide-react'
import { type ReactNode, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { fillChannelNameParameters } from '#core/contract.ts'
import { countCodePoints } from '#core/unicode.ts'
import { formatClockTime } from '#features/chat/web/date-format.ts'
import { isOneToThreeEmoji } from '#features/chat/web/emoji.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { callEndpoint } from '#web/api.ts'
import { useConnectionBannerState } from '#web/connection.ts'
import { NotFoundPage } from '#web/ErrorPage.tsx'
import { useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { detectLanguageOfUserText, useLang, useText } from '#web/i18n.ts'
import { hasMouse, isSendMessageKey } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { linkifyUrlsAndEmails } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { useChannelListener } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  MAX_PUBLIC_CHAT_MESSAGE_LENGTH,
  type PublicChatMessage,
  publicChatChannelDefinitions,
  publicChatEndpoints,
} from '../contract.ts'
import { publicChatText } from './text.ts'

const ReportPublicMessageDialog = lazyWithRetry(() => import('./ReportPublicMessageDialog.tsx'))

/**
 * The maximum number of entries that the page keeps and shows: messages, and marks of interrupted
 * connections.
 */
const MAX_SHOWN = 200
/** The form shows how many characters may still be typed only if at most this many are left. */
const SHOW_COUNT_BELOW = 100
/** The list counts as scrolled to its end if fewer than this many pixels are below its visible part. */
const AT_END = 60

interface LogEntry {
  key: number
  at: string
  /** The message; null if the entry marks that the connection was interrupted. */
  message: PublicChatMessage | null
}

/**
 * Renders the page of the public chat, which demonstrates the realtime connection. Everybody who may read the
 * community may open it, except children.
 */
export default function PublicChatPage() {
  return useMe()?.is_child ? <NotFoundPage /> : <PublicChat />
}

function PublicChat() {
  const t = useText(publicChatText)
  const { entries, state } = useEntries()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.chat}>
        <DecorativeAvatars />
      </PageHeader>
      <div className="public-chat card alone">
        <div className="public-chat-header">
          <p className="text-meta">{initialPageData.app.membersOnly ? t.membersDemo : t.demo}</p>
          <p className="state" role="status" data-state={state}>
            {t[state]}
          </p>
        </div>
        <MessageLog entries={entries} />
        <MessageForm ready={state === 'connected'} />
      </div>
    </PageLayout>
  )
}

function useEntries() {
  const [entries, setEntries] = useState<readonly LogEntry[]>([])
  const [subscribed, setSubscribed] = useState(false)
  const connection = useConnectionBannerState()
  const add = (message: PublicChatMessage | null) =>
    setEntries((before) => {
      const entry = { key: (before.at(-1)?.key ?? 0) + 1, at: new Date().toISOString(), message }
      return [...before, entry].slice(-MAX_SHOWN)
    })
  useChannelListener(fillChannelNameParameters(publicChatChannelDefinitions.publicChat), {
    onSubscribed: () => {
      if (subscribed && entries.at(-1)?.message) add(null)
      setSubscribed(true)
    },
    events: { MessageSent: add },
  })
  const isLost = connection === 'offline' || connection === 'reconnecting'
  return { entries, state: isLost ? 'offline' : subscribed ? 'connected' : 'connecting' } as const
}

function MessageLog({ entries }: { entries: readonly LogEntry[] }) {
  const t = useText(publicChatText)
  const lang = useLang()
  const ref = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new entry
  useLayoutEffect(() => {
    if (atEnd.current) ref.current!.scrollTop = ref.current!.scrollHeight
  }, [entries])
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = ref.current!
    atEnd.current = scrollHeight - scrollTop - clientHeight < AT_END
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <div className="public-log" role="log" aria-label={t.messages} tabIndex={0} ref={ref} onScroll={onScroll}>
      {!entries.length && <p className="empty-line">{t.nothing}</p>}
      {entries.map(({ key, at, message }) =>
        message === null ? (
          <p className="system-message" key={key}>
            {t.gap}
          </p>
        ) : (
          <Message key={key} {...message}>
            <time className="message-meta" dateTime={at}>
              {formatClockTime(at, lang)}
            </time>
          </Message>
        ),
      )}
    </div>
  )
}

function Message({ message, writer, children }: PublicChatMessage & { children: ReactNode }) {
  const isOwn = useMe()?.id === writer?.user.id
  const content = (
    <div className="message">
      <div
        className={isOneToThreeEmoji(message) ? 'bubble emoji-only' : 'bubble'}
        dir="auto"
        lang={detectLanguageOfUserText(message)}
      >
        {linkifyUrlsAndEmails(message)}
      </div>
      {children}
      {writer && !isOwn && <ReportButton message={message} writer={writer} />}
    </div>
  )
  if (!writer) return content
  return (
    <div className="message-group">
      <Avatar person={writer.user} size="s" />
      <span className="name-line">
        <UserText className="name">{writer.user.name}</UserText>
        <HandleShownForLookalikeName person={writer.user} />
      </span>
      <div className="bubbles">{content}</div>
    </div>
  )
}

function ReportButton(message: Required<PublicChatMessage>) {
  const t = useText(publicChatText)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="ghost"
        iconOnly
        small
        icon={ShieldCheck}
        label={t.report(message.writer.user.name)}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <ReportPublicMessageDialog {...message} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Renders the form that sends a message to the public chat. The message appears in the list when the realtime
 * channel broadcasts it; a message that could not be sent stays in the field.
 */
function MessageForm({ ready }: { ready: boolean }) {
  const t = useText(publicChatText)
  const explain = useErrorFormatter()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const left = MAX_PUBLIC_CHAT_MESSAGE_LENGTH - countCodePoints(text.trim())
  const maySend = ready && Boolean(text.trim()) && left >= 0

  async function submit() {
    if (!maySend || sending) return
    setSending(true)
    setError(null)
    try {
      await callEndpoint(publicChatEndpoints.send, { message: text })
      setText('')
    } catch (failure) {
      setError(failure)
    }
    setSending(false)
    field.current?.focus()
  }

  useAutosizeTextArea(field, text)

  return (
    <>
      {error !== null && <Notice kind="error">{explain(error)}</Notice>}
      <form
        className="message-box"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="input-row">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            aria-label={t.enterMessage}
            placeholder={t.enterMessage}
            aria-describedby={left > SHOW_COUNT_BELOW ? undefined : `${id}-left`}
            aria-invalid={left < 0}
            enterKeyHint={hasMouse() ? 'send' : 'enter'}
            readOnly={sending}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setError(null)
            }}
            onKeyDown={(event) => {
              if (!isSendMessageKey(event)) return
              event.preventDefault()
              void submit()
            }}
          />
          {left <= SHOW_COUNT_BELOW && <CharactersLeft count={left} id={`${id}-left`} />}
          <Button kind="primary" type="submit" pending={sending} disabled={!maySend && !sending}>
            {t.send}
          </Button>
        </div>
      </form>
    </>
  )
}
