import { type Bus, type BusHandlers, type BusMessage, NO_CHANNEL } from '#core/realtime/bus.ts'
import type { Channels } from '#core/realtime/channels.ts'
import type { Connections } from '#core/realtime/connections.ts'
import type { SubscriptionCounter } from '#core/realtime/counts.ts'
import type { Occupancy } from '#core/realtime/occupancy.ts'
import type { Subscriptions } from '#core/realtime/subscriptions.ts'

interface Services {
  bus: Bus
  connections: Connections
  channels: Channels
  subscriptions: Subscriptions
  counter: SubscriptionCounter
  occupancy: Occupancy
}

/** Handles what the processes tell each other. */
export function createBusHandlers({
  bus,
  connections,
  channels,
  subscriptions,
  counter,
  occupancy,
}: Services): BusHandlers {
  const { presence } = channels

  function onMessage(message: BusMessage, from: string) {
    switch (message.kind) {
      case 'event':
        return channels.deliver(message)
      case 'bind':
        return subscriptions.bind(message.connection, { id: message.user, session: message.session })
      case 'revoke':
        return subscriptions.revoke(message)
      case 'terminate':
        return connections.terminate(message.user)
      case 'recheck':
        return void subscriptions.recheck(message.user)
      default:
        // This process did its own part before it told the others.
        if (from !== bus.processId) onOtherProcess(message, from)
    }
  }

  function onOtherProcess(message: BusMessage, from: string) {
    switch (message.kind) {
      case 'join':
        return presence.join(from, message.channel, message.user, message.info)
      case 'leave':
        return presence.leave(from, message.channel, message.user)
      case 'occupancy':
        return occupancy.onChange(from, message.channel, message.isOccupied)
      case 'members':
        presence.replace(from, message.members)
        return occupancy.replace(from, message.occupied ?? [])
      case 'count':
        return counter.answer(message.request, message.selector)
      case 'counts':
        return counter.onCounts(message.request, from, message.counts)
    }
  }

  return {
    onMessage,
    onHello() {
      const members = presence.usersOf(bus.processId)
      void bus.publish(NO_CHANNEL, { kind: 'members', members, occupied: occupancy.own() })
    },
    onMissed: () => connections.reconnectAll(),
    onProcessGone(process) {
      presence.replace(process, [])
      occupancy.replace(process, [])
      // At once: subscribers may be asked to connect again, and would miss it.
      presence.flush()
      occupancy.flush()
    },
  }
}
