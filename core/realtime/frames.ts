import { timingSafeEqual } from 'node:crypto'

// What goes over the line, as it is written and as it is read.

/** What is said, without the channel on which it is said: made once, however many channels there are. `data` is JSON already. */
export const eventText = (event: string, data: string, user_id?: string) =>
  JSON.stringify({ event, data, user_id })

/** A whole text message from server to client (RFC 6455, 5.2). */
export function framed(channel: string | undefined, said: string): Buffer {
  const text = channel === undefined ? said : `{"channel":${JSON.stringify(channel)},${said.slice(1)}`
  const size = Buffer.byteLength(text)
  const head = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + size)
  frame[0] = 0x81 // the last and only part, text
  if (head === 2) frame[1] = size
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  frame.write(text, head)
  return frame
}

/** The parts of a message that are text; whatever else a client sent for one is as good as none. */
export function textsOf(given: unknown) {
  const { channel, auth, channel_data } = (given ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { channel: text(channel), auth: text(auth), channel_data: text(channel_data) }
}

export function isSame(given: string, expected: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null
  } catch {
    return null
  }
}

export function userOf(channelData: string): { id: string; info: unknown } | undefined {
  const { user_id, user_info } = parsed(channelData) ?? {}
  return typeof user_id === 'string' || typeof user_id === 'number'
    ? { id: String(user_id), info: user_info ?? {} }
    : undefined
}
