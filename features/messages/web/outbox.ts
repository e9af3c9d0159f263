import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { ApiError } from '#web/api.ts'
import { isUnreachable } from '#web/connection.ts'
import { hasStatus, isLongWait, showLogInToast } from '#web/errors.ts'
import { randomId } from '#web/id.ts'
import { loadAfterRender } from '#web/lazyWithRetry.ts'
import type { Store } from '#web/store.ts'
import type { ConversationState, UnsentMessage } from './conversation.ts'
import type { createStorage } from './unsent-storage.ts'

type UnsentAttachments = Record<'pictures' | 'files', readonly PickedPicture[]> &
  Pick<UnsentMessage, 'voice' | 'extras'>
interface Attempt {
  message: UnsentMessage
  update: (change: Partial<UnsentMessage>) => void
  /** Throws if another tab has deleted or sent the message. To be called right before each request. */
  check: () => Promise<void>
}

/** Milliseconds before a message that the server could not take is sent again; each time twice as long. */
const FIRST_RETRY = 2000
const MAX_RETRY = 60_000
/** Milliseconds after which a message may be out of date: its author decides whether it is sent. */
const OUTDATED = 86_400_000

/** Another tab has deleted or sent the message. */
const gone = new Error('gone')

/** Sends the messages one after another with `send`, and keeps each in IndexedDB until the server has it. */
export function createOutbox(
  prefix: string,
  state: Store<ConversationState>,
  send: (attempt: Attempt) => Promise<unknown>,
) {
  let isSending = false
  let isStopped = false
  let retryWait = FIRST_RETRY
  let timer: ReturnType<typeof setTimeout> | undefined
  let storage: ReturnType<typeof createStorage> | undefined
  const opening = loadAfterRender(() => import('./unsent-storage.ts')).then(
    (code) => (storage = code.createStorage(prefix)),
  )
  const all = () => state.get().outgoing
  const has = (id: string) => all().some(({ client_id }) => client_id === id)
  const setAll = (outgoing: readonly UnsentMessage[]) => state.patch({ outgoing })
  const update = (id: string, change: Partial<UnsentMessage>) =>
    setAll(all().map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  // If this fails, the message is lost when the page is closed.
  const save = (message: UnsentMessage) =>
    void opening.then((opened) => has(message.client_id) && opened.save(message))
  const removeStored = (id: string) => opening.then((opened) => opened.remove(id))

  async function sendAll() {
    if (isSending) return
    isSending = true
    let hasAsked = false
    for (let next = nextToSend(all()); next; next = nextToSend(all())) {
      if (isOutdated(next)) update(next.client_id, { state: 'failed', isWaiting: false })
      else {
        hasAsked = true
        await attempt(next)
      }
    }
    isSending = false
    if (all().some(isRetryable)) holdBack(hasAsked)
  }

  async function attempt(message: UnsentMessage) {
    const id = message.client_id
    const check = async () => {
      if (await storage?.isGone(id)) throw gone
    }
    update(id, { isWaiting: false })
    try {
      await withLock(`${prefix}:${id}`, async () => {
        await send({ message, update: (change) => update(id, change), check })
        await storage?.remove(id)
      })
      retryWait = FIRST_RETRY
      discard(id)
    } catch (error) {
      if (error === gone) discard(id)
      else if (has(id)) fail(message, error)
    }
  }

  function fail(message: UnsentMessage, error: unknown) {
    const isWaiting = isRetryable({ error })
    const change = { state: 'failed', error, progress: 0, isWaiting } as const
    update(message.client_id, change)
    if (isWaiting || !(error instanceof ApiError)) return
    if (error.status !== 401) return save({ ...message, error })
    // The others would be refused too, or be sent in the name of who logs in meanwhile.
    setAll(all().map((one) => (one.state === 'sending' ? { ...one, ...change } : one)))
    showLogInToast()
  }

  /**
   * The server is asked again after a while, or at the end of an outage. A wait that runs is not begun again
   * by a message that only joins the others.
   */
  function holdBack(hasAsked: boolean) {
    setAll(all().map((one) => (one.state === 'sending' ? { ...one, isWaiting: true } : one)))
    if (!hasAsked) return
    clearTimeout(timer)
    const { retryAfter } = all().find(isRetryable)!.error as ApiError
    timer = setTimeout(() => isUnreachable() || resume(), Math.max(retryWait, 1000 * (retryAfter ?? 0)))
    retryWait = Math.min(2 * retryWait, MAX_RETRY)
  }

  /** Sends again after a temporary failure. */
  function resume() {
    if (!all().some(isRetryable)) return
    setAll(all().map((one) => (isRetryable(one) ? toSend(one) : one)))
    void sendAll()
  }

  function discard(id: string) {
    if (!has(id)) return
    void removeStored(id)
    setAll(all().filter(({ client_id }) => client_id !== id))
    // A failed message blocks those after it.
    void sendAll()
  }

  return {
    discard,
    resume,
    /** Also removes the messages from memory. Until a press, nothing more is sent. */
    stop() {
      isStopped = true
      clearTimeout(timer)
      setAll([])
    },
    /** Messages of an outbox of the same conversation that was stopped. */
    adopt(messages: readonly UnsentMessage[]) {
      setAll(messages.map((one) => (isRetryable(one) ? toSend(one) : one)))
      void sendAll()
    },
    /** Sends messages of an earlier visit, except those that the server has received after all. */
    async restore() {
      const found = await opening.then((opened) => opened.all())
      if (isStopped) return
      const isReceived = ({ client_id }: UnsentMessage) =>
        state.get().messages.some((one) => one.client_id === client_id)
      for (const one of found.filter(isReceived)) void removeStored(one.client_id)
      const missing = found.filter((one) => !isReceived(one) && !has(one.client_id))
      if (!missing.length) return
      setAll([...missing, ...all()])
      void sendAll()
    },
    send(text: string, { pictures, files, voice, extras }: UnsentAttachments, quoted?: QuotedMessage) {
      isStopped = false
      const one = createUnsentMessage({ text, pictures, files, voice, quoted, extras })
      setAll([...all(), one])
      save(one)
      void sendAll()
    },
    /** After a log-in, with the others that waited for it. */
    retry(id: string) {
      const waitedForLogIn = hasStatus(all().find(({ client_id }) => client_id === id)?.error, 401)
      for (const one of all()) {
        if (one.client_id !== id && !(waitedForLogIn && hasStatus(one.error, 401))) continue
        const pressed = { ...toSend(one), ...(isOutdated(one) && { at: new Date().toISOString() }) }
        update(one.client_id, pressed)
        save(pressed)
      }
      void sendAll()
    },
  }
}

/** Of all tabs, one at a time runs it. A page without HTTPS has no locks. */
const withLock = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  (navigator.locks as LockManager | undefined)?.request(name, run) ?? run()

const toSend = (message: UnsentMessage): UnsentMessage => ({ ...message, state: 'sending', error: null })
const isOutdated = ({ at }: UnsentMessage) => Date.now() - Date.parse(at) > OUTDATED

const createUnsentMessage = (
  content: Pick<UnsentMessage, 'text' | 'pictures' | 'files' | 'voice' | 'quoted' | 'extras'>,
): UnsentMessage => ({
  client_id: randomId(),
  ...content,
  at: new Date().toISOString(),
  state: 'sending',
  error: null,
  progress: 0,
})

/** A message whose failure was temporary blocks those after it, so that the order is kept. */
function nextToSend(outgoing: readonly UnsentMessage[]) {
  const next = outgoing.find((one) => one.state === 'sending' || isRetryable(one))
  return next?.state === 'sending' ? next : undefined
}

/** The server did not answer, failed (5xx), or has a limit that ends soon (429). */
const isRetryable = ({ error }: Pick<UnsentMessage, 'error'>) =>
  error instanceof ApiError &&
  (error.status === 0 || (error.status === 429 && !isLongWait(error)) || error.status >= 500)

/** The server would refuse the message again. */
export const isFinalRefusal = (error: unknown) =>
  error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
