import { createStore } from '#web/store.ts'

/**
 * A store with the current time in milliseconds since 1970, which one timer for the whole page updates every
 * 30 seconds. With a function that selects words from the time, `useStore` renders a component again when
 * these words change.
 */
export const currentTimeStore = createStore(Date.now())
const tick = () => currentTimeStore.set(Date.now())
setInterval(tick, 30_000)
// Updates the time at once when a hidden page is shown again, because browsers stop the timers of hidden
// pages.
document.addEventListener('visibilitychange', () => document.hidden || tick())
