import { chatStateStore, setLocalConversationMute } from './chat-state.ts'

/** The longest time, in milliseconds, that a timer of the browser can wait. */
const MAX_TIMER = 2 ** 31 - 1
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Removes the mutes of conversations that have ended from the chat state, and sets a timer that does so again
 * when the next mute ends. Must be called after each change of the mutes. A new call replaces the timer of
 * the earlier call.
 */
export function removeEndedMutesFromChatStateAndReschedule() {
  clearTimeout(timer)
  const wait = removeEndedMutes()
  if (wait < Number.POSITIVE_INFINITY)
    timer = setTimeout(removeEndedMutesFromChatStateAndReschedule, Math.min(wait, MAX_TIMER))
}

/**
 * Removes the mutes of conversations that have ended from the chat state. Returns the milliseconds until the
 * next mute ends; Infinity if there is none.
 */
function removeEndedMutes() {
  let wait = Number.POSITIVE_INFINITY
  for (const kind of ['private', 'groups'] as const)
    for (const [id, end] of Object.entries(chatStateStore.get().unread.muted?.[kind] ?? {})) {
      const rest = Date.parse(end) - Date.now()
      if (rest > 0) wait = Math.min(wait, rest)
      else setLocalConversationMute({ kind, id: Number(id) }, null)
    }
  return wait
}
