import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { hasInitialRowsBelowMessage } from '#web/page-data.ts'
import type { ConversationState, ShownMessage } from './conversation.ts'
import type { MessageListChunk } from './message-chunks.ts'

/**
 * The number of older messages that each render in the background adds to the list: few when the chat opens,
 * because the browser then also loads late code, and more when the reader scrolls back.
 */
const BATCH_SIZE = { opening: 2, readingBack: 6 }
/**
 * The number of messages that the first render always includes before the first unread message, or before the
 * end if all are read. As many unread messages count towards the height.
 */
const MIN_MESSAGES = 6
/** The height in pixels that the header and the message box around the list have at least together. */
const MIN_HEIGHT_AROUND_LIST = 120
/**
 * The usual minimum heights in pixels of a message with one line, each further line, pictures, a quote, a file,
 * a row of reactions, and the space above messages of another author.
 */
const MIN_HEIGHT = { message: 40, line: 20, pictures: 150, quote: 46, file: 50, reactions: 32, newAuthor: 16 }
/** The width in pixels of a narrow letter, and the maximum width of the text of a message. */
const MIN_LETTER_WIDTH = 5
const MAX_TEXT_WIDTH = 540

/** Returns an estimate of the minimum height of the message in pixels, at the current width of the window. */
function minHeightOf({ id, message, images, quoted, files, author }: ShownMessage, previous?: ShownMessage) {
  const lettersInLine = Math.min(innerWidth, MAX_TEXT_WIDTH) / MIN_LETTER_WIDTH
  const lines = Math.max(1, Math.floor(message.length / lettersInLine), message.split('\n').length)
  return (
    (message ? MIN_HEIGHT.message + (lines - 1) * MIN_HEIGHT.line : 0) +
    (images.length ? MIN_HEIGHT.pictures : 0) +
    (quoted ? MIN_HEIGHT.quote : 0) +
    (files?.length ?? 0) * MIN_HEIGHT.file +
    (hasInitialRowsBelowMessage(id) ? MIN_HEIGHT.reactions : 0) +
    (previous?.author.id === author.id ? 0 : MIN_HEIGHT.newAuthor)
  )
}

/**
 * Returns the id of the oldest message in the first render, which includes all newer messages. By the
 * estimate, the messages from there to the end, or to some unread ones, fill the window.
 */
function findFirstRenderedId({ messages, readBeforeVisit }: ConversationState) {
  const firstUnread = messages.findIndex(({ id }) => id > readBeforeVisit)
  let first = Math.max(0, (firstUnread < 0 ? messages.length : firstUnread) - MIN_MESSAGES)
  const end = firstUnread < 0 ? messages.length : Math.min(firstUnread + MIN_MESSAGES, messages.length)
  const heightFrom = (index: number) => minHeightOf(messages[index]!, messages[index - 1])
  let height = 0
  for (let index = first; index < end; index++) height += heightFrom(index)
  while (first > 0 && height < innerHeight - MIN_HEIGHT_AROUND_LIST) height += heightFrom(--first)
  return messages[first]?.id ?? 0
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
  const hasRenderedFirstPage = useRef(false)
  useEffect(() => {
    if (first <= 0) {
      hasRenderedFirstPage.current = true
      return
    }
    // A chunk with only messages that are being sent has no id.
    const starts = chunks.flatMap((chunk) => chunk.messages[0]?.id ?? [])
    const startOfChunk = starts.findLast((id) => id < firstId) ?? from
    const size = hasRenderedFirstPage.current ? BATCH_SIZE.readingBack : BATCH_SIZE.opening
    const startOfBatch = messages[Math.max(first - size, 0)]!.id
    const addBatch = () => setFirstId(Math.max(startOfChunk, startOfBatch))
    const frame = requestAnimationFrame(() => startTransition(addBatch))
    return () => cancelAnimationFrame(frame)
  }, [messages, chunks, first, firstId, from])
  const rendered = useMemo(() => (first > 0 ? messages.slice(first) : messages), [messages, first])
  return { rendered, firstId }
}
