import * as chatState from './state.ts'

/** The longest time, in milliseconds, that a timer of the browser can wait. */
const MAX_TIMER = 2 ** 31 - 1
let timer: ReturnType<typeof setTimeout> | undefined

/** Must be called after each change of the mutes. Sets a timer for the next end, and stops the old one. */
export function endMutes() {
  clearTimeout(timer)
  const wait = removeEndedMutes()
  if (wait < Number.POSITIVE_INFINITY) timer = setTimeout(endMutes, Math.min(wait, MAX_TIMER))
}

/** Returns the milliseconds until the next mute ends; Infinity if there is none. */
function removeEndedMutes() {
  let wait = Number.POSITIVE_INFINITY
  for (const kind of ['private', 'groups'] as const)
    for (const [id, end] of Object.entries(chatState.store.get().unread.muted?.[kind] ?? {})) {
      const rest = Date.parse(end) - Date.now()
      if (rest > 0) wait = Math.min(wait, rest)
      else chatState.setMute({ kind, id: Number(id) }, null)
    }
  return wait
}
