import type { WebSocketConnection, WebSocketUserIdAndSessionDigest } from '#core/realtime/connection.ts'

/** How many clients are told to reconnect in each millisecond. */
const RECONNECTS_PER_MS = 2

/** The open connections of this process, by their ids and by their users. */
export class OpenWebSocketConnections {
  private readonly byId = new Map<string, WebSocketConnection>()
  private readonly byUser = new Map<number, Set<WebSocketConnection>>()

  get size() {
    return this.byId.size
  }

  has(id: string) {
    return this.byId.has(id)
  }

  get(id: string) {
    return this.byId.get(id)
  }

  all() {
    return [...this.byId.values()]
  }

  ofUser(id: number) {
    return [...(this.byUser.get(id) ?? [])]
  }

  add(connection: WebSocketConnection) {
    this.byId.set(connection.id, connection)
  }

  delete(connection: WebSocketConnection) {
    this.byId.delete(connection.id)
    this.deleteUser(connection)
  }

  setUser(connection: WebSocketConnection, user: WebSocketUserIdAndSessionDigest) {
    if (connection.user?.id !== user.id) this.deleteUser(connection)
    connection.bindTo(user)
    const connections = this.byUser.get(user.id) ?? new Set()
    this.byUser.set(user.id, connections.add(connection))
  }

  /**
   * Pings connections whose clients were silent for `silence` ms, and closes those whose clients do not
   * answer in `timeout` ms.
   */
  pingIdle(silence: number, timeout: number) {
    for (const connection of this.byId.values()) connection.checkAlive(silence, silence + timeout)
  }

  /** Closes the oldest connection of a visitor, and returns whether there was one. */
  displaceVisitor() {
    const visitor = this.byId.values().find(({ isOpen, user, member }) => isOpen && !user && member === null)
    visitor?.close(4100, 'Over capacity')
    return visitor !== undefined
  }

  /** Closes the connections on which the user has signed in. */
  terminate(user: string) {
    for (const connection of this.all())
      if (connection.signedInAs === user) connection.close(4009, 'Terminated by the app')
  }

  /**
   * Closes all connections with the close code 4200, so that the clients reconnect and fetch what they
   * missed. Each connection is closed at a random time, so that not all clients reconnect at once.
   */
  reconnectAll() {
    const period = this.size / RECONNECTS_PER_MS
    for (const connection of this.byId.values())
      setTimeout(() => connection.close(4200, 'Please connect again'), Math.random() * period).unref()
  }

  /** Closes all connections with the close code 4200. Resolves once they are closed. */
  async close() {
    const connections = this.all()
    const closed = connections.map((connection) => connection.closed())
    for (const connection of connections) connection.close(4200, 'The server is restarting')
    await Promise.all(closed)
  }

  private deleteUser(connection: WebSocketConnection) {
    const id = connection.user?.id
    const connections = id !== undefined && this.byUser.get(id)
    if (!connections) return
    connections.delete(connection)
    if (!connections.size) this.byUser.delete(id)
  }
}
