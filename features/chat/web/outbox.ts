import { del, entries, set } from 'idb-keyval'
import {
  type IndexedDbPicture,
  type PickedPictureFileAndDescription,
  toIndexedDbPictures,
  toPickedPicturesFromIndexedDb,
} from '#features/posts/web/prepare-pictures.ts'
import { ApiError } from '#web/api.ts'
import { isErrorWithStatus, isRateLimitWithLongWait, showLogInPromptToast } from '#web/errors.ts'
import { createRandomId } from '#web/id.ts'
import type { Store } from '#web/store.ts'
import type { QuotedMessage } from '../contract.ts'
import type { ConversationState, UnsentMessage } from './conversation.ts'

type StoredMessage = Omit<UnsentMessage, 'pictures' | 'files'> & {
  pictures: readonly IndexedDbPicture[]
  files?: readonly IndexedDbPicture[]
}
type UnsentAttachments = Record<'pictures' | 'files', readonly PickedPictureFileAndDescription[]> &
  Pick<UnsentMessage, 'voice'>
type Send = (message: UnsentMessage, update: (change: Partial<UnsentMessage>) => void) => Promise<unknown>

/**
 * Creates the outbox of a conversation. It sends the messages one after another, in order, each with `send`,
 * and keeps each in IndexedDB until the server has it. Each message has its own IndexedDB key, which begins
 * with `prefix`, because several windows may write.
 */
export function createMessageOutbox(prefix: string, state: Store<ConversationState>, send: Send) {
  let isSending = false
  const all = () => state.get().outgoing
  const setAll = (outgoing: readonly UnsentMessage[]) => state.patch({ outgoing })
  const update = (id: string, change: Partial<UnsentMessage>) =>
    setAll(all().map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  const storage = createStorage(prefix)
  const removeStored = (id: string) => void storage.remove(id)

  async function sendAll() {
    if (isSending) return
    isSending = true
    for (let next = nextToSend(all()); next; next = nextToSend(all())) {
      const { client_id } = next
      await send(next, (change) => update(client_id, change)).then(
        () => discard(client_id),
        (error: unknown) => {
          update(client_id, { state: 'failed', error, progress: 0 })
          if (isErrorWithStatus(error, 401)) showLogInPromptToast()
        },
      )
    }
    isSending = false
  }

  /** Removes a message from the outbox, because its author has discarded it or the server has received it. */
  function discard(id: string) {
    if (!all().some(({ client_id }) => client_id === id)) return
    removeStored(id)
    setAll(all().filter(({ client_id }) => client_id !== id))
    // Sends the messages that come after the removed one, because a failed message blocks those after it.
    void sendAll()
  }

  return {
    discard,
    /**
     * Shows the messages that could not be sent in an earlier visit, except those that the server has
     * received after all.
     */
    async restore() {
      const found = await storage.all()
      const isIn = (list: readonly { client_id: string | null }[], { client_id }: UnsentMessage) =>
        list.some((one) => one.client_id === client_id)
      const missing: UnsentMessage[] = []
      for (const one of found.sort((a, b) => a.at.localeCompare(b.at)))
        if (isIn(state.get().messages, one)) removeStored(one.client_id)
        else if (!isIn(all(), one)) missing.push({ ...one, state: 'failed', error: null, progress: 0 })
      if (missing.length) setAll([...missing, ...all()])
    },
    send(text: string, { pictures, files, voice }: UnsentAttachments, quoted?: QuotedMessage) {
      const one = createUnsentMessage({ text, pictures, files, voice, quoted })
      setAll([...all(), one])
      // Stores the message in IndexedDB. If storing fails, the message is lost when the page is closed.
      storage.save(one)
      void sendAll()
    },
    retry(id: string) {
      update(id, { state: 'sending', error: null })
      void sendAll()
    },
    /**
     * Sends again the messages whose sending failed only for a time, for example without a connection.
     * Messages of an earlier visit are sent only when their author retries.
     */
    resume() {
      if (!all().some(isRetryable)) return
      setAll(all().map((one) => (isRetryable(one) ? { ...one, state: 'sending', error: null } : one)))
      void sendAll()
    },
  }
}

const createUnsentMessage = (
  content: Pick<UnsentMessage, 'text' | 'pictures' | 'files' | 'voice' | 'quoted'>,
): UnsentMessage => ({
  client_id: createRandomId(),
  ...content,
  at: new Date().toISOString(),
  state: 'sending',
  error: null,
  progress: 0,
})

/**
 * Creates the functions that store unsent messages in IndexedDB. In a browser without IndexedDB, the messages
 * exist only until the page is closed.
 */
function createStorage(prefix: string) {
  const saving = new Map<string, Promise<unknown>>()
  async function write(message: UnsentMessage) {
    const pictures = await toIndexedDbPictures(message.pictures)
    const files = await toIndexedDbPictures(message.files ?? [])
    await set(`${prefix}:${message.client_id}`, { ...message, pictures, files })
  }
  return {
    save(message: UnsentMessage) {
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
    async all(): Promise<UnsentMessage[]> {
      const stored = await entries<string, StoredMessage>().catch(() => [])
      return stored
        .filter(([key]) => String(key).startsWith(`${prefix}:`))
        .map(([, one]) => ({
          ...one,
          pictures: toPickedPicturesFromIndexedDb(one.pictures),
          files: toPickedPicturesFromIndexedDb(one.files ?? []),
        }))
    },
  }
}

/**
 * Returns the next message of the outbox to send; undefined if there is none. A message whose failure was
 * temporary blocks those after it, so that the order is kept.
 */
function nextToSend(outgoing: readonly UnsentMessage[]) {
  const next = outgoing.find((one) => one.state === 'sending' || isRetryable(one))
  return next?.state === 'sending' ? next : undefined
}

/**
 * Returns whether the message is sent again without a retry by its author: the server did not answer, failed
 * (5xx), or refused the message because of a limit that ends soon (429).
 */
const isRetryable = ({ error }: UnsentMessage) =>
  error instanceof ApiError &&
  (error.status === 0 || (error.status === 429 && !isRateLimitWithLongWait(error)) || error.status >= 500)

/** Returns whether the server refused a message for a reason for which it would refuse the message again. */
export const isFinalMessageRefusal = (error: unknown) =>
  error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
