import '#features/chat/web/message-box.css'
import '#features/chat/web/messages.css'
import './public-chat.css'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { channelName, codePointLength } from '#core/contract.ts'
import { clock, isEmoji } from '#features/chat/web/format.ts'
import { LeftCount } from '#features/posts/web/Descriptions.tsx'
import { api } from '#web/api.ts'
import { useConnectionState } from '#web/connection.ts'
import { useExplain } from '#web/errors.ts'
import { useFieldSizing } from '#web/field-sizing.ts'
import { langOf, useLang, useText } from '#web/i18n.ts'
import { hasMouse, isSendMessage } from '#web/keyboard.ts'
import { withLinks } from '#web/links.tsx'
import { useChannel } from '#web/realtime.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { CALL_LENGTH, channels, publicChat } from '../contract.ts'
import { publicChatText } from './text.ts'

/** How many messages an open page shows at the most. */
const MOST_SHOWN = 200
/** The number of characters that are left is shown from here on. */
const SHOW_LEFT = 100
/** Pixels from the end that still count as the end. */
const AT_END = 60

interface Entry {
  key: number
  at: string
  /** Null marks a gap in the connection. */
  message: string | null
}

/** The public chat demonstrates the real-time connection. It is open to everybody. */
export default function ChatPage() {
  const t = useText(publicChatText)
  const { entries, state } = useEntries()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.chat}>
        <EmptyAvatars />
      </PageHeader>
      <div className="public-chat board alone">
        <div className="about">
          <p className="meta">{t.demo}</p>
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
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [subscribed, setSubscribed] = useState(false)
  const connection = useConnectionState()
  const add = (message: string | null) =>
    setEntries((before) => {
      const entry = { key: (before.at(-1)?.key ?? 0) + 1, at: new Date().toISOString(), message }
      return [...before, entry].slice(-MOST_SHOWN)
    })
  useChannel(channelName(channels.plaza), {
    subscribed: () => {
      if (subscribed && entries.at(-1)?.message) add(null)
      setSubscribed(true)
    },
    events: { MessageSent: ({ message }: { message: string }) => add(message) },
  })
  const isLost = connection === 'offline' || connection === 'reconnecting'
  return { entries, state: isLost ? 'offline' : subscribed ? 'connected' : 'connecting' } as const
}

function MessageLog({ entries }: { entries: readonly Entry[] }) {
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
          <p className="system" key={key}>
            {t.gap}
          </p>
        ) : (
          <div className="said-line" key={key}>
            <div className="said-parts">
              <div className={isEmoji(message) ? 'bubble big' : 'bubble'} dir="auto" lang={langOf(message)}>
                {withLinks(message)}
              </div>
            </div>
            <time className="stamp" dateTime={at}>
              {clock(at, lang)}
            </time>
          </div>
        ),
      )}
    </div>
  )
}

/**
 * A sent message appears when the channel brings it back. A message that could not be sent stays in the
 * field.
 */
function MessageForm({ ready }: { ready: boolean }) {
  const t = useText(publicChatText)
  const explain = useExplain()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const left = CALL_LENGTH - codePointLength(text.trim())
  const maySend = ready && Boolean(text.trim()) && left >= 0

  async function submit() {
    if (!maySend || sending) return
    setSending(true)
    setError(null)
    try {
      await api(publicChat.send, { message: text })
      setText('')
    } catch (failure) {
      setError(failure)
    }
    setSending(false)
    field.current?.focus()
  }

  useFieldSizing(field, text)

  return (
    <>
      {error !== null && <Notice kind="bad">{explain(error)}</Notice>}
      <form
        className="message-box"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="write">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            aria-label={t.enterMessage}
            placeholder={t.enterMessage}
            aria-describedby={left > SHOW_LEFT ? undefined : `${id}-left`}
            aria-invalid={left < 0}
            enterKeyHint={hasMouse() ? 'send' : 'enter'}
            readOnly={sending}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setError(null)
            }}
            onKeyDown={(event) => {
              if (!isSendMessage(event)) return
              event.preventDefault()
              void submit()
            }}
          />
          {left <= SHOW_LEFT && <LeftCount left={left} id={`${id}-left`} />}
          <Button kind="primary" type="submit" pending={sending} disabled={!maySend && !sending}>
            {t.send}
          </Button>
        </div>
      </form>
    </>
  )
}
