import type { ProcessBus } from '#core/realtime/bus.ts'
import type { CrossProcessSubscriptionCounter } from '#core/realtime/counts.ts'

/**
 * Milliseconds until the subscribers receive a new count, in channels with few subscribers and in channels
 * with many.
 */
const DELAY = { few: 500, many: 5000 }
const LARGE_CHANNEL = 100

/**
 * Sends the subscribers of a channel the number of its subscribers (`pusher_internal:subscription_count`),
 * some time after the number has changed. Several changes in that time are announced once.
 */
export class ChannelSubscriberCountAnnouncer {
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly counter: CrossProcessSubscriptionCounter
  private readonly bus: ProcessBus

  constructor(counter: CrossProcessSubscriptionCounter, bus: ProcessBus) {
    this.counter = counter
    this.bus = bus
  }

  /** Called when the number of subscribers in this process has changed to `here`. */
  changed(channel: string, here: number) {
    if (this.timers.has(channel)) return
    const delay = here < LARGE_CHANNEL ? DELAY.few : DELAY.many
    this.timers.set(channel, setTimeout(() => void this.publishCount(channel), delay).unref())
  }

  private async publishCount(channel: string) {
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
