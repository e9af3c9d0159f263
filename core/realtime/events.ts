import type { RawData } from 'ws'
import { parseJson } from '#core/json.ts'
import type { Budgets } from '#core/realtime/budgets.ts'
import type { Bus } from '#core/realtime/bus.ts'
import type { Channels } from '#core/realtime/channels.ts'
import type { Connection } from '#core/realtime/connection.ts'
import { stringFields } from '#core/realtime/frames.ts'
import type { Subscriptions } from '#core/realtime/subscriptions.ts'
import type { Webhooks } from '#core/realtime/webhooks.ts'

const MAX_CLIENT_EVENT = 10_240
const MAX_EVENT_NAME = 200
/** Bytes that an event takes besides its data, about. */
const ENVELOPE = 200

interface ClientMessage {
  event: string
  data?: unknown
  channel?: unknown
}

/** The services that answer clients. */
export interface Services {
  channels: Channels
  subscriptions: Subscriptions
  bus: Bus
  budgets: Budgets
  webhooks: Webhooks
}

/** Answers one message of a client. */
export function handleMessage(connection: Connection, raw: RawData, services: Services) {
  if (!connection.isOpen) return
  connection.touch()
  const { subscriptions, budgets } = services
  // `ws` gives messages as buffers, unless it is told otherwise.
  if (!countMessage(connection, (raw as Buffer).length, budgets)) return
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

/**
 * Counts a message, or a ping of RFC 6455. Closes the connection, and returns false, where there are too
 * many.
 */
export function countMessage(connection: Connection, size: number, budgets: Budgets) {
  const isWithin = connection.countMessage() && budgets.spend('messages', connection)
  if (isWithin && budgets.spend('bytes', connection, size)) return true
  connection.close(4100, 'Too many messages')
  return false
}

/** Passes an event of one subscriber on to the others. */
function clientEvent(
  connection: Connection,
  message: ClientMessage,
  { bus, budgets, channels, webhooks }: Services,
) {
  const { event, data = null } = message
  const { channel } = stringFields(message)
  const refuse = (reason: string) => connection.sendError(4301, reason)
  const subscription = connection.subscriptions.get(channel)
  if (!subscription || !/^(private|presence)-/.test(channel))
    return refuse('Client events are for subscribers of private and presence channels')
  if (!connection.countClientEvent() || !budgets.spend('clientEvents', connection))
    return refuse('Too many client events')
  const json = typeof data === 'string' ? data : JSON.stringify(data)
  const size = Buffer.byteLength(json)
  if (event.length > MAX_EVENT_NAME || size > MAX_CLIENT_EVENT) return refuse('The client event is too large')
  const bytes = (size + ENVELOPE) * channels.connectionCount(channel) * (bus.otherProcesses().length + 1)
  if (!budgets.spend('deliveries', connection, bytes)) return refuse('Too many client events')
  const user_id = subscription.userId ?? connection.user?.id.toString()
  const sender = { socket_id: connection.id, user_id: user_id?.toString() }
  webhooks.add({ name: 'client_event', channel, event, data: json, ...sender })
  const about = connection.user ? [connection.user.id] : undefined
  const to = { channels: [channel], except: connection.id, about }
  void bus.publish(channel, { kind: 'event', event, data: json, user_id, ...to })
}
