import type { Bus } from '#core/realtime/bus.ts'
import type { SubscriptionCounter } from '#core/realtime/counts.ts'

/** Milliseconds that the subscribers wait for a new count: small channels, and those with `MANY`. */
const DELAY = { few: 500, many: 5000 }
const MANY = 100

/**
 * Tells the subscribers of a channel how many they are, some time after the number has changed
 * (`pusher_internal:subscription_count`).
 */
export class CountAnnouncer {
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly counter: SubscriptionCounter
  private readonly bus: Bus

  constructor(counter: SubscriptionCounter, bus: Bus) {
    this.counter = counter
    this.bus = bus
  }

  /** `here` is how many subscribers this process has now. */
  changed(channel: string, here: number) {
    if (this.timers.has(channel)) return
    const delay = here < MANY ? DELAY.few : DELAY.many
    this.timers.set(channel, setTimeout(() => void this.tell(channel), delay).unref())
  }

  private async tell(channel: string) {
    this.timers.delete(channel)
    const subscription_count = (await this.counter.count({ names: [channel] })).get(channel)
    if (!subscription_count) return
    const data = JSON.stringify({ subscription_count })
    const event = 'pusher_internal:subscription_count'
    await this.bus.publish(channel, { kind: 'event', channels: [channel], event, data })
  }

  close() {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }
}
