import * as newVersion from '#web/new-version.ts'
import { createStore, useStore } from '#web/store.ts'

/** `connected` has no banner; `restored` says for a moment that the connection is back. */
export type BannerState = 'connected' | 'reconnecting' | 'offline' | 'restored'

/** Milliseconds until the banner says that the connection is lost. */
const SHOW_DELAY = 5000
/** Milliseconds between two attempts during an outage. */
const PROBE_INTERVAL = 5000
/** Milliseconds. */
const RESTORED_DURATION = 3000
/** Failed attempts during which the state stays `reconnecting`. One more, and it is `offline`. */
const MAX_TRIES = 3

const shown = createStore<BannerState>('connected')
let lost = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined
const outageEndListeners = new Set<() => void>()

/** Cancels the timer of the previous call. */
function schedule(run: () => void, wait: number) {
  clearTimeout(timer)
  timer = setTimeout(run, wait)
}

/** When a request got no answer, the websocket broke, or the browser says that it is offline. */
export function markUnreachable() {
  if (lost) return
  lost = true
  schedule(checkServer, SHOW_DELAY)
}

/** It is known that the server does not answer; `onOutageEnd` says when it does. */
export const isUnreachable = () => lost

/**
 * When the server has answered, or the websocket has connected. Nothing while the browser says that it is
 * offline: the response may be older than the outage, and the next request to `/healthz` decides.
 */
export function markReachable() {
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

/** Returns a function that removes the listener. */
export function onOutageEnd(listener: () => void) {
  outageEndListeners.add(listener)
  return () => {
    outageEndListeners.delete(listener)
  }
}

export async function checkServer() {
  shown.set(navigator.onLine ? 'reconnecting' : 'offline')
  if (await newVersion.probe()) return endOutage()
  if (!lost) return
  tries = 1
  schedule(probe, PROBE_INTERVAL)
}

async function probe() {
  if (await newVersion.probe()) return endOutage()
  if (!lost) return
  if (++tries > MAX_TRIES || !navigator.onLine) shown.set('offline')
  schedule(probe, PROBE_INTERVAL)
}

addEventListener('offline', markUnreachable)
addEventListener('online', () => lost && checkServer())
if (!navigator.onLine) markUnreachable()

export const useBannerState = () => useStore(shown)
