import { type BusHandlers, type BusMessage, GLOBAL_TOPIC, type ProcessBus } from '#core/realtime/bus.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { Connections } from '#core/realtime/connections.ts'
import type { Counter } from '#core/realtime/counts.ts'
import type { Occupancy } from '#core/realtime/occupancy.ts'
import type { Subscriptions } from '#core/realtime/subscriptions.ts'

interface Services {
  bus: ProcessBus
  connections: Connections
  channels: LocalChannels
  subscriptions: Subscriptions
  counter: Counter
  occupancy: Occupancy
  /** Also called when they may have changed. */
  onSettings: () => void
}

export function createBusHandlers({
  bus,
  connections,
  channels,
  subscriptions,
  counter,
  occupancy,
  onSettings,
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
      case 'missed':
        return onMissed()
      default:
        // This process has handled its own messages of the other kinds before it published them.
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
      case 'settings':
        return onSettings()
      case 'count':
        return counter.answer(message.request, message.selector)
      case 'counts':
        return counter.onCounts(message.request, from, message.counts)
    }
  }

  function onMissed() {
    connections.reconnectAll()
    onSettings()
  }

  return {
    onMessage,
    onHello() {
      const members = presence.usersOf(bus.processId)
      void bus.publish(GLOBAL_TOPIC, {
        kind: 'members',
        members,
        occupied: occupancy.localChannels(),
      })
    },
    onMissed,
    onProcessGone(process) {
      presence.replace(process, [])
      occupancy.replace(process, [])
      // Announces the leaves at once: subscribers that are told to reconnect would miss a later announcement.
      presence.flush()
      occupancy.flush()
    },
  }
}
