import { ApiError, callEndpoint } from '#web/api.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { createStore } from '#web/store.ts'
import { MAX_WAITED, type RollCallDetails, rollCallEndpoints } from '../contract.ts'
import { outboxKey } from './outbox-key.ts'
import { parseOutbox, type WaitingAnswer } from './waiting-answers.ts'

// An answer that finds no connection is kept in the browser, also for the next visit, and sent by itself.

/** In ms. */
const RETRY_INTERVAL = 10_000

export const outbox = createStore<readonly WaitingAnswer[]>([])
let owner: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

function keep(me: number, waiting: readonly WaitingAnswer[]) {
  writeLocal(outboxKey(me), waiting.length ? JSON.stringify(waiting) : '')
  outbox.set(waiting)
}

/** Views that use it. */
let users = 0

/** With the answers of an earlier visit. Returns a function that ends it. */
export function start(me: number) {
  if (owner !== me) {
    owner = me
    outbox.set(parseOutbox(readLocal(outboxKey(me))))
  }
  users++
  addEventListener('online', sendAll)
  void sendAll()
  return () => {
    if (--users) return
    removeEventListener('online', sendAll)
    clearTimeout(timer)
    owner = null
  }
}

const isSame = (a: WaitingAnswer, b: WaitingAnswer) => a.id === b.id && a.for === b.for

/** Null if it waits. Throws what the server refuses. */
export async function send(me: number, answer: WaitingAnswer): Promise<RollCallDetails | null> {
  keep(me, [...outbox.get().filter((other) => !isSame(other, answer)), answer])
  try {
    const { at, ...given } = answer
    const waited = Math.min(MAX_WAITED, Math.max(0, Math.round((Date.now() - at) / 1000)))
    const details = await callEndpoint(rollCallEndpoints.answer, { ...given, waited })
    remove(me, answer)
    return details
  } catch (error) {
    if (!mayWorkLater(error)) {
      remove(me, answer)
      throw error
    }
    clearTimeout(timer)
    timer = setTimeout(sendAll, RETRY_INTERVAL)
    return null
  }
}

/** After a log-in too. */
const mayWorkLater = (error: unknown) =>
  error instanceof ApiError && ([0, 401, 429].includes(error.status) || error.status >= 500)

function remove(me: number, answer: WaitingAnswer) {
  const waiting = outbox.get()
  if (waiting.includes(answer))
    keep(
      me,
      waiting.filter((other) => other !== answer),
    )
}

let sending: Promise<void> | undefined

/** Several views ask for it at once; each answer is sent once. */
function sendAll() {
  sending ??= sendEach().finally(() => {
    sending = undefined
  })
  return sending
}

async function sendEach() {
  for (const answer of outbox.get())
    if (owner !== null && outbox.get().includes(answer)) await send(owner, answer).catch(() => {})
}
