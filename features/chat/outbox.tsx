import { del, get, set } from 'idb-keyval'
import type { Picked } from '#features/posts/draft.tsx'
import { ApiError } from '#web/api.ts'
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

/** Sends one message after another, in their order, and keeps each until it has arrived. */
export function openOutbox({ place, send, tell }: OutboxOptions) {
  let list: readonly Outgoing[] = []
  let busy = false
  let isRestored = false

  const put = (next: readonly Outgoing[]) => {
    list = next
    tell()
  }
  const patch = (id: string, change: Partial<Outgoing>) => put(list.map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  /** Not before what is there has been looked at. Where there is no room, a lost page costs what was not sent yet. */
  const keep = () => void (isRestored && (list.length ? set(place, list) : del(place)).catch(() => {}))

  async function pump() {
    if (busy) return
    busy = true
    for (let next = due(); next; next = due()) {
      const { client_id } = next
      await send(next, (sent) => patch(client_id, { sent })).then(
        () => drop(client_id),
        (error: unknown) => patch(client_id, { state: 'failed', error, sent: 0 }),
      )
      keep()
    }
    busy = false
  }
  const due = () => list.find((one) => one.state === 'sending')
  const drop = (id: string) => {
    if (list.some((one) => one.client_id === id)) put(list.filter((one) => one.client_id !== id))
  }

  return {
    list: () => list,
    /** What an earlier visit could not send; `isKnown` says of which the server has after all. */
    async restore(isKnown: (client_id: string) => boolean) {
      if (isRestored) return
      const found = await get<Outgoing[]>(place).catch(() => undefined)
      const lost = (found ?? []).filter((one) => !isKnown(one.client_id) && !list.some((own) => own.client_id === one.client_id))
      if (lost.length) put([...lost.map((one) => ({ ...one, state: 'failed' as const, error: null })), ...list])
      isRestored = true
      keep()
    },
    add(text: string, pictures: readonly Picked[]) {
      put([...list, { client_id: newId(), text, pictures, at: new Date().toISOString(), state: 'sending', error: null, sent: 0 }])
      keep()
      void pump()
    },
    retry(id: string) {
      patch(id, { state: 'sending', error: null })
      void pump()
    },
    /** Given up by its writer, or arrived by another way. */
    drop(id: string) {
      drop(id)
      keep()
    },
  }
}

/** A refusal that the same message would meet again. */
export const isHopeless = (error: unknown) => error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
