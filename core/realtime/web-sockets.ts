import { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import type { Upgrade } from '#core/realtime/connection-limits.ts'

const MAX_MESSAGE = 65_536
/** Milliseconds that a client has to answer a close frame. */
const CLOSE_TIMEOUT = 2000

/**
 * Emits `closing` when the closing handshake begins: `ws` calls `close` when a close frame comes, or a broken
 * one. `close` is emitted only once the TCP connection has ended, which a client may delay.
 */
class ClosingWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer) {
    super.close(code, reason)
    this.emit('closing')
  }
}

export function createWebSockets() {
  // `closeTimeout` is in ws since 8.19, and not yet in its types.
  const settings = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    closeTimeout: CLOSE_TIMEOUT,
    WebSocket: ClosingWebSocket,
  }
  return new WebSocketServer(settings)
}

/**
 * Versions of the Pusher protocol that are served alike. Clients for Java, Android, Python and .NET send 5 or
 * 6
 * (https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/).
 */
const PROTOCOLS = ['5', '6', '7']

export type Refusal = readonly [code: number, reason: string]

/** Why a client of another application, or of another protocol, is not accepted. */
export function protocolRefusal({ key, query }: Upgrade, { PUSHER_APP_KEY }: Config): Refusal | null {
  const protocol = query.get('protocol')
  if (key !== PUSHER_APP_KEY) return [4001, 'Application does not exist']
  if (protocol === null) return [4008, 'No protocol version supplied']
  if (!PROTOCOLS.includes(protocol)) return [4007, 'Unsupported protocol version']
  return null
}
