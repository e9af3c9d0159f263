import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ConversationState } from './conversation.ts'

/** The number of older messages that each render in the background adds to the list. */
const BATCH_SIZE = 6

/**
 * The minimum number of messages that the first render shows. They are higher than the window of a phone or
 * laptop.
 */
const FIRST_SIZE = 24

/** Returns the id of the first message that the first render shows: the unread messages are never cut off. */
function findFirstRenderedId({ messages, readBeforeVisit }: ConversationState) {
  const firstUnread = messages.findIndex(({ id }) => id > readBeforeVisit)
  const end = firstUnread < 0 ? messages.length : firstUnread + BATCH_SIZE
  return messages[Math.max(0, Math.min(end, messages.length) - FIRST_SIZE)]?.id ?? 0
}

/**
 * Returns the messages to render. Adds older messages a few at a time, so that the browser can react to input
 * in between.
 */
export function useGradualMessages(state: ConversationState) {
  const { messages, target } = state
  const [firstId, setFirstId] = useState(() => findFirstRenderedId(state))
  // Renders all loaded messages at once if the message to which the list scrolls is not rendered yet.
  const [from, to] = [messages[0]?.id ?? 0, messages.at(-1)?.id ?? 0]
  if ((target !== null && target < firstId && target >= from) || firstId > to) setFirstId(from)
  const first = messages.findIndex(({ id }) => id >= firstId)
  useEffect(() => {
    const next = messages[Math.max(first - BATCH_SIZE, 0)]
    if (first > 0 && next) startTransition(() => setFirstId(next.id))
  }, [messages, first])
  return useMemo(() => (first > 0 ? messages.slice(first) : messages), [messages, first])
}
