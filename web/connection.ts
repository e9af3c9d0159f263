import { useSyncExternalStore } from 'react'

/** The line to the server, as far as the reader needs to know of it. */
export type ConnectionState = 'fine' | 'reconnecting' | 'offline' | 'back'

const PATIENCE = 5000
const PROBE = 5000
const GLAD = 3000
/** Tries after which it is no longer called reconnecting. */
const MOST_TRIES = 3

let line: ConnectionState = 'fine'
let lost = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const finders = new Set<() => void>()

function show(next: ConnectionState) {
  line = next
  for (const listener of listeners) listener()
}
function later(run: () => void, wait: number) {
  clearTimeout(timer)
  timer = setTimeout(run, wait)
}

/** A call got no answer, or the browser says that it is offline. */
export function onDisconnect() {
  if (lost) return
  lost = true
  later(retryConnection, PATIENCE)
}

/** Some answer came. */
export function onReconnect() {
  if (!lost) return
  lost = false
  clearTimeout(timer)
  for (const told of finders) told()
  if (line === 'fine') return
  show('back')
  later(() => show('fine'), GLAD)
}

/** Told when an answer came after there was none. */
export function whenReconnected(told: () => void) {
  finders.add(told)
  return () => {
    finders.delete(told)
  }
}

/** Tries now, and says so. */
export async function retryConnection() {
  show(navigator.onLine ? 'reconnecting' : 'offline')
  if (await reaches()) return onReconnect()
  if (!lost) return
  tries = 1
  later(probe, PROBE)
}

async function probe() {
  if (await reaches()) return onReconnect()
  if (!lost) return
  if (++tries > MOST_TRIES || !navigator.onLine) show('offline')
  later(probe, PROBE)
}

const reaches = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

addEventListener('offline', onDisconnect)
addEventListener('online', () => lost && retryConnection())
if (!navigator.onLine) onDisconnect()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useConnectionState = () => useSyncExternalStore(subscribe, () => line)
