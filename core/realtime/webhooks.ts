import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { countUnfinished, enqueueJob } from '#core/jobs/jobs.ts'
import { type JobHandler, PermanentFailure, startJobRunner } from '#core/jobs/runner.ts'

/** https://pusher.com/docs/channels/server_api/webhooks/ */
export type WebhookEvent =
  | { name: 'channel_occupied' | 'channel_vacated' | 'cache_miss'; channel: string }
  | { name: 'member_added' | 'member_removed'; channel: string; user_id: string }
  | {
      name: 'client_event'
      channel: string
      event: string
      data: string
      socket_id: string
      user_id?: string | undefined
    }

interface WebhookBatch {
  /** When the events were stored, as a Unix time in ms. */
  time_ms: number
  events: readonly WebhookEvent[]
}
declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    webhook: WebhookBatch
  }
}

/** For one request. `data` counts the characters of its client events. */
const BATCH = { events: 100, data: 2 ** 17 }
/** Milliseconds in which events are collected for one request. */
const DELAY = 200
/** Milliseconds until events that could not be stored are tried again. */
const RETRY_DELAY = 5000
/** Events in memory and stored requests. More are dropped. */
const limits = { events: 10_000, requests: 1000 }

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type WebhookConfig = Pick<Config, 'WEBHOOK_URL' | 'PUSHER_APP_KEY' | 'PUSHER_APP_SECRET'>

/** One job for each request, all stored in one transaction. Does nothing without WEBHOOK_URL. */
export class WebhookQueue {
  readonly isOn: boolean
  private readonly db: Db
  private readonly log: Log
  private readonly limits: typeof limits
  private queue: WebhookEvent[] = []
  private dropped = 0
  private storing: Promise<void> | null = null
  private readonly stopping = new AbortController()

  constructor({ WEBHOOK_URL }: WebhookConfig, db: Db, log: Log, given: Partial<typeof limits> = {}) {
    this.isOn = WEBHOOK_URL !== undefined
    this.db = db
    this.log = log
    this.limits = { ...limits, ...given }
  }

  add(event: WebhookEvent) {
    if (!this.isOn || this.isMissQueued(event)) return
    if (this.queue.length >= this.limits.events) return void this.dropped++
    this.queue.push(event)
    this.storing ??= this.storeAll().finally(() => {
      this.storing = null
    })
  }

  /** Stores what is in memory when the process stops; dropped if that fails. */
  async close() {
    this.stopping.abort()
    await this.storing
  }

  /** Every subscriber of an empty cache channel causes a cache_miss; one in each request is enough. */
  private isMissQueued({ name, channel }: WebhookEvent) {
    const isMiss = (event: WebhookEvent) => event.name === 'cache_miss' && event.channel === channel
    return name === 'cache_miss' && this.queue.slice(-BATCH.events).some(isMiss)
  }

  private async storeAll() {
    for (let delay = DELAY; this.queue.length; ) {
      await sleep(delay, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {})
      const events = [...this.queue]
      const error = await this.store(events).catch((error: unknown) => error as Error)
      delay = error ? RETRY_DELAY : DELAY
      if (error) this.log.warn({ err: error, events: events.length }, 'Webhooks were not stored')
      // Events wait in memory while the database is unavailable, and are dropped when the process stops.
      if (!error || this.stopping.signal.aborted) this.queue.splice(0, events.length)
      if (this.dropped) this.log.warn({ events: this.dropped }, 'Webhooks were dropped: too many wait')
      this.dropped = 0
    }
  }

  private async store(events: readonly WebhookEvent[]) {
    const batches = batchesOf(events)
    const room = Math.max(0, this.limits.requests - (await countUnfinished(this.db, 'webhook')))
    const time_ms = Date.now()
    await transaction(this.db, async (tx) => {
      for (const batch of batches.slice(0, room)) await enqueueJob(tx, 'webhook', { time_ms, events: batch })
    })
    this.dropped += batches.slice(room).flat().length
  }
}

function batchesOf(events: readonly WebhookEvent[]) {
  const batches: WebhookEvent[][] = []
  let data = 0
  for (const event of events) {
    const added = event.name === 'client_event' ? event.data.length : 0
    const last = batches.at(-1)
    if (last && last.length < BATCH.events && data + added <= BATCH.data) {
      last.push(event)
      data += added
    } else {
      batches.push([event])
      data = added
    }
  }
  return batches
}

/** Milliseconds: five minutes in total, as long as Pusher tries. */
export const WEBHOOK_DELAYS = [1, 2, 4, 8, 15, 30, 60, 60, 120].map((seconds) => seconds * 1000)
/** In ms. After the lease, another process repeats the attempt of a killed one. */
const TIMES = { attemptTimeout: 10_000, lease: 30_000 }

/** Apart from the runner of other jobs, so that a slow receiver does not delay mail. */
export const startWebhooks = (
  config: WebhookConfig,
  db: Db,
  log: Log,
  retryDelays: readonly number[] = WEBHOOK_DELAYS,
) =>
  startJobRunner({
    db,
    log,
    handlers: { webhook: createSender(config) },
    retryDelays,
    ...TIMES,
    concurrency: 1,
  })

const createSender =
  ({ WEBHOOK_URL, PUSHER_APP_KEY, PUSHER_APP_SECRET }: WebhookConfig): JobHandler<'webhook'> =>
  async (batch, { signal }) => {
    if (WEBHOOK_URL === undefined) throw new PermanentFailure('WEBHOOK_URL is not set any more')
    const body = JSON.stringify(batch)
    const answer = await fetch(WEBHOOK_URL, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        'x-pusher-key': PUSHER_APP_KEY,
        'x-pusher-signature': createHmac('sha256', PUSHER_APP_SECRET).update(body).digest('hex'),
      },
      body,
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`Status ${answer.status}`)
  }
