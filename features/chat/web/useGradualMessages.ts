import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ConversationState } from './conversation.ts'

/** The number of older messages that each render in the background adds to the list. */
const BATCH_SIZE = 6

/**
 * Returns the messages to render. Adds older messages a few at a time, so that the browser can react to input
 * in between. The messages that are loaded when the conversation opens are rendered at once: if some of them
 * were added above the visible ones, the browser would report a shift of the list.
 */
export function useGradualMessages({ messages, target }: ConversationState) {
  const [firstId, setFirstId] = useState(() => messages[0]?.id ?? 0)
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
