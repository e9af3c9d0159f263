import { del, entries, set } from 'idb-keyval'
import type { Picked } from '#features/posts/web/choose-pictures.ts'
import { ApiError } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { newId } from '#web/id.ts'

/** A message that is being sent, or that could not be sent. */
export interface Outgoing {
  client_id: string
  text: string
  pictures: readonly Picked[]
  at: string
  state: 'sending' | 'failed'
  /** Why it failed; null where that was in an earlier visit. */
  error: unknown
  /** Share of it that has been uploaded, 0 to 1. */
  sent: number
}

interface OutboxOptions {
  /** Prefix of the keys in IndexedDB, where messages are stored between visits. */
  storageKey: string
  /** Reads and replaces the list that the views show. */
  get: () => readonly Outgoing[]
  set: (outgoing: readonly Outgoing[]) => void
  send: (message: Outgoing, onProgress: (share: number) => void) => Promise<void>
}
export type Outbox = ReturnType<typeof createOutbox>

/** Sends one message after another in their order, and stores each until the server has it. */
export function createOutbox({ storageKey, send, ...list }: OutboxOptions) {
  const stored = createStorage(storageKey)
  let isSending = false

  const update = (id: string, change: Partial<Outgoing>) =>
    list.set(list.get().map((one) => (one.client_id === id ? { ...one, ...change } : one)))

  async function sendAll() {
    if (isSending) return
    isSending = true
    for (let next = nextToSend(list.get()); next; next = nextToSend(list.get())) {
      const { client_id } = next
      await send(next, (sent) => update(client_id, { sent })).then(
        () => remove(client_id),
        (error: unknown) => {
          update(client_id, { state: 'failed', error, sent: 0 })
          if (isHttpError(error, 401)) pleaseLogIn()
        },
      )
    }
    isSending = false
  }

  /** Called when the author discards a message, and when the server turns out to have it. */
  function remove(id: string) {
    if (!list.get().some((one) => one.client_id === id)) return
    stored.remove(id)
    list.set(list.get().filter((one) => one.client_id !== id))
    // A failed message blocks those after it, so they may be free now.
    void sendAll()
  }

  return {
    remove,
    /** Shows what an earlier visit could not send. `isOnServer` says which messages arrived after all. */
    async restore(isOnServer: (client_id: string) => boolean) {
      const missing: Outgoing[] = []
      for (const one of await stored.all())
        if (isOnServer(one.client_id)) stored.remove(one.client_id)
        else if (!list.get().some(({ client_id }) => client_id === one.client_id))
          missing.push({ ...one, state: 'failed', error: null })
      const oldestFirst = missing.sort((a, b) => a.at.localeCompare(b.at))
      if (missing.length) list.set([...oldestFirst, ...list.get()])
    },
    add(text: string, pictures: readonly Picked[]) {
      const at = new Date().toISOString()
      const one: Outgoing = { client_id: newId(), text, pictures, at, state: 'sending', error: null, sent: 0 }
      list.set([...list.get(), one])
      stored.add(one)
      void sendAll()
    },
    retry(id: string) {
      update(id, { state: 'sending', error: null })
      void sendAll()
    },
    /** Sends again what a broken connection stopped. What an earlier visit left waits for its author. */
    resume() {
      if (!list.get().some(isWaiting)) return
      list.set(list.get().map((one) => (isWaiting(one) ? { ...one, state: 'sending', error: null } : one)))
      void sendAll()
    },
  }
}

/**
 * Each message has its own key, since several windows may write. Without storage, closing the page loses
 * them.
 */
function createStorage(prefix: string) {
  const keyOf = (id: string) => `${prefix}:${id}`
  return {
    add: (one: Outgoing) => void set(keyOf(one.client_id), one).catch(() => {}),
    remove: (id: string) => void del(keyOf(id)).catch(() => {}),
    async all() {
      const found = await entries<string, Outgoing>().catch(() => [])
      return found.filter(([key]) => String(key).startsWith(`${prefix}:`)).map(([, one]) => one)
    },
  }
}

/** A message whose sending was interrupted blocks those after it, so that the order stays. */
function nextToSend(outgoing: readonly Outgoing[]) {
  const next = outgoing.find((one) => one.state === 'sending' || isWaiting(one))
  return next?.state === 'sending' ? next : undefined
}

/** There was no answer, or one that says nothing about the message: it can be sent again as it is. */
const isWaiting = ({ error }: Outgoing) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** The server refused the message, and would refuse it again. */
export const isPermanentFailure = (error: unknown) =>
  error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
