import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { countUnfinishedJobsOfKind, enqueueJob } from '#core/jobs/jobs.ts'
import { type JobHandler, PermanentJobFailure, startJobRunner } from '#core/jobs/runner.ts'

/** An event that is sent to WEBHOOK_URL (https://pusher.com/docs/channels/server_api/webhooks/). */
export type PusherWebhookEvent =
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

/** The body of a request to WEBHOOK_URL. */
interface WebhookBatch {
  /** The Unix time at which the events were stored for sending, in milliseconds. */
  time_ms: number
  events: readonly PusherWebhookEvent[]
}
declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    webhook: WebhookBatch
  }
}

/**
 * The limits of one request: the number of events, and the number of characters in the data of its client
 * events.
 */
const BATCH = { events: 100, data: 2 ** 17 }
/** The time in ms in which events are collected for one request. */
const DELAY = 200
/** The time in ms until the next attempt to store events that could not be stored. */
const RETRY_DELAY = 5000
/**
 * The maximum number of events in memory, and the maximum number of stored requests. Events beyond these
 * limits are dropped.
 */
const limits = { events: 10_000, requests: 1000 }

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type WebhookConfig = Pick<Config, 'WEBHOOK_URL' | 'PUSHER_APP_KEY' | 'PUSHER_APP_SECRET'>

/**
 * Collects events for a moment and stores them as jobs, one for each request to WEBHOOK_URL. All events of
 * that moment are stored in one transaction, because one transaction for each client event would be slow.
 * Does nothing without WEBHOOK_URL.
 */
export class WebhookQueue {
  readonly isOn: boolean
  private readonly db: Db
  private readonly log: Log
  private readonly limits: typeof limits
  private queue: PusherWebhookEvent[] = []
  private dropped = 0
  private storing: Promise<void> | null = null
  private readonly stopping = new AbortController()

  constructor({ WEBHOOK_URL }: WebhookConfig, db: Db, log: Log, given: Partial<typeof limits> = {}) {
    this.isOn = WEBHOOK_URL !== undefined
    this.db = db
    this.log = log
    this.limits = { ...limits, ...given }
  }

  add(event: PusherWebhookEvent) {
    if (!this.isOn || this.isMissQueued(event)) return
    if (this.queue.length >= this.limits.events) return void this.dropped++
    this.queue.push(event)
    this.storing ??= this.storeAll().finally(() => {
      this.storing = null
    })
  }

  /** Stores the events that are still in memory when the process stops. Drops them if that fails. */
  async close() {
    this.stopping.abort()
    await this.storing
  }

  /**
   * Whether the event is a cache_miss, and the newest events in the queue already have a cache_miss of the
   * same channel. Every subscriber of an empty cache channel causes a cache_miss, and one in each request
   * is enough.
   */
  private isMissQueued({ name, channel }: PusherWebhookEvent) {
    const isMiss = (event: PusherWebhookEvent) => event.name === 'cache_miss' && event.channel === channel
    return name === 'cache_miss' && this.queue.slice(-BATCH.events).some(isMiss)
  }

  private async storeAll() {
    for (let delay = DELAY; this.queue.length; ) {
      await sleep(delay, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {})
      const events = [...this.queue]
      const error = await this.store(events).catch((error: unknown) => error as Error)
      delay = error ? RETRY_DELAY : DELAY
      if (error) this.log.warn({ err: error, events: events.length }, 'Webhooks were not stored')
      // Removes the events from memory once they are stored. While the database is unavailable they wait in
      // memory, but are dropped when the process stops.
      if (!error || this.stopping.signal.aborted) this.queue.splice(0, events.length)
      if (this.dropped) this.log.warn({ events: this.dropped }, 'Webhooks were dropped: too many wait')
      this.dropped = 0
    }
  }

  private async store(events: readonly PusherWebhookEvent[]) {
    const batches = batchesOf(events)
    const room = Math.max(0, this.limits.requests - (await countUnfinishedJobsOfKind(this.db, 'webhook')))
    const time_ms = Date.now()
    await transaction(this.db, async (tx) => {
      for (const batch of batches.slice(0, room)) await enqueueJob(tx, 'webhook', { time_ms, events: batch })
    })
    this.dropped += batches.slice(room).flat().length
  }
}

function batchesOf(events: readonly PusherWebhookEvent[]) {
  const batches: PusherWebhookEvent[][] = []
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

/** Milliseconds between the attempts of a request: five minutes in total, as long as Pusher tries. */
export const WEBHOOK_RETRY_DELAYS = [1, 2, 4, 8, 15, 30, 60, 60, 120].map((seconds) => seconds * 1000)
/**
 * Times in milliseconds: how long an attempt may take, and after which time another process repeats the
 * attempt of a killed process.
 */
const TIMES = { attemptTimeout: 10_000, lease: 30_000 }

/**
 * Starts a job runner that sends the stored requests. This runner is separate from the one of other
 * jobs, so that a slow receiver does not delay mail.
 */
export const startWebhookJobRunner = (
  config: WebhookConfig,
  db: Db,
  log: Log,
  retryDelays: readonly number[] = WEBHOOK_RETRY_DELAYS,
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
    if (WEBHOOK_URL === undefined) throw new PermanentJobFailure('WEBHOOK_URL is not set any more')
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
