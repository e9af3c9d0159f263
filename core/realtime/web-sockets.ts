import { WebSocket, WebSocketServer } from 'ws'

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
