import { ArrowDown, RotateCw } from 'lucide-react'
import { memo, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { GroupChange } from '../contract.ts'
import { daysAgo, longDay } from './format.ts'
import { type GroupViewProps, type MessageActions, MessageGroup } from './MessageGroup.tsx'
import {
  areSameChunk,
  type ChunkItem,
  type MessageChunk,
  type MessageGroupItem,
  toChunks,
  toItems,
} from './message-chunks.ts'
import type { MessageStore } from './message-store.ts'
import { isGroup, type Message, type MessageState } from './messages.ts'
import { chatText } from './text.ts'
import { useLongPress } from './useLongPress.ts'
import { moveBetweenMenus, useMessageScroll, useOneTabStop } from './useMessageScroll.ts'

interface MessageListProps {
  store: MessageStore
  state: MessageState
  actions: MessageActions
}

const noChanges: readonly GroupChange[] = []

/** The messages of a conversation. New ones and older ones come without moving what is being read. */
export function MessageList({ store, state, actions }: MessageListProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const { outgoing, info } = state
  const changes = info && isGroup(info) ? info.changes : noChanges
  const unreadAfter = useUnreadAfter(store, state)
  const messages = useGradually(state.messages)
  const isAllRendered = messages.length === state.messages.length
  const isComplete = state.olderUrl === null && isAllRendered
  const chunks = useMemo(
    () => toChunks({ messages, outgoing, changes, me: store.me, unreadAfter, isComplete }),
    [messages, outgoing, changes, store.me, unreadAfter, isComplete],
  )
  const keyOf = useStableKeys()
  const { newBelow, isFarFromEnd, scrollToEnd } = useMessageScroll(ref, store, { ...state, messages })
  useOneTabStop(ref, messages)
  useLongPress(ref)
  const seen = useSeen(store, state)
  const showNames = info !== null && isGroup(info)
  const isEmpty = isComplete && !messages.length && !outgoing.length
  const jump = () => {
    scrollToEnd()
    ref.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <div
        className="said-here"
        role="log"
        aria-label={t.messages}
        aria-busy={state.olderState === 'loading' || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
        tabIndex={0}
        data-empty={isEmpty || undefined}
        ref={ref}
        onKeyDown={moveBetweenMenus}
      >
        <OlderMessages store={store} state={state} isReady={isAllRendered} list={ref} />
        {isEmpty && (
          <p className="beginning" dir="auto">
            {info && !isGroup(info) ? t.beginning(info.user.name) : t.groupBeginning}
          </p>
        )}
        <div>
          {chunks.map((chunk) => (
            <ChunkView
              key={keyOf(chunk.messages.map(({ id }) => id))}
              chunk={chunk}
              me={store.me}
              showNames={showNames}
              seen={seen && contains(chunk, seen.id) ? seen : null}
              actions={actions}
            />
          ))}
        </div>
      </div>
      <div className="jump">
        {(newBelow > 0 || isFarFromEnd) && (
          <button type="button" className="pill" onClick={jump}>
            <Icon of={ArrowDown} size="s" />
            {newBelow > 0 ? t.newMessages(newBelow) : t.toNewest}
          </button>
        )}
      </div>
      <p className="hide" role="status">
        {newBelow > 0 ? t.newMessages(newBelow) : ''}
      </p>
    </>
  )
}

interface OlderMessagesProps {
  store: MessageStore
  state: MessageState
  /** All loaded messages are rendered. */
  isReady: boolean
  list: RefObject<HTMLDivElement | null>
}

/**
 * Loads the next page of older messages long before the reader reaches it, and offers a retry where that
 * failed.
 */
function OlderMessages({ store, state: { olderUrl, olderState }, isReady, list }: OlderMessagesProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const mayLoad = isReady && olderUrl !== null && olderState === 'idle'
  useEffect(() => {
    if (!mayLoad) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void store.loadOlder(), {
      root: list.current,
      rootMargin: '800px 0px 0px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [mayLoad, store, list])
  return (
    <div className="older" ref={ref}>
      {olderState === 'failed' && (
        <>
          <p className="meta">{t.olderFailed}</p>
          <Button small icon={RotateCw} onClick={() => store.loadOlder()}>
            {t.retry}
          </Button>
        </>
      )}
    </div>
  )
}

interface ChunkProps extends GroupViewProps {
  chunk: MessageChunk
  me: Me
}

/** A part of the message list. The browser lays it out when it comes near the visible area. */
const ChunkView = memo(function ChunkView({ chunk, me, ...rest }: ChunkProps) {
  const keyOf = useStableKeys()
  return (
    <div className="piece" style={{ containIntrinsicBlockSize: `auto ${estimatedHeight(chunk)}px` }}>
      {toItems(chunk, me).map((item) => (
        <ItemView
          key={item.kind === 'group' ? keyOf(namesOf(item)) : item.key}
          item={item}
          me={me}
          {...rest}
        />
      ))}
    </div>
  )
}, isSame)

function isSame({ chunk, ...rest }: ChunkProps, { chunk: next, ...nextRest }: ChunkProps) {
  const names = Object.keys(rest) as (keyof typeof rest)[]
  return areSameChunk(chunk, next) && names.every((name) => rest[name] === nextRest[name])
}

/**
 * Pixels that a message and a picture take, roughly: the browser reserves them until it lays the chunk out.
 */
const MESSAGE_HEIGHT = 44
const PICTURE_HEIGHT = 210
const estimatedHeight = ({ messages }: MessageChunk) =>
  messages.reduce((sum, { images }) => sum + (images.length ? PICTURE_HEIGHT : MESSAGE_HEIGHT), 0)

/**
 * Names for messages that stay the same when the server has given them an id. Only their author's client
 * made them unique.
 */
const namesOf = ({ author, messages, outgoing }: MessageGroupItem) =>
  [
    ...messages.map(({ client_id, id }) => client_id ?? id),
    ...outgoing.map(({ client_id }) => client_id),
  ].map((name) => `${author.id} ${name}`)

function ItemView({ item, me, ...rest }: { item: ChunkItem; me: Me } & GroupViewProps) {
  const t = useText(chatText)
  const lang = useLang()
  if (item.kind === 'group') return <MessageGroup group={item} {...rest} />
  if (item.kind === 'change') {
    const { kind, actor, person, name } = item.change
    return (
      <p className="system" dir="auto">
        {kind === 'added' && person?.id === me.id && actor?.id !== me.id
          ? t.addedYou(actor?.name ?? t.somebody)
          : t.change[kind](actor?.name ?? t.somebody, person?.name ?? t.somebody, name ?? '')}
      </p>
    )
  }
  if (item.kind === 'unread')
    return (
      <div className="divider unread-line" data-unread="">
        {t.unread}
      </div>
    )
  const days = daysAgo(item.at)
  return <h2 className="day">{days < 1 ? t.today : days < 2 ? t.yesterday : longDay(item.at, lang)}</h2>
}

const contains = ({ messages }: MessageChunk, id: number) =>
  id >= (messages[0]?.id ?? 1) && id <= (messages.at(-1)?.id ?? 0)

/** Older messages that are rendered in one go. */
const BATCH_SIZE = 6

/**
 * Adds older messages a few at a time, so that the browser answers the reader in between.
 * The messages that a conversation opens with are all rendered at once.
 */
function useGradually(messages: readonly Message[]) {
  const [firstId, setFirstId] = useState(() => messages[0]?.id ?? 0)
  const first = messages.findIndex(({ id }) => id >= firstId)
  useEffect(() => {
    const next = messages[Math.max(first - BATCH_SIZE, 0)]
    if (first > 0 && next) startTransition(() => setFirstId(next.id))
  }, [messages, first])
  return useMemo(() => (first > 0 ? messages.slice(first) : messages), [messages, first])
}

/** The divider stays where it was when the conversation was opened. It is absent when nothing was unread. */
function useUnreadAfter({ me }: MessageStore, { readBeforeVisit, messages }: MessageState) {
  const [after] = useState(() =>
    messages.some(({ id, author }) => id > readBeforeVisit && author.id !== me.id) ? readBeforeVisit : null,
  )
  return after
}

/** My last message that others have seen, and the words for that. */
function useSeen({ me }: MessageStore, { info, messages }: MessageState) {
  const t = useText(chatText)
  return useMemo(() => {
    if (!info) return null
    const mine = messages.findLast(
      ({ id, author, deleted_at }) =>
        author.id === me.id && (isGroup(info) || id <= info.seen_id) && !deleted_at,
    )
    if (!mine) return null
    if (!isGroup(info)) return { id: mine.id, words: t.seen }
    const readers = info.reads.filter(({ last_read_id }) => last_read_id >= mine.id).length
    return readers ? { id: mine.id, words: t.seenBy(readers) } : null
  }, [info, messages, me, t])
}

type Key = string | number

/** React keys for chunks and groups, which grow at both ends: one common member keeps the key the same. */
function useStableKeys() {
  const [keys] = useState(() => new Map<Key, Key>())
  const used = new Set<Key>()
  return (contents: readonly Key[]) => {
    const isFree = (key: Key | undefined) => key !== undefined && !used.has(key)
    // An element that was split in two keeps its key for the first half.
    const key = contents.map((one) => keys.get(one)).find(isFree) ?? contents.find(isFree) ?? 0
    for (const one of contents) keys.set(one, key)
    used.add(key)
    return key
  }
}
