import type { Connection, ConnectionUser } from '#core/realtime/connection.ts'

const RECONNECTS_PER_MS = 2

export class Connections {
  private readonly byId = new Map<string, Connection>()
  private readonly byUser = new Map<number, Set<Connection>>()

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

  add(connection: Connection) {
    this.byId.set(connection.id, connection)
  }

  delete(connection: Connection) {
    this.byId.delete(connection.id)
    this.deleteUser(connection)
  }

  setUser(connection: Connection, user: ConnectionUser) {
    if (connection.user?.id !== user.id) this.deleteUser(connection)
    connection.bindTo(user)
    const connections = this.byUser.get(user.id) ?? new Set()
    this.byUser.set(user.id, connections.add(connection))
  }

  /** Milliseconds of silence until a ping, and until the connection is closed. */
  pingIdle(silence: number, timeout: number) {
    for (const connection of this.byId.values()) connection.checkAlive(silence, silence + timeout)
  }

  /** The oldest one. False if no visitor is connected. */
  displaceVisitor() {
    const visitor = this.byId.values().find(({ isOpen, user, member }) => isOpen && !user && member === null)
    visitor?.close(4100, 'Over capacity')
    return visitor !== undefined
  }

  terminate(user: string) {
    for (const connection of this.all())
      if (connection.signedInAs === user) connection.close(4009, 'Terminated by the app')
  }

  /** With the close code 4200, each at a random time, so that not all clients reconnect at once. */
  reconnectAll() {
    const period = this.size / RECONNECTS_PER_MS
    for (const connection of this.byId.values())
      setTimeout(() => connection.close(4200, 'Please connect again'), Math.random() * period).unref()
  }

  /** With the close code 4200. Resolves once all are closed. */
  async close() {
    const connections = this.all()
    const closed = connections.map((connection) => connection.closed())
    for (const connection of connections) connection.close(4200, 'The server is restarting')
    await Promise.all(closed)
  }

  private deleteUser(connection: Connection) {
    const id = connection.user?.id
    const connections = id !== undefined && this.byUser.get(id)
    if (!connections) return
    connections.delete(connection)
    if (!connections.size) this.byUser.delete(id)
  }
}
