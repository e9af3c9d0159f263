import { probeServerAndDetectNewAppVersion } from '#web/new-version.ts'
import { createStore, useStore } from '#web/store.ts'

/**
 * The state of the connection to the server, as the banner at the top of the page shows it. `connected` shows
 * no banner; `restored` shows for a moment that the connection is back.
 */
export type ConnectionBannerState = 'connected' | 'reconnecting' | 'offline' | 'restored'

/** The number of milliseconds between the loss of the connection and the banner about it. */
const SHOW_DELAY = 5000
/** The number of milliseconds between two attempts to reach the server during an outage. */
const PROBE_INTERVAL = 5000
/** The number of milliseconds for which the banner says that the connection is back. */
const RESTORED_DURATION = 3000
/**
 * The number of failed attempts to reach the server during which the state stays `reconnecting`. After one
 * more failed attempt the state is `offline`.
 */
const MAX_TRIES = 3

const shown = createStore<ConnectionBannerState>('connected')
let lost = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined
const outageEndListeners = new Set<() => void>()

/**
 * Runs a function after `wait` milliseconds. Cancels the timer of the previous call, so that only one timer
 * runs.
 */
function schedule(run: () => void, wait: number) {
  clearTimeout(timer)
  timer = setTimeout(run, wait)
}

/**
 * Records that the connection to the server is lost. Called when a request got no answer, when the websocket
 * connection broke, or when the browser says that it is offline.
 */
export function markServerUnreachable() {
  if (lost) return
  lost = true
  schedule(checkServerReachabilityNow, SHOW_DELAY)
}

/**
 * Records that the server is reachable. Called when the server has answered a request, or when the websocket
 * has connected. Does nothing while the browser says that it is offline, because the response may be older
 * than the outage; the next request to `/healthz` decides then.
 */
export function markServerReachable() {
  if (navigator.onLine) endOutage()
}

function endOutage() {
  if (!lost) return
  lost = false
  clearTimeout(timer)
  for (const listener of outageEndListeners) listener()
  if (shown.get() === 'connected') return
  shown.set('restored')
  schedule(() => shown.set('connected'), RESTORED_DURATION)
}

/**
 * Calls `listener` each time that the server is reachable again after an outage. Returns a function that
 * removes the listener.
 */
export function addServerOutageEndListener(listener: () => void) {
  outageEndListeners.add(listener)
  return () => {
    outageEndListeners.delete(listener)
  }
}

/** Checks at once whether the server is reachable, and shows the result in the banner. */
export async function checkServerReachabilityNow() {
  shown.set(navigator.onLine ? 'reconnecting' : 'offline')
  if (await probeServerAndDetectNewAppVersion()) return endOutage()
  if (!lost) return
  tries = 1
  schedule(probe, PROBE_INTERVAL)
}

async function probe() {
  if (await probeServerAndDetectNewAppVersion()) return endOutage()
  if (!lost) return
  if (++tries > MAX_TRIES || !navigator.onLine) shown.set('offline')
  schedule(probe, PROBE_INTERVAL)
}

addEventListener('offline', markServerUnreachable)
addEventListener('online', () => lost && checkServerReachabilityNow())
if (!navigator.onLine) markServerUnreachable()

export const useConnectionBannerState = () => useStore(shown)
