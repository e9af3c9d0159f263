import { ArrowDown, RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { GroupChange } from '../group-contract.ts'
import { type ConversationState, isGroupConversation } from './conversation.ts'
import { containsMessage, MessageChunkView, useStableKeys } from './MessageChunkView.tsx'
import type { MessageActionHandlers } from './message-actions.ts'
import {
  createStableMessageListSplitter,
  type MessageListChunk,
  splitMessageListForRendering,
} from './message-chunks.ts'
import {
  moveMessageFocusByArrowKeys,
  useKeepOnlyNewestMessageMenuTabbable,
  useReplyShortcut,
} from './message-keyboard.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useGradualMessages } from './useGradualMessages.ts'
import { useMessageListScrollAndMarkRead } from './useMessageListScrollAndMarkRead.ts'
import { useOpenMessageMenuOnLongPress } from './useOpenMessageMenuOnLongPress.ts'
import { useSwipeToReply } from './useSwipeToReply.ts'

interface MessageListProps {
  store: MessageStore
  state: ConversationState
  actions: MessageActionHandlers
}

const noChanges: readonly GroupChange[] = []

/** Renders the message list. The visible messages do not move when new or older messages are inserted. */
export function MessageList({ store, state, actions }: MessageListProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const { outgoing, info } = state
  const { messages, firstId, chunks, isAllRendered, isComplete } = useMessageChunks(store, state)
  const keyOf = useStableKeys()
  const { newBelow, isFarFromEnd, scrollToEnd } = useMessageListScrollAndMarkRead(ref, store, {
    ...state,
    messages,
  })
  const isPartial = state.window !== null
  useKeepOnlyNewestMessageMenuTabbable(ref, messages)
  useOpenMessageMenuOnLongPress(ref)
  useSwipeToReply(ref, actions)
  useReplyShortcut(actions)
  const seen = useLastSeenMessage(store, state)
  const showNames = info !== null && isGroupConversation(info)
  const isEmpty = isComplete && !messages.length && !outgoing.length
  const jumpToNewest = () => {
    store.showNewest()
    scrollToEnd()
    ref.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <div
        className="message-list"
        role="log"
        aria-label={t.messages}
        aria-busy={state.olderState === 'loading' || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
        tabIndex={0}
        data-empty={isEmpty || undefined}
        ref={ref}
        onKeyDown={moveMessageFocusByArrowKeys}
      >
        <OlderMessages store={store} state={state} isReady={isAllRendered} list={ref} />
        {isEmpty && (
          <p className="conversation-start" dir="auto">
            {info && !isGroupConversation(info) ? t.beginning(info.user.name) : t.groupBeginning}
          </p>
        )}
        <div>
          {chunks.map((chunk) => (
            <MessageChunkView
              key={keyOf(chunk.messages.map(({ id }) => id))}
              chunk={chunk}
              firstId={firstId > (chunk.messages[0]?.id ?? 0) ? firstId : 0}
              me={store.me}
              showNames={showNames}
              seen={seen && containsMessage(chunk, seen.id) ? seen : null}
              actions={actions}
              isAnnounced={chunks.indexOf(chunk) >= chunks.length - 2}
              hasTarget={state.target !== null && containsMessage(chunk, state.target)}
            />
          ))}
        </div>
      </div>
      <div className="jump-to-newest">
        {(newBelow > 0 || isFarFromEnd || isPartial) && (
          <button type="button" className="pill" onClick={jumpToNewest}>
            <Icon icon={ArrowDown} size="s" />
            {newBelow > 0 ? t.newMessages(newBelow) : t.toNewest}
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {newBelow > 0 ? t.newMessages(newBelow) : ''}
      </p>
    </>
  )
}

/**
 * Returns the messages that are rendered now, and the chunks of the list that have one of them. The chunks
 * are made of all loaded messages, so that the names, days and heights of rendered messages do not change
 * when older ones are rendered. `isAllRendered` is whether all loaded messages are rendered, and `isComplete`
 * whether they also begin with the first message of the chat.
 */
function useMessageChunks(store: MessageStore, state: ConversationState) {
  const { outgoing, info } = state
  const changes = info && isGroupConversation(info) ? info.changes : noChanges
  const unreadAfter = useUnreadAfter(store, state)
  const { messages } = state
  const isComplete = state.olderUrl === null
  const [split] = useState(createStableMessageListSplitter)
  const { me } = store
  const chunks = useMemo(
    () => splitMessageListForRendering({ messages, split, outgoing, changes, me, unreadAfter, isComplete }),
    [messages, split, outgoing, changes, me, unreadAfter, isComplete],
  )
  const { rendered, firstId } = useGradualMessages(state, chunks)
  const isAllRendered = rendered.length === messages.length
  const isRendered = (chunk: MessageListChunk) => (chunk.messages.at(-1)?.id ?? 0) >= firstId
  return {
    messages: rendered,
    firstId,
    chunks: isAllRendered ? chunks : chunks.filter(isRendered),
    isAllRendered,
    isComplete,
  }
}

interface OlderMessagesProps {
  store: MessageStore
  state: ConversationState
  /** Whether all loaded messages are rendered. Older messages are loaded from the server only then. */
  isReady: boolean
  list: RefObject<HTMLDivElement | null>
}

/**
 * Renders the beginning of the message list, which loads the next page of older messages long before the
 * reader reaches it. If that failed, shows a button to retry.
 */
function OlderMessages({ store, state: { olderUrl, olderState }, isReady, list }: OlderMessagesProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const canLoad = isReady && olderUrl !== null && olderState === 'idle'
  useEffect(() => {
    if (!canLoad) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void store.loadOlder(), {
      root: list.current,
      rootMargin: '800px 0px 0px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [canLoad, store, list])
  return (
    <div className="older-messages" ref={ref}>
      {olderState === 'failed' && (
        <>
          <p className="text-meta">{t.olderFailed}</p>
          <Button small icon={RotateCw} onClick={() => store.loadOlder()}>
            {t.retry}
          </Button>
        </>
      )}
    </div>
  )
}

/**
 * Returns the id of the last message above the unread divider. The divider stays there during the visit.
 * Returns null if nothing was unread, or if the user has sent a message.
 */
function useUnreadAfter({ me }: MessageStore, { readBeforeVisit, messages }: ConversationState) {
  const [after] = useState(() =>
    messages.some(({ id, author }) => id > readBeforeVisit && author.id !== me.id) ? readBeforeVisit : null,
  )
  return readBeforeVisit === Number.POSITIVE_INFINITY ? null : after
}

/**
 * Returns the id of the message beside which the mark “Seen” is shown, and the label of the mark. In a
 * private chat this is the user's last message that the other person has seen; in a group, the user's last
 * message if somebody has seen it. Returns null if there is no such message.
 */
function useLastSeenMessage({ me }: MessageStore, { info, messages }: ConversationState) {
  const t = useText(chatText)
  return useMemo(() => {
    if (!info) return null
    const ownMessage = messages.findLast(
      ({ id, author, deleted_at }) =>
        author.id === me.id && (isGroupConversation(info) || id <= info.seen_id) && !deleted_at,
    )
    if (!ownMessage) return null
    if (!isGroupConversation(info)) return { id: ownMessage.id, label: t.seen }
    const readers = info.reads.filter(({ last_read_id }) => last_read_id >= ownMessage.id).length
    return readers ? { id: ownMessage.id, label: t.seenBy(readers) } : null
  }, [info, messages, me, t])
}
