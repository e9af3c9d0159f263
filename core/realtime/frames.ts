import type { PresenceUserId } from '#core/realtime/presence.ts'
import { parseJson } from '#core/text/json.ts'

/** `data` is already JSON. Without the channel, the event is encoded once for all its channels. */
export const encodeEvent = (event: string, data: string, user_id?: PresenceUserId) =>
  JSON.stringify({ event, data, user_id })

/** A complete text message of a server (RFC 6455, 5.2). `event` is from `encodeEvent`. */
export function encodeFrame(channel: string | undefined, event: string): Buffer {
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

/** A field that is not a string becomes ''. */
export function stringFields(value: unknown) {
  const { channel, auth, channel_data, user_data } = (value ?? {}) as Record<string, unknown>
  const text = (field: unknown) => (typeof field === 'string' ? field : '')
  return {
    channel: text(channel),
    auth: text(auth),
    channel_data: text(channel_data),
    user_data: text(user_data),
  }
}

export interface PresenceUser {
  id: PresenceUserId
  info: unknown
}

/** Null if the text is not JSON with a `user_id`. */
export function parseChannelData(text: string): PresenceUser | null {
  const { user_id, user_info } = (parseJson(text) ?? {}) as Record<string, unknown>
  if (typeof user_id !== 'string' && typeof user_id !== 'number') return null
  return { id: user_id, info: user_info ?? {} }
}
