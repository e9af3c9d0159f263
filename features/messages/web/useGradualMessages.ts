import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { hasInitialRows } from '#web/page-data.ts'
import type { MessageChunk } from './chunks.ts'
import type { ConversationState, ShownMessage } from './conversation.ts'

/** Older messages per render: few when the chat opens, because the browser then also loads late code. */
const BATCH_SIZE = { opening: 2, readingBack: 6 }
/** Messages that the first render always has before the first unread one, or before the end. */
const MIN_MESSAGES = 6
/** In pixels: the header and the message box around the list. */
const MIN_HEIGHT_AROUND_LIST = 120
/** Usual minimum heights in pixels; `newAuthor` is the space above messages of another author. */
const MIN_HEIGHT = { message: 40, line: 20, pictures: 150, quote: 46, file: 50, reactions: 32, newAuthor: 16 }
/** In pixels: a narrow letter, and the maximum width of a text. */
const MIN_LETTER_WIDTH = 5
const MAX_TEXT_WIDTH = 540

/** An estimate in pixels, at the current width of the window. */
function minHeightOf({ id, message, images, quoted, files, author }: ShownMessage, previous?: ShownMessage) {
  const lettersInLine = Math.min(innerWidth, MAX_TEXT_WIDTH) / MIN_LETTER_WIDTH
  const lines = Math.max(1, Math.floor(message.length / lettersInLine), message.split('\n').length)
  return (
    (message ? MIN_HEIGHT.message + (lines - 1) * MIN_HEIGHT.line : 0) +
    (images.length ? MIN_HEIGHT.pictures : 0) +
    (quoted ? MIN_HEIGHT.quote : 0) +
    (files?.length ?? 0) * MIN_HEIGHT.file +
    (hasInitialRows(id) ? MIN_HEIGHT.reactions : 0) +
    (previous?.author.id === author.id ? 0 : MIN_HEIGHT.newAuthor)
  )
}

/** By the estimate, the messages from there to the end, or to some unread ones, fill the window. */
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
 * Adds older messages a few at a time, so that the browser can paint and react to input in between. All
 * messages of one frame belong to the same chunk: for a chunk that is filled while another is inserted above
 * it, Chromium would report a shift of the visible messages.
 */
export function useGradualMessages(state: ConversationState, chunks: readonly MessageChunk[]) {
  const { messages, target } = state
  const [firstId, setFirstId] = useState(() => findFirstRenderedId(state))
  // All at once if the message to which the list scrolls is not rendered yet.
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
