import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'

/** An event that is sent to WEBHOOK_URL (https://pusher.com/docs/channels/server_api/webhooks/). */
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

/** Events that one request has at most. */
const BATCH = 100
/** Events that wait. Later ones are dropped. */
const MAX_QUEUED = 10_000
/** Milliseconds in which events are collected for a request. */
const DELAY = 200
/** Milliseconds between the attempts of a request: five minutes together, as long as Pusher tries. */
const WAITS = [1, 2, 4, 8, 15, 30, 60, 60, 120].map((seconds) => seconds * 1000)
/** Milliseconds that an attempt may take, and that a stop of the process waits for the last one. */
const TIMEOUT = 10_000
const STOP_TIMEOUT = 2000

type WebhookConfig = Pick<Config, 'WEBHOOK_URL' | 'PUSHER_APP_KEY' | 'PUSHER_APP_SECRET'>

/**
 * Sends events to WEBHOOK_URL: one request after the other, signed, in the order of the events. Events that
 * wait are in the memory of the process. Without WEBHOOK_URL it does nothing.
 */
export class Webhooks {
  readonly isOn: boolean
  private readonly config: WebhookConfig
  private readonly log: Pick<FastifyBaseLogger, 'warn'>
  private readonly waits: readonly number[]
  private queue: WebhookEvent[] = []
  private dropped = 0
  private sending: Promise<void> | null = null
  private readonly stopping = new AbortController()

  constructor(config: WebhookConfig, log: Pick<FastifyBaseLogger, 'warn'>, waits = WAITS) {
    this.isOn = config.WEBHOOK_URL !== undefined
    this.config = config
    this.log = log
    this.waits = waits
  }

  add(event: WebhookEvent) {
    if (!this.isOn || this.isQueuedMiss(event)) return
    if (this.queue.length >= MAX_QUEUED) return void this.dropped++
    this.queue.push(event)
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null
    })
  }

  /** Sends what is left, with one attempt. */
  async close() {
    this.stopping.abort()
    await this.sending
  }

  /** Every subscriber of an empty channel misses its event. One in a request says so. */
  private isQueuedMiss({ name, channel }: WebhookEvent) {
    const isMiss = (event: WebhookEvent) => event.name === 'cache_miss' && event.channel === channel
    return name === 'cache_miss' && this.queue.slice(-BATCH).some(isMiss)
  }

  private async sendAll() {
    await this.pause(DELAY)
    while (this.queue.length) {
      const events = this.queue.splice(0, BATCH)
      const reason = await this.send(JSON.stringify({ time_ms: Date.now(), events }))
      if (reason) this.log.warn({ reason, events: events.length }, 'Webhooks were not delivered')
      if (this.dropped) this.log.warn({ events: this.dropped }, 'Webhooks were dropped: too many wait')
      this.dropped = 0
      if (reason && this.stopping.signal.aborted) this.queue = []
    }
  }

  /** Sends a request until it succeeds. Returns why it did not. */
  private async send(body: string) {
    let reason = await this.attempt(body)
    for (const wait of this.waits) {
      if (reason === null || this.stopping.signal.aborted) break
      await this.pause(wait)
      reason = await this.attempt(body)
    }
    return reason
  }

  private async attempt(body: string) {
    const { WEBHOOK_URL, PUSHER_APP_KEY, PUSHER_APP_SECRET } = this.config
    const timeout = this.stopping.signal.aborted ? STOP_TIMEOUT : TIMEOUT
    try {
      const answer = await fetch(WEBHOOK_URL!, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
        headers: {
          'content-type': 'application/json',
          'x-pusher-key': PUSHER_APP_KEY,
          'x-pusher-signature': createHmac('sha256', PUSHER_APP_SECRET).update(body).digest('hex'),
        },
        body,
      })
      await answer.body?.cancel()
      return answer.ok ? null : `status ${answer.status}`
    } catch (error) {
      return (error as Error).name
    }
  }

  /** Ends early when the process stops. */
  private pause(ms: number) {
    return sleep(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {})
  }
}
