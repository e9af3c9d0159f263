import { createStore, useStore } from '#web/store.ts'

/** The state of the connection to the server, as the banner shows it. */
export type ConnectionState = 'fine' | 'reconnecting' | 'offline' | 'back'

/** Milliseconds after which a lost connection is shown. */
const PATIENCE = 5000
/** Milliseconds between two tries. */
const PROBE_INTERVAL = 5000
/** Milliseconds for which the banner says that the connection is back. */
const BACK_SHOWN = 3000
/** After so many tries the state is `offline` and no longer `reconnecting`. */
const MOST_TRIES = 3

const shown = createStore<ConnectionState>('fine')
let lost = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined
const reconnectListeners = new Set<() => void>()

/** There is one timer: each step of the state replaces the step before. */
function schedule(run: () => void, wait: number) {
  clearTimeout(timer)
  timer = setTimeout(run, wait)
}

/** Called when a request got no answer, or the browser says that it is offline. */
export function onDisconnect() {
  if (lost) return
  lost = true
  schedule(retryConnection, PATIENCE)
}

/** Called when any answer came from the server. */
export function onReconnect() {
  if (!lost) return
  lost = false
  clearTimeout(timer)
  for (const listener of reconnectListeners) listener()
  if (shown.get() === 'fine') return
  shown.set('back')
  schedule(() => shown.set('fine'), BACK_SHOWN)
}

/** Calls `listener` when the server answers again after a gap. Returns how to stop. */
export function whenReconnected(listener: () => void) {
  reconnectListeners.add(listener)
  return () => {
    reconnectListeners.delete(listener)
  }
}

/** Tries to reach the server now, and shows that. */
export async function retryConnection() {
  shown.set(navigator.onLine ? 'reconnecting' : 'offline')
  if (await isReachable()) return onReconnect()
  if (!lost) return
  tries = 1
  schedule(probe, PROBE_INTERVAL)
}

async function probe() {
  if (await isReachable()) return onReconnect()
  if (!lost) return
  if (++tries > MOST_TRIES || !navigator.onLine) shown.set('offline')
  schedule(probe, PROBE_INTERVAL)
}

const isReachable = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

addEventListener('offline', onDisconnect)
addEventListener('online', () => lost && retryConnection())
if (!navigator.onLine) onDisconnect()

export const useConnectionState = () => useStore(shown)
