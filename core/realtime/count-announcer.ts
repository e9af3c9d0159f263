import type { ProcessBus } from '#core/realtime/bus.ts'
import type { Counter } from '#core/realtime/counts.ts'

/** Milliseconds until a new count is sent, in channels with few and with many subscribers. */
const DELAY = { few: 500, many: 5000 }
const LARGE_CHANNEL = 100

/** `pusher_internal:subscription_count` is sent some time after a change, once for several changes. */
export class CountAnnouncer {
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly counter: Counter
  private readonly bus: ProcessBus

  constructor(counter: Counter, bus: ProcessBus) {
    this.counter = counter
    this.bus = bus
  }

  /** `here` is the number of subscribers in this process. */
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
