import {
  GLOBAL_PROCESS_BUS_TOPIC,
  type ProcessBus,
  type ProcessBusHandlers,
  type ProcessBusMessage,
} from '#core/realtime/bus.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { OpenWebSocketConnections } from '#core/realtime/connections.ts'
import type { CrossProcessSubscriptionCounter } from '#core/realtime/counts.ts'
import type { ChannelAndPresenceWebhooks } from '#core/realtime/occupancy.ts'
import type { ChannelSubscriptionManager } from '#core/realtime/subscriptions.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'

interface Services {
  bus: ProcessBus
  tokenBuckets: RealtimeTokenBuckets
  connections: OpenWebSocketConnections
  channels: LocalChannels
  subscriptions: ChannelSubscriptionManager
  counter: CrossProcessSubscriptionCounter
  occupancy: ChannelAndPresenceWebhooks
  /** Called when another process has changed the settings of the community, or may have changed them. */
  onSettings: () => void
}

/** Creates the functions that handle the messages of other processes and of this one. */
export function createProcessBusHandlers({
  bus,
  tokenBuckets,
  connections,
  channels,
  subscriptions,
  counter,
  occupancy,
  onSettings,
}: Services): ProcessBusHandlers {
  const { presence } = channels

  function onMessage(message: ProcessBusMessage, from: string) {
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
        // Handles messages of the other kinds only if another process sent them, because this process has
        // handled its own messages of these kinds before it published them.
        if (from !== bus.processId) onOtherProcess(message, from)
    }
  }

  function onOtherProcess(message: ProcessBusMessage, from: string) {
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
      case 'spent':
        return tokenBuckets.addSpending(message.spending)
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
      void bus.publish(GLOBAL_PROCESS_BUS_TOPIC, {
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
