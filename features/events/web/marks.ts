import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { createStore } from '#web/store.ts'
import { eventEndpoints } from '../contract.ts'

export type Mark = 'here' | 'absent' | null
type Unsent = Readonly<Record<string, Mark>>

/** In ms, after a try that failed. */
const RETRY = 10_000

function readUnsent(key: string): Unsent {
  try {
    return JSON.parse(readLocal(key) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * Who has come. Marks stay on the device until the server has them, because a gym has no signal. A refused one
 * is dropped.
 */
export class Marks {
  /** `unsent` is by the id of the member. */
  readonly state
  private readonly key: string
  private readonly date: number
  private readonly onRefused: (error: unknown) => void
  private isSending = false
  private timer?: ReturnType<typeof setTimeout>

  constructor(account: number, date: number, onRefused: (error: unknown) => void) {
    this.key = `engawa:attendance:${account}:${date}`
    this.date = date
    this.onRefused = onRefused
    const sent: ReadonlyMap<number, Mark> = new Map()
    this.state = createStore({ unsent: readUnsent(this.key), sent })
  }

  /** Sends what is left of an earlier visit. Returns a function that ends it. */
  start = () => {
    const send = () => void this.send()
    addEventListener('online', send)
    send()
    return () => {
      removeEventListener('online', send)
      clearTimeout(this.timer)
    }
  }

  set(user: number, mark: Mark) {
    this.save({ ...this.state.get().unsent, [user]: mark })
    void this.send()
  }

  private save(unsent: Unsent) {
    this.state.patch({ unsent })
    writeLocal(this.key, Object.keys(unsent).length ? JSON.stringify(unsent) : '')
  }

  /** One after the other, until none is left or there is no signal. */
  private async send() {
    if (this.isSending) return
    this.isSending = true
    clearTimeout(this.timer)
    try {
      for (let next = this.first(); next; next = this.first()) await this.sendOne(...next)
    } catch {
      this.timer = setTimeout(() => void this.send(), RETRY)
    } finally {
      this.isSending = false
    }
  }

  private first() {
    return Object.entries(this.state.get().unsent)[0]
  }

  private async sendOne(id: string, attendance: Mark) {
    const user = Number(id)
    try {
      await callEndpoint(eventEndpoints.attend, { id: this.date, user, attendance })
      this.state.patch({ sent: new Map(this.state.get().sent).set(user, attendance) })
    } catch (error) {
      if (![403, 404, 422].some((status) => hasStatus(error, status))) throw error
      this.onRefused(error)
    }
    const { [id]: newest, ...others } = this.state.get().unsent
    // Another tap meanwhile is sent next.
    if (newest === attendance) this.save(others)
  }
}
