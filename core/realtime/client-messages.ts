import type { RawData } from 'ws'
import { parseJsonOrUndefined } from '#core/json.ts'
import type { ProcessBus } from '#core/realtime/bus.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { WebSocketConnection } from '#core/realtime/connection.ts'
import { toPusherStringFieldsOrEmpty } from '#core/realtime/frames.ts'
import type { ChannelSubscriptionManager } from '#core/realtime/subscriptions.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

const MAX_CLIENT_EVENT = 10_240
const MAX_EVENT_NAME = 200
/** The approximate size, in bytes, of an event without its data. */
const ENVELOPE = 200

interface ClientMessage {
  event: string
  data?: unknown
  channel?: unknown
}

/** The services that `handleWebSocketClientMessage` uses. */
export interface WebSocketClientMessageServices {
  channels: LocalChannels
  subscriptions: ChannelSubscriptionManager
  bus: ProcessBus
  tokenBuckets: RealtimeTokenBuckets
  webhooks: WebhookQueue
}

/** Handles one message that a client has sent over its WebSocket. */
export function handleWebSocketClientMessage(
  connection: WebSocketConnection,
  raw: RawData,
  services: WebSocketClientMessageServices,
) {
  if (!connection.isOpen) return
  connection.touch()
  const { subscriptions } = services
  const message = parseJsonOrUndefined(String(raw)) as ClientMessage | null | undefined
  if (typeof message?.event !== 'string') return connection.sendError(4200, 'Invalid message')
  const data = typeof message.data === 'string' ? parseJsonOrUndefined(message.data) : message.data
  const { channel, auth, channel_data, user_data } = toPusherStringFieldsOrEmpty(data)
  switch (message.event) {
    case 'pusher:ping':
      return connection.send('pusher:pong', {})
    case 'pusher:pong':
      return
    case 'pusher:subscribe':
      return void subscriptions.subscribe(connection, channel, auth, channel_data)
    case 'pusher:signin':
      return subscriptions.signIn(connection, auth, user_data)
    case 'pusher:unsubscribe':
      return subscriptions.unsubscribe(connection, channel)
    default:
      if (message.event.startsWith('client-')) return clientEvent(connection, message, services)
      connection.sendError(4200, 'Unknown event')
  }
}

/** Passes a client event of one subscriber of a channel on to the other subscribers. */
function clientEvent(
  connection: WebSocketConnection,
  message: ClientMessage,
  { bus, tokenBuckets, channels, webhooks }: WebSocketClientMessageServices,
) {
  const { event, data = null } = message
  const { channel } = toPusherStringFieldsOrEmpty(message)
  const refuse = (reason: string) => connection.sendError(4301, reason)
  const subscription = connection.subscriptions.get(channel)
  if (!subscription || !/^(private|presence)-/.test(channel))
    return refuse('Client events are for subscribers of private and presence channels')
  if (!connection.countClientEvent() || !tokenBuckets.consume('clientEvents', connection))
    return refuse('Too many client events')
  const json = typeof data === 'string' ? data : JSON.stringify(data)
  const size = Buffer.byteLength(json)
  if (event.length > MAX_EVENT_NAME || size > MAX_CLIENT_EVENT) return refuse('The client event is too large')
  const bytes = (size + ENVELOPE) * channels.connectionCount(channel) * (bus.otherProcesses().length + 1)
  if (!tokenBuckets.consume('deliveries', connection, bytes)) return refuse('Too many client events')
  const user_id = subscription.userId ?? connection.user?.id.toString()
  const sender = { socket_id: connection.id, user_id: user_id?.toString() }
  webhooks.add({ name: 'client_event', channel, event, data: json, ...sender })
  const aboutUsers = connection.user ? [connection.user.id] : undefined
  const to = { channels: [channel], except: connection.id, aboutUsers, unlessMuted: true }
  void bus.publish(channel, { kind: 'event', isClientEvent: true, event, data: json, user_id, ...to })
}
