import { del, entries, keys, set } from 'idb-keyval'
import { fromStored, type StoredPicture, toStored } from '#features/posts/web/prepare-pictures.ts'
import { ApiError } from '#web/api.ts'
import type { UnsentMessage } from './conversation.ts'

type StoredMessage = Omit<UnsentMessage, 'pictures' | 'files'> & {
  pictures: readonly StoredPicture[]
  files?: readonly StoredPicture[]
  /** What the server answered, if it refused the message. */
  refusal?: Pick<ApiError, 'status' | 'message' | 'retryAfter' | 'waits'> | undefined
}

/**
 * Each message has a key of its own that begins with `prefix`, because several tabs may write. Without
 * IndexedDB, the messages exist only until the page is closed.
 */
export function createStorage(prefix: string) {
  const saving = new Map<string, Promise<unknown>>()
  /** The ids of messages that IndexedDB has had. */
  const saved = new Set<string>()
  const keyOf = (id: string) => `${prefix}:${id}`
  async function write(message: UnsentMessage) {
    const pictures = await toStored(message.pictures)
    const files = await toStored(message.files ?? [])
    await set(keyOf(message.client_id), {
      ...message,
      state: 'sending',
      error: null,
      progress: 0,
      pictures,
      files,
      refusal: refusalOf(message.error),
    } satisfies StoredMessage)
    saved.add(message.client_id)
  }
  return {
    /** With the error of the message, if the server has refused it. */
    save(message: UnsentMessage) {
      saved.delete(message.client_id)
      saving.set(
        message.client_id,
        write(message).catch(() => {}),
      )
    },
    async remove(id: string) {
      await saving.get(id)
      saving.delete(id)
      await del(keyOf(id)).catch(() => {})
    },
    /** Another tab has deleted or sent it, or its author has logged out. */
    async isGone(id: string) {
      if (!saved.has(id)) return false
      return !(await keys().catch(() => [keyOf(id)])).includes(keyOf(id))
    },
    /** Oldest first. */
    async all(): Promise<UnsentMessage[]> {
      const stored = (await entries<string, StoredMessage>().catch(() => []))
        .filter(([key]) => String(key).startsWith(`${prefix}:`))
        .map(([, one]) => one)
      for (const { client_id } of stored) saved.add(client_id)
      return stored.map(fromStorage).sort((a, b) => a.at.localeCompare(b.at))
    },
  }
}

const refusalOf = (error: unknown) =>
  error instanceof ApiError
    ? { status: error.status, message: error.message, retryAfter: error.retryAfter, waits: error.waits }
    : undefined

function fromStorage({ refusal, ...stored }: StoredMessage): UnsentMessage {
  const message = {
    ...stored,
    pictures: fromStored(stored.pictures),
    files: fromStored(stored.files ?? []),
  }
  if (!refusal) return message
  const error = new ApiError(refusal.status, refusal.message, {}, refusal.retryAfter, refusal.waits)
  return { ...message, state: 'failed', error }
}
