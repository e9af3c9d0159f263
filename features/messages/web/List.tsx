import { ArrowDown, RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { GroupChange } from '#features/conversations/contract.ts'
import { chatText } from '#features/conversations/web/text.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { MessageActions } from './actions.ts'
import { ChunkView, containsMessage, useStableKeys } from './ChunkView.tsx'
import { createChunks, createSplitter, type MessageChunk } from './chunks.ts'
import { type ConversationState, isGroup } from './conversation.ts'
import { moveFocus, useReplyShortcut, useSingleTabStop } from './keyboard.ts'
import type { MessageStore } from './store.ts'
import { messageText } from './text.ts'
import { useGradualMessages } from './useGradualMessages.ts'
import { useListScroll } from './useListScroll.ts'
import { useLongPress } from './useLongPress.ts'
import { useSwipeToReply } from './useSwipeToReply.ts'

interface Props {
  store: MessageStore
  state: ConversationState
  actions: MessageActions
}

const noChanges: readonly GroupChange[] = []

/** The visible messages do not move when new or older messages are inserted. */
export function List({ store, state, actions }: Props) {
  const t = useText(messageText)
  const ref = useRef<HTMLDivElement>(null)
  const { outgoing, info } = state
  const { messages, firstId, chunks, isAllRendered, isComplete } = useMessageChunks(store, state)
  const keyOf = useStableKeys()
  const { newBelow, isFarFromEnd, scrollToEnd } = useListScroll(ref, store, {
    ...state,
    messages,
  })
  const isPartial = state.window !== null
  useSingleTabStop(ref, messages)
  useLongPress(ref)
  useSwipeToReply(ref, actions)
  useReplyShortcut(actions)
  const seen = useLastSeenMessage(store, state)
  const showNames = info !== null && isGroup(info)
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
        onKeyDown={moveFocus}
      >
        <OlderMessages store={store} state={state} isReady={isAllRendered} list={ref} />
        {isEmpty && (
          <p className="conversation-start" dir="auto">
            {info && !isGroup(info) ? t.beginning(info.user.name) : t.groupBeginning}
          </p>
        )}
        <div>
          {chunks.map((chunk) => (
            <ChunkView
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
 * The messages that are rendered now, and the chunks that have one of them. The chunks are made of all loaded
 * messages, so that names, days and heights do not change when older ones are rendered. `isComplete`: the
 * first message of the chat is among them.
 */
function useMessageChunks(store: MessageStore, state: ConversationState) {
  const { outgoing, info } = state
  const changes = info && isGroup(info) ? info.changes : noChanges
  const unreadAfter = useUnreadAfter(store, state)
  const { messages } = state
  const isComplete = state.olderUrl === null
  const [split] = useState(createSplitter)
  const { me } = store
  const chunks = useMemo(
    () => createChunks({ messages, split, outgoing, changes, me, unreadAfter, isComplete }),
    [messages, split, outgoing, changes, me, unreadAfter, isComplete],
  )
  const { rendered, firstId } = useGradualMessages(state, chunks)
  const isAllRendered = rendered.length === messages.length
  const isRendered = (chunk: MessageChunk) => (chunk.messages.at(-1)?.id ?? 0) >= firstId
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
  /** All loaded messages are rendered; only then older ones are loaded from the server. */
  isReady: boolean
  list: RefObject<HTMLDivElement | null>
}

/** Loads the next page of older messages long before the reader reaches it. */
function OlderMessages({ store, state: { olderUrl, olderState }, isReady, list }: OlderMessagesProps) {
  const t = useText(messageText)
  const { retry } = useText(chatText)
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
            {retry}
          </Button>
        </>
      )}
    </div>
  )
}

/** The divider is below this message during the visit. Null if nothing was unread, or after the user sent. */
function useUnreadAfter({ me }: MessageStore, { readBeforeVisit, messages }: ConversationState) {
  const [after] = useState(() =>
    messages.some(({ id, author }) => id > readBeforeVisit && author.id !== me.id) ? readBeforeVisit : null,
  )
  return readBeforeVisit === Number.POSITIVE_INFINITY ? null : after
}

/**
 * The message with the mark “Seen”: in a private chat the user's last one that the other person has seen, in
 * a group the user's last one if anybody has.
 */
function useLastSeenMessage({ me }: MessageStore, { info, messages }: ConversationState) {
  const t = useText(messageText)
  return useMemo(() => {
    if (!info) return null
    const ownMessage = messages.findLast(
      ({ id, author, deleted_at }) =>
        author.id === me.id && (isGroup(info) || id <= info.seen_id) && !deleted_at,
    )
    if (!ownMessage) return null
    if (!isGroup(info)) return { id: ownMessage.id, label: t.seen }
    const readers = info.reads.filter(({ last_read_id }) => last_read_id >= ownMessage.id).length
    return readers ? { id: ownMessage.id, label: t.seenBy(readers) } : null
  }, [info, messages, me, t])
}
