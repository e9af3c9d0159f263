import { del, entries, set } from 'idb-keyval'
import type { Picked } from '#features/posts/web/draft.tsx'
import { ApiError } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { newId } from '#web/id.ts'

/** A message on its way, or one that did not get there. */
export interface Outgoing {
  client_id: string
  text: string
  pictures: readonly Picked[]
  at: string
  state: 'sending' | 'failed'
  /** Why it failed; null where that was in an earlier visit. */
  error: unknown
  /** Share of it that has left, 0 to 1. */
  sent: number
}

interface OutboxOptions {
  /** Where it is kept between visits. */
  place: string
  send: (message: Outgoing, onProgress: (share: number) => void) => Promise<void>
  /** Something has changed. */
  tell: () => void
}

/** Sends one message after another, in their order, and keeps each until it has arrived. What waits for the line leaves with it. */
export function openOutbox({ place, send, tell }: OutboxOptions) {
  let list: readonly Outgoing[] = []
  let busy = false

  const put = (next: readonly Outgoing[]) => {
    list = next
    tell()
  }
  const patch = (id: string, change: Partial<Outgoing>) =>
    put(list.map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  // Each for itself, since several windows may write. Where there is no room, a lost page costs what was not sent yet.
  const keyOf = (id: string) => `${place}:${id}`
  const keep = (one: Outgoing) => void set(keyOf(one.client_id), one).catch(() => {})
  const forget = (id: string) => void del(keyOf(id)).catch(() => {})

  async function pump() {
    if (busy) return
    busy = true
    for (let next = due(); next; next = due()) {
      const { client_id } = next
      await send(next, (sent) => patch(client_id, { sent })).then(
        () => drop(client_id),
        (error: unknown) => {
          patch(client_id, { state: 'failed', error, sent: 0 })
          if (isHttpError(error, 401)) pleaseLogIn()
        },
      )
    }
    busy = false
  }
  /** What failed on the way holds back what comes after it, so that nothing is overtaken. */
  const due = () => {
    const next = list.find((one) => one.state === 'sending' || isPassing(one.error))
    return next?.state === 'sending' ? next : undefined
  }
  const drop = (id: string) => {
    if (!list.some((one) => one.client_id === id)) return
    forget(id)
    put(list.filter((one) => one.client_id !== id))
    // It may have held back what comes after it.
    void pump()
  }

  return {
    list: () => list,
    /** What an earlier visit could not send; `isKnown` says of which the server has after all. */
    async restore(isKnown: (client_id: string) => boolean) {
      const found = await entries<string, Outgoing>().catch(() => [])
      const kept = found.filter(([key]) => String(key).startsWith(`${place}:`)).map(([, one]) => one)
      for (const one of kept) if (isKnown(one.client_id)) forget(one.client_id)
      const lost = kept.filter(
        (one) => !isKnown(one.client_id) && !list.some((own) => own.client_id === one.client_id),
      )
      const oldestFirst = lost.sort((a, b) => a.at.localeCompare(b.at))
      if (lost.length)
        put([...oldestFirst.map((one) => ({ ...one, state: 'failed' as const, error: null })), ...list])
    },
    add(text: string, pictures: readonly Picked[]) {
      const at = new Date().toISOString()
      const one: Outgoing = { client_id: newId(), text, pictures, at, state: 'sending', error: null, sent: 0 }
      put([...list, one])
      keep(one)
      void pump()
    },
    retry(id: string) {
      patch(id, { state: 'sending', error: null })
      void pump()
    },
    /** Sends what failed on the way; what an earlier visit left waits for its writer. */
    resume() {
      if (!list.some((one) => isPassing(one.error))) return
      put(list.map((one) => (isPassing(one.error) ? { ...one, state: 'sending', error: null } : one)))
      void pump()
    },
    /** Given up by its writer, or arrived by another way. */
    drop,
  }
}

/** No answer, or none that is about the message. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** A refusal that the same message would meet again. */
export const isPermanentFailure = (error: unknown) =>
  error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
