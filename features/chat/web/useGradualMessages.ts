import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ConversationState } from './conversation.ts'
import type { MessageListChunk } from './message-chunks.ts'

/** The number of older messages that each render in the background adds to the list. */
const BATCH_SIZE = 6
/**
 * The height of the lowest message in pixels. The first render has as many messages as such messages fill the
 * window.
 */
const MIN_MESSAGE_HEIGHT = 40

/**
 * Returns the id of the first message that the first render shows: the last messages that fill the window, or
 * all unread ones and as many before them.
 */
function findFirstRenderedId({ messages, readBeforeVisit }: ConversationState) {
  const firstUnread = messages.findIndex(({ id }) => id > readBeforeVisit)
  // In a low window too, the first unread message and some before it are rendered.
  const size = Math.max(Math.ceil(innerHeight / MIN_MESSAGE_HEIGHT), 2 * BATCH_SIZE)
  const end = firstUnread < 0 ? messages.length : Math.min(firstUnread + BATCH_SIZE, messages.length)
  return messages[Math.max(0, end - size)]?.id ?? 0
}

/**
 * Returns the messages to render, and the id of the first of them. Adds older messages a few at a time, so
 * that the browser can paint the visible messages first, and can react to input in between. All messages that
 * are added in one frame belong to the same chunk: if a chunk were filled and another one inserted above it,
 * Chromium would report a shift of the visible messages, although the list scrolls by the same distance.
 */
export function useGradualMessages(state: ConversationState, chunks: readonly MessageListChunk[]) {
  const { messages, target } = state
  const [firstId, setFirstId] = useState(() => findFirstRenderedId(state))
  // Renders all loaded messages at once if the message to which the list scrolls is not rendered yet.
  const [from, to] = [messages[0]?.id ?? 0, messages.at(-1)?.id ?? 0]
  if ((target !== null && target < firstId && target >= from) || firstId > to) setFirstId(from)
  const first = messages.findIndex(({ id }) => id >= firstId)
  useEffect(() => {
    if (first <= 0) return
    // A chunk with only messages that are being sent has no id.
    const starts = chunks.flatMap((chunk) => chunk.messages[0]?.id ?? [])
    const startOfChunk = starts.findLast((id) => id < firstId) ?? from
    const startOfBatch = messages[Math.max(first - BATCH_SIZE, 0)]!.id
    const addBatch = () => setFirstId(Math.max(startOfChunk, startOfBatch))
    const frame = requestAnimationFrame(() => startTransition(addBatch))
    return () => cancelAnimationFrame(frame)
  }, [messages, chunks, first, firstId, from])
  const rendered = useMemo(() => (first > 0 ? messages.slice(first) : messages), [messages, first])
  return { rendered, firstId }
}
