import '#web/ui/message-box.css'
import '#web/ui/messages.css'
import './public-chat.css'
import { Flag } from 'lucide-react'
import { type ReactNode, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { fillChannel } from '#core/contract.ts'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { isEmojiOnly } from '#features/messages/web/emoji.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { callEndpoint } from '#web/api.ts'
import { useBannerState } from '#web/connection.ts'
import * as dates from '#web/dates.ts'
import { NotFoundPage } from '#web/ErrorPage.tsx'
import { useErrorText } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { hasMouse, isSendKey } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { linkify } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MAX_LENGTH, type PublicMessage, publicChannels, publicEndpoints } from '../contract.ts'
import { publicChatText } from './text.ts'

const ReportDialog = lazyWithRetry(() => import('./ReportDialog.tsx'))

/** Entries: messages, and marks of interrupted connections. */
const MAX_SHOWN = 200
/** Characters left. */
const SHOW_COUNT_BELOW = 100
/** Pixels below the visible part. */
const AT_END = 60

interface LogEntry {
  key: number
  at: string
  /** Null marks an interrupted connection. */
  message: PublicMessage | null
}

/** A demonstration of the realtime connection, for all who may read the community except children. */
export default function PublicChatPage() {
  return useMe()?.is_child ? <NotFoundPage /> : <PublicChat />
}

function PublicChat() {
  const t = useText(publicChatText)
  const { entries, state } = useEntries()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.chat}>
        <HeaderAvatars />
      </PageHeader>
      <div className="public-chat card alone">
        <div className="public-chat-header">
          <p className="text-meta">{pageData.app.membersOnly ? t.membersDemo : t.demo}</p>
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
  const connection = useBannerState()
  const add = (message: PublicMessage | null) =>
    setEntries((before) => {
      const entry = { key: (before.at(-1)?.key ?? 0) + 1, at: new Date().toISOString(), message }
      return [...before, entry].slice(-MAX_SHOWN)
    })
  realtime.useListener(fillChannel(publicChannels.publicChat), {
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
              {dates.clock(at, lang)}
            </time>
          </Message>
        ),
      )}
    </div>
  )
}

function Message({ message, writer, children }: PublicMessage & { children: ReactNode }) {
  const isOwn = useMe()?.id === writer?.user.id
  const content = (
    <div className="message">
      <div
        className={isEmojiOnly(message) ? 'bubble emoji-only' : 'bubble'}
        dir="auto"
        lang={detectLanguage(message)}
      >
        {linkify(message)}
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
        <SharedHandle person={writer.user} />
      </span>
      <div className="bubbles">{content}</div>
    </div>
  )
}

function ReportButton(message: Required<PublicMessage>) {
  const t = useText(publicChatText)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="ghost"
        iconOnly
        small
        icon={Flag}
        label={t.report(message.writer.user.name)}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <ReportDialog {...message} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The message appears when the channel broadcasts it; one that could not be sent stays in the field. */
function MessageForm({ ready }: { ready: boolean }) {
  const t = useText(publicChatText)
  const explain = useErrorText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const left = MAX_LENGTH - countCodePoints(text.trim())
  const maySend = ready && !isBlank(text) && left >= 0

  async function submit() {
    if (!maySend || sending) return
    setSending(true)
    setError(null)
    try {
      await callEndpoint(publicEndpoints.send, { message: text })
      setText('')
    } catch (failure) {
      setError(failure)
    }
    setSending(false)
    field.current?.focus()
  }

  useAutosize(field, text)

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
              if (!isSendKey(event)) return
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
