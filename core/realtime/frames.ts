import { parseJsonOrUndefined } from '#core/json.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'

/**
 * Returns an event as JSON. The channel is left out, so that the event is encoded once for all its channels.
 * `data` is already JSON.
 */
export const encodeEventWithoutChannel = (event: string, data: string, user_id?: PresenceUserId) =>
  JSON.stringify({ event, data, user_id })

/**
 * Adds the channel to an event (JSON from `encodeEventWithoutChannel`), and returns it as a complete
 * WebSocket text message from server to client (RFC 6455, 5.2).
 */
export function encodeWebSocketFrameWithChannel(channel: string | undefined, event: string): Buffer {
  const text = channel === undefined ? event : `{"channel":${JSON.stringify(channel)},${event.slice(1)}`
  const size = Buffer.byteLength(text)
  const headerSize = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerSize + size)
  frame[0] = 0x81 // the first byte of a text message in a single frame
  if (headerSize === 2) frame[1] = size
  else if (headerSize === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  frame.write(text, headerSize)
  return frame
}

/** Returns the fields of a client's message that must be strings. A field of another type becomes ''. */
export function toPusherStringFieldsOrEmpty(value: unknown) {
  const { channel, auth, channel_data, user_data } = (value ?? {}) as Record<string, unknown>
  const text = (field: unknown) => (typeof field === 'string' ? field : '')
  return {
    channel: text(channel),
    auth: text(auth),
    channel_data: text(channel_data),
    user_data: text(user_data),
  }
}

/** A user of a presence channel, as their `channel_data` names them. */
export interface PresenceUser {
  id: PresenceUserId
  info: unknown
}

/** Reads the `channel_data` of a subscription. Returns null if the text is not JSON with a `user_id`. */
export function parsePresenceChannelData(text: string): PresenceUser | null {
  const { user_id, user_info } = (parseJsonOrUndefined(text) ?? {}) as Record<string, unknown>
  if (typeof user_id !== 'string' && typeof user_id !== 'number') return null
  return { id: user_id, info: user_info ?? {} }
}
