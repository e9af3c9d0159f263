import type { RawData } from 'ws'
import type { ProcessBus } from '#core/realtime/bus.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { Connection } from '#core/realtime/connection.ts'
import { stringFields } from '#core/realtime/frames.ts'
import type { Subscriptions } from '#core/realtime/subscriptions.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'
import { parseJson } from '#core/text/json.ts'

const MAX_CLIENT_EVENT = 10_240
const MAX_EVENT_NAME = 200
/** Approximate bytes of an event without its data. */
const ENVELOPE = 200

interface ClientMessage {
  event: string
  data?: unknown
  channel?: unknown
}

export interface MessageServices {
  channels: LocalChannels
  subscriptions: Subscriptions
  bus: ProcessBus
  tokenBuckets: TokenBuckets
  webhooks: WebhookQueue
}

export function handleMessage(connection: Connection, raw: RawData, services: MessageServices) {
  if (!connection.isOpen) return
  connection.touch()
  const { subscriptions } = services
  const message = parseJson(String(raw)) as ClientMessage | null | undefined
  if (typeof message?.event !== 'string') return connection.sendError(4200, 'Invalid message')
  const data = typeof message.data === 'string' ? parseJson(message.data) : message.data
  const { channel, auth, channel_data, user_data } = stringFields(data)
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

function clientEvent(
  connection: Connection,
  message: ClientMessage,
  { bus, tokenBuckets, channels, webhooks }: MessageServices,
) {
  const { event, data = null } = message
  const { channel } = stringFields(message)
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
