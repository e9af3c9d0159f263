import type { Connection, ConnectionUser } from '#core/realtime/connection.ts'

/** The open connections of this process, by their ids and by their users. */
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
    connection.user = user
    const connections = this.byUser.get(user.id) ?? new Set()
    this.byUser.set(user.id, connections.add(connection))
  }

  private deleteUser(connection: Connection) {
    const id = connection.user?.id
    const connections = id !== undefined && this.byUser.get(id)
    if (!connections) return
    connections.delete(connection)
    if (!connections.size) this.byUser.delete(id)
  }
}
