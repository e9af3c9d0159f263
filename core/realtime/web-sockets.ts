import { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import type { Upgrade } from '#core/realtime/connection-limits.ts'

const MAX_MESSAGE = 65_536
/** Frames of one message, with empty ones. Clients usually send one. */
const MAX_FRAGMENTS = 16
/** Reads that wait for the end of one frame. A frame of 64 kB has about 45 packets. */
const MAX_WAITING_READS = 256
/** Milliseconds in which a client must answer a close frame. */
const CLOSE_TIMEOUT = 2000

/**
 * Emits `closing` when the closing handshake begins: `ws` calls `close` for a valid and for an invalid close
 * frame. The event `close` comes only when the TCP connection has ended, which a client may delay.
 */
class ClosingWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer) {
    super.close(code, reason)
    this.emit('closing')
  }
}

export function createSocketServer() {
  // A constant, because the types of ws do not have `closeTimeout` yet (new in ws 8.19).
  const settings = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_WAITING_READS,
    closeTimeout: CLOSE_TIMEOUT,
    WebSocket: ClosingWebSocket,
  }
  return new WebSocketServer(settings)
}

/**
 * Treated alike. Clients for Java, Android, Python and .NET send 5 or 6
 * (https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/).
 */
const PROTOCOLS = ['5', '6', '7']

export type CloseReason = readonly [code: number, reason: string]

/** Null if accepted; refuses a wrong app key, and a missing or unsupported protocol version. */
export function findCloseReason({ key, query }: Upgrade, { PUSHER_APP_KEY }: Config): CloseReason | null {
  const protocol = query.get('protocol')
  if (key !== PUSHER_APP_KEY) return [4001, 'Application does not exist']
  if (protocol === null) return [4008, 'No protocol version supplied']
  if (!PROTOCOLS.includes(protocol)) return [4007, 'Unsupported protocol version']
  return null
}
