import { ArrowDown } from 'lucide-react'
import { type ReactNode, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import type { GroupChange } from '../contract.ts'
import { ChunkView } from './ChunkView.tsx'
import type { MessageActions } from './MessageGroup.tsx'
import { isGroup, type Message } from './message.ts'
import { type MessageChunk, toChunks } from './message-chunks.ts'
import { moveBetweenMenus, useOneTabStop } from './message-menus.ts'
import type { MessageState } from './message-state.ts'
import type { MessageStore } from './message-store.ts'
import { OlderMessages } from './OlderMessages.tsx'
import { chatText } from './text.ts'
import { useMessageScroll } from './useMessageScroll.ts'
import { useStableKeys } from './useStableKeys.ts'

interface MessageListProps {
  store: MessageStore
  state: MessageState
  actions: MessageActions
  /** Stands in place of messages where there are none. */
  empty: ReactNode
}

const noChanges: readonly GroupChange[] = []

/** The messages of a conversation. New ones and older ones come without moving what is being read. */
export function MessageList({ store, state, actions, empty }: MessageListProps) {
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
        {isEmpty && empty}
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
