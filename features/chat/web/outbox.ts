import { del, entries, set } from 'idb-keyval'
import { fromStored, type Picked, type StoredPicture, toStored } from '#features/posts/web/choose-pictures.ts'
import { ApiError } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { newId } from '#web/id.ts'
import type { Store } from '#web/store.ts'
import type { MessageState, Outgoing } from './messages.ts'

type StoredOutgoing = Omit<Outgoing, 'pictures'> & { pictures: readonly StoredPicture[] }
type Send = (message: Outgoing, onProgress: (share: number) => void) => Promise<unknown>

/**
 * Sends one message after another in their order, and stores each in IndexedDB until the server has it.
 * `prefix` begins the keys there: each message has its own, since several windows may write.
 */
export function createOutbox(prefix: string, state: Store<MessageState>, send: Send) {
  let isSending = false
  const all = () => state.get().outgoing
  const setAll = (outgoing: readonly Outgoing[]) => state.patch({ outgoing })
  const update = (id: string, change: Partial<Outgoing>) =>
    setAll(all().map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  const storage = createStorage(prefix)
  const forget = (id: string) => void storage.remove(id)

  async function sendAll() {
    if (isSending) return
    isSending = true
    for (let next = nextToSend(all()); next; next = nextToSend(all())) {
      const { client_id } = next
      await send(next, (sent) => update(client_id, { sent })).then(
        () => discard(client_id),
        (error: unknown) => {
          update(client_id, { state: 'failed', error, sent: 0 })
          if (isHttpError(error, 401)) pleaseLogIn()
        },
      )
    }
    isSending = false
  }

  /** Called when the author discards a message, and when the server turns out to have it. */
  function discard(id: string) {
    if (!all().some(({ client_id }) => client_id === id)) return
    forget(id)
    setAll(all().filter(({ client_id }) => client_id !== id))
    // A failed message blocks those after it, so they may be free now.
    void sendAll()
  }

  return {
    discard,
    /** Shows what an earlier visit could not send, except what arrived after all. */
    async restore() {
      const found = await storage.all()
      const isIn = (list: readonly { client_id: string | null }[], { client_id }: Outgoing) =>
        list.some((one) => one.client_id === client_id)
      const missing: Outgoing[] = []
      for (const one of found.sort((a, b) => a.at.localeCompare(b.at)))
        if (isIn(state.get().messages, one)) forget(one.client_id)
        else if (!isIn(all(), one)) missing.push({ ...one, state: 'failed', error: null })
      if (missing.length) setAll([...missing, ...all()])
    },
    send(text: string, pictures: readonly Picked[]) {
      const at = new Date().toISOString()
      const one: Outgoing = { client_id: newId(), text, pictures, at, state: 'sending', error: null, sent: 0 }
      setAll([...all(), one])
      // Without storage, closing the page loses the message.
      storage.save(one)
      void sendAll()
    },
    retry(id: string) {
      update(id, { state: 'sending', error: null })
      void sendAll()
    },
    /** Sends again what a broken connection stopped. What an earlier visit left waits for its author. */
    resume() {
      if (!all().some(isWaiting)) return
      setAll(all().map((one) => (isWaiting(one) ? { ...one, state: 'sending', error: null } : one)))
      void sendAll()
    },
  }
}

/** The unsent messages in IndexedDB. A browser without it keeps them until the page is closed. */
function createStorage(prefix: string) {
  const saving = new Map<string, Promise<unknown>>()
  async function write(message: Outgoing) {
    const pictures = await toStored(message.pictures)
    await set(`${prefix}:${message.client_id}`, { ...message, pictures })
  }
  return {
    save(message: Outgoing) {
      saving.set(
        message.client_id,
        write(message).catch(() => {}),
      )
    },
    async remove(id: string) {
      await saving.get(id)
      saving.delete(id)
      await del(`${prefix}:${id}`).catch(() => {})
    },
    async all(): Promise<Outgoing[]> {
      const stored = await entries<string, StoredOutgoing>().catch(() => [])
      return stored
        .filter(([key]) => String(key).startsWith(`${prefix}:`))
        .map(([, one]) => ({ ...one, pictures: fromStored(one.pictures) }))
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
