import { createStore } from '#web/store.ts'

/** Milliseconds since 1970, updated every 30 s. Select words from it, so that only a change renders again. */
export const currentTime = createStore(Date.now())
const tick = () => currentTime.set(Date.now())
setInterval(tick, 30_000)
// Browsers stop the timers of hidden pages.
document.addEventListener('visibilitychange', () => document.hidden || tick())
