import { ArrowDown, RotateCw } from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Me } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { watchConversation } from '#web/unread.ts'
import type { GroupChange } from '../contract.ts'
import { daysAgo, longDay } from './dates.tsx'
import { type MessageActions, MessageGroup } from './MessageGroup.tsx'
import { isSamePiece, type MessageChunk, type Piece, toMessageChunks, toPieces } from './message-chunks.tsx'
import { isGroup, type Message, type MessageStore, type Thread } from './message-store.tsx'
import { chatText } from './text.ts'

/** Pixels from the end that still count as being there, and from which the way back is offered. */
const AT_END = 100
const FAR = 300
/** What remains visible above the first unread message. */
const ABOVE_UNREAD = 65

interface LogProps {
  thread: MessageStore
  now: Thread
  acts: MessageActions
  /** In place of messages where there are none. */
  empty: ReactNode
}

/** What was said, kept where the reader is. */
export function MessageList({ thread, now, acts, empty }: LogProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const { outgoing, about } = now
  const changes = about && isGroup(about) ? about.changes : none
  const unreadAfter = useUnreadAfter(thread, now)
  const messages = usePaced(now.messages)
  const isDrawn = messages.length === now.messages.length
  const whole = now.older === null && isDrawn
  const pieces = useMemo(
    () => toPieces({ messages, outgoing, changes, me: thread.me, unreadAfter, whole }),
    [messages, outgoing, changes, thread.me, unreadAfter, whole],
  )
  const keyOf = useKeyOf()
  const { below, far, toEnd } = useScroll(ref, thread, { ...now, messages })
  const seen = useSeen(thread, now)
  const named = about !== null && isGroup(about)
  const isEmpty = whole && !messages.length && !outgoing.length
  const jump = () => {
    toEnd()
    ref.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <div
        className="said-here"
        role="log"
        aria-label={t.messages}
        aria-busy={now.olderState === 'loading' || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        data-empty={isEmpty || undefined}
        ref={ref}
        onKeyDown={step}
      >
        <Older thread={thread} now={now} ready={isDrawn} log={ref} />
        {isEmpty && empty}
        <div>
          {pieces.map((piece) => (
            <OnePiece
              key={keyOf(idsOf(piece))}
              piece={piece}
              me={thread.me}
              named={named}
              seen={isIn(piece, seen?.id) ? seen : null}
              acts={acts}
            />
          ))}
        </div>
      </div>
      <div className="jump">
        {(below > 0 || far) && (
          <button type="button" className="pill" onClick={jump}>
            <Icon of={ArrowDown} size="s" />
            {below > 0 ? t.newMessages(below) : t.toNewest}
          </button>
        )}
      </div>
      <p className="hide" role="status">
        {below > 0 ? t.newMessages(below) : ''}
      </p>
    </>
  )
}

const none: readonly GroupChange[] = []

/** Older messages that are drawn in one go. */
const AT_ONCE = 6

/** What is older is drawn a few at a time, so that whatever the reader does comes between. What a chat opens with is drawn at once: it would be seen to grow. */
function usePaced(messages: readonly Message[]) {
  const [from, setFrom] = useState(() => messages[0]?.id ?? 0)
  const at = messages.findIndex(({ id }) => id >= from)
  useEffect(() => {
    const before = messages[Math.max(at - AT_ONCE, 0)]
    if (at > 0 && before) startTransition(() => setFrom(before.id))
  }, [messages, at])
  return useMemo(() => (at > 0 ? messages.slice(at) : messages), [messages, at])
}

/** A piece, and a talk in it, grow at both ends while messages come, and remain what they were: known by any of their messages. */
function useKeyOf() {
  const [keys] = useState(() => new Map<string | number, string | number>())
  const given = new Set<string | number>()
  return (names: readonly (string | number)[]) => {
    const known = names.map((name) => keys.get(name)).find((key) => key !== undefined && !given.has(key))
    // What comes late may stand in the middle of a talk: then the second half is a new one.
    const key = known ?? names.find((name) => !given.has(name)) ?? 0
    for (const name of names) keys.set(name, key)
    given.add(key)
    return key
  }
}

const idsOf = ({ messages }: Piece) => messages.map(({ id }) => id)
/** The same before and after a message has arrived; what clients make up is their own alone. */
const namesOf = ({ author, messages, outgoing }: Extract<MessageChunk, { kind: 'talk' }>) =>
  [
    ...messages.map(({ client_id, id }) => client_id ?? id),
    ...outgoing.map(({ client_id }) => client_id),
  ].map((name) => `${author.id} ${name}`)

const isIn = ({ messages }: Piece, id = 0) => id >= (messages[0]?.id ?? 1) && id <= (messages.at(-1)?.id ?? 0)

const menus = (within: Element) => [...within.querySelectorAll<HTMLElement>('.said-line > .acts > button')]

/** Up and down lead from one message's menu to the next; one of them is reached by Tab, the newest. */
function step(event: KeyboardEvent<HTMLElement>) {
  const all = menus(event.currentTarget)
  const at = all.indexOf(event.target as HTMLElement)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}

/** The divider stays where it was when the chat was opened, and is not there when nothing was unread. */
function useUnreadAfter(thread: MessageStore, { openedAt, messages }: Thread) {
  const [after] = useState(() =>
    messages.some((message) => message.id > openedAt && message.author.id !== thread.me.id) ? openedAt : null,
  )
  return after
}

/** The last of my messages that has been seen, and by whom. */
function useSeen(thread: MessageStore, { about, messages }: Thread) {
  const t = useText(chatText)
  return useMemo(() => {
    if (!about) return null
    const mine = messages.findLast(
      (message) =>
        message.author.id === thread.me.id &&
        (isGroup(about) || message.id <= about.seen_id) &&
        !message.deleted_at,
    )
    if (!mine) return null
    if (!isGroup(about)) return { id: mine.id, words: t.seen }
    const readers = about.reads.filter(({ last_read_id }) => last_read_id >= mine.id).length
    return readers ? { id: mine.id, words: t.seenBy(readers) } : null
  }, [about, messages, thread, t])
}

type TalkProps = Pick<Parameters<typeof MessageGroup>[0], 'named' | 'seen' | 'acts'>
interface PieceProps extends TalkProps {
  piece: Piece
  me: Me
}

/** Pixels that a message and a picture take, more or less: browsers ask before they have laid them out. */
const LINE = 44
const PICTURE = 210
const heightOf = ({ messages }: Piece) =>
  messages.reduce((sum, { images }) => sum + (images.length ? PICTURE : LINE), 0)

/** Laid out when it comes near; found by a search all the same. */
const OnePiece = memo(
  function OnePiece({ piece, me, ...rest }: PieceProps) {
    const keyOf = useKeyOf()
    return (
      <div className="piece" style={{ containIntrinsicBlockSize: `auto ${heightOf(piece)}px` }}>
        {toMessageChunks(piece, me).map((block) => (
          <OneBlock key={block.kind === 'talk' ? keyOf(namesOf(block)) : block.key} block={block} {...rest} />
        ))}
      </div>
    )
  },
  ({ piece, ...rest }, { piece: next, ...others }) =>
    isSamePiece(piece, next) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((key) => rest[key] === others[key]),
)

function OneBlock({ block, ...rest }: { block: MessageChunk } & TalkProps) {
  const t = useText(chatText)
  const lang = useLang()
  if (block.kind === 'talk') return <MessageGroup block={block} {...rest} />
  if (block.kind === 'change') {
    const { kind, actor, person, name } = block.change
    return (
      <p className="system" dir="auto">
        {t.change[kind](actor?.name ?? t.somebody, person?.name ?? t.somebody, name ?? '')}
      </p>
    )
  }
  if (block.kind === 'unread')
    return (
      <div className="unread-line" data-unread="">
        {t.unread}
      </div>
    )
  const days = daysAgo(block.at)
  return <h2 className="day">{days < 1 ? t.today : days < 2 ? t.yesterday : longDay(block.at, lang)}</h2>
}

interface OlderProps {
  thread: MessageStore
  now: Thread
  /** All that was fetched is drawn. */
  ready: boolean
  log: RefObject<HTMLDivElement | null>
}

/** Fetches what is older long before its end is reached; says so where that fails. */
function Older({ thread, now: { older, olderState }, ready, log }: OlderProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const asks = ready && older !== null && olderState === 'idle'
  useEffect(() => {
    if (!asks) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void thread.loadOlder(), {
      root: log.current,
      rootMargin: '800px 0px 0px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [asks, thread, log])
  return (
    <div className="older" ref={ref}>
      {olderState === 'failed' && (
        <>
          <p className="meta">{t.olderFailed}</p>
          <Button small icon={RotateCw} onClick={() => thread.loadOlder()}>
            {t.retry}
          </Button>
        </>
      )}
    </div>
  )
}

const isSeen = () => document.visibilityState === 'visible' && document.hasFocus()
const piecesOf = (log: HTMLElement) => [...log.querySelectorAll<HTMLElement>('.piece')]
const lines = (piece: HTMLElement) => [...piece.querySelectorAll<HTMLElement>('[data-message]')]
const topOf = (element: HTMLElement) => element.getBoundingClientRect().top
const bottomOf = (element: HTMLElement) => element.getBoundingClientRect().bottom

// Lines are asked where they are in the pieces in sight alone: others would have to be laid out to answer.

/** The first message of which something is in sight. */
function firstInSight(log: HTMLElement) {
  const top = topOf(log)
  const pieces = piecesOf(log)
  const at = pieces.findIndex((piece) => bottomOf(piece) > top)
  return pieces
    .slice(Math.max(at, 0), at + 2)
    .flatMap(lines)
    .find((line) => bottomOf(line) > top)
}

/** The same message may have been drawn anew, where what came above it joins it. */
const drawnNow = (log: HTMLElement, line: HTMLElement) =>
  line.isConnected ? line : log.querySelector<HTMLElement>(`[data-message="${line.dataset.message}"]`)

/** The newest message whose end is in sight. */
function lastInSight(log: HTMLElement) {
  const floor = bottomOf(log) + 1
  const pieces = piecesOf(log)
  const at = pieces.findLastIndex((piece) => topOf(piece) < floor)
  return pieces
    .slice(Math.max(at - 1, 0), at + 1)
    .flatMap(lines)
    .findLast((line) => bottomOf(line) <= floor)
}

/**
 * Opens at the first unread message, else at the end; stays at the end while one is there, and else keeps what is read in its place,
 * whatever comes above or below. What was in sight, in a window that is looked at, is read.
 */
function useScroll(
  ref: RefObject<HTMLDivElement | null>,
  thread: MessageStore,
  { status, messages, outgoing }: Thread,
) {
  const atEnd = useRef(true)
  const anchor = useRef<{ line: HTMLElement; top: number } | null>(null)
  const placed = useRef(false)
  const reached = useRef<HTMLElement>(null)
  const known = useRef({ last: 0, outgoing: 0 })
  const [below, setBelow] = useState(0)
  const [far, setFar] = useState(false)
  const newest = messages.at(-1)?.id ?? 0

  const toEnd = useCallback(() => {
    const log = ref.current
    if (log) log.scrollTop = log.scrollHeight
  }, [ref])

  const remember = useCallback(() => {
    const log = ref.current
    if (!log) return
    const rest = log.scrollHeight - log.scrollTop - log.clientHeight
    atEnd.current = rest < AT_END
    setFar(rest > FAR)
    if (atEnd.current) setBelow(0)
    const line = firstInSight(log)
    anchor.current = line ? { line, top: topOf(line) } : null
  }, [ref])

  const look = useEffectEvent(() => {
    const log = ref.current
    if (!log || !placed.current) return
    const seen = isSeen()
    watchConversation(seen && atEnd.current ? thread.place : null)
    const last = seen && Number(lastInSight(log)?.dataset.message)
    if (last) thread.read(atEnd.current ? newest : last)
  })

  const settle = useCallback(() => {
    const log = ref.current
    if (!log) return
    if (atEnd.current) toEnd()
    else if (anchor.current) {
      const line = drawnNow(log, anchor.current.line)
      if (line) log.scrollTop += topOf(line) - anchor.current.top
    }
    remember()
  }, [ref, toEnd, remember])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest is another with every message
  useLayoutEffect(() => {
    const last = piecesOf(ref.current!).findLast((piece) => menus(piece).length)
    const menu = last && menus(last).at(-1)
    if (reached.current) reached.current.tabIndex = -1
    if (menu) menu.tabIndex = 0
    reached.current = menu ?? null
  }, [messages])

  useLayoutEffect(() => {
    const log = ref.current
    if (!log || status !== 'there') return
    if (!placed.current) {
      placed.current = true
      const divider = log.querySelector<HTMLElement>('[data-unread]')
      if (divider) log.scrollTop += topOf(divider) - topOf(log) - ABOVE_UNREAD
      else toEnd()
      known.current = { last: newest, outgoing: outgoing.length }
      return remember()
    }
    const others = messages.filter(
      (message) => message.id > known.current.last && message.author.id !== thread.me.id,
    ).length
    if (outgoing.length > known.current.outgoing) atEnd.current = true
    known.current = { last: newest, outgoing: outgoing.length }
    if (!atEnd.current && others) setBelow((before) => before + others)
    settle()
  }, [status, messages, outgoing, newest, thread, ref, settle, toEnd, remember])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was drawn is looked at
  useEffect(() => look(), [messages, status])

  useEffect(() => {
    const log = ref.current
    if (!log) return
    let due = 0
    const onScroll = () => {
      cancelAnimationFrame(due)
      due = requestAnimationFrame(() => {
        remember()
        look()
      })
    }
    // Pictures, a keyboard, a growing field: whatever changes the heights.
    const observer = new ResizeObserver(() => {
      settle()
      look()
    })
    observer.observe(log)
    for (const child of log.children) observer.observe(child)
    const onLook = () => look()
    log.addEventListener('scroll', onScroll, { passive: true })
    addEventListener('focus', onLook)
    addEventListener('blur', onLook)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      cancelAnimationFrame(due)
      observer.disconnect()
      log.removeEventListener('scroll', onScroll)
      removeEventListener('focus', onLook)
      removeEventListener('blur', onLook)
      document.removeEventListener('visibilitychange', onLook)
      watchConversation(null)
    }
  }, [ref, settle, remember])

  return { below, far, toEnd }
}
