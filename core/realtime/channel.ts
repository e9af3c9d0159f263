import type { Connection } from '#core/realtime/connection.ts'
import { encodeFrame } from '#core/realtime/frames.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'
import type { ViewerSet } from '#core/realtime/visibility.ts'

interface Filter {
  except?: string | undefined
  /** Viewers who receive `fallback` (an encoded event) instead, or nothing without it. */
  hidden?: ViewerSet | null
  fallback?: string | undefined
}

const noConnections: ReadonlySet<Connection> = new Set()

export class LocalChannel {
  readonly connections = new Set<Connection>()
  /** Without client events. `createSendCached` notices a newer event by it. */
  serverEvents = 0
  /** For subscribers who may see all members; null until needed and after members have changed. */
  acknowledgement: Buffer | null = null
  private readonly name: string
  /** With the number of connections of each in this process. */
  private readonly users = new Map<string, number>()
  /** Connections that are sent the joins and leaves of a member. */
  private readonly watchers = new Map<number, Set<Connection>>()

  constructor(name: string) {
    this.name = name
  }

  /** Returns whether it is the user's first connection in this process. */
  addUser(user: PresenceUserId) {
    const id = String(user)
    const count = this.users.get(id) ?? 0
    this.users.set(id, count + 1)
    return count === 0
  }

  /** Returns whether it was the user's last connection in this process. */
  removeUser(user: PresenceUserId) {
    const id = String(user)
    const count = this.users.get(id)! - 1
    if (count) this.users.set(id, count)
    else this.users.delete(id)
    return count === 0
  }

  watch(connection: Connection, members: readonly number[]) {
    for (const member of members) {
      const watchers = this.watchers.get(member)
      if (watchers) watchers.add(connection)
      else this.watchers.set(member, new Set([connection]))
    }
  }

  unwatch(connection: Connection, members: readonly number[]) {
    for (const member of members) {
      const watchers = this.watchers.get(member)
      if (watchers?.delete(connection) && !watchers.size) this.watchers.delete(member)
    }
  }

  watchersOf(member: number): ReadonlySet<Connection> {
    return this.watchers.get(member) ?? noConnections
  }

  /** `event` is JSON of `encodeEvent`. Returns how many connections get it or `fallback`. */
  deliver(
    event: string,
    { except, hidden, fallback }: Filter = {},
    connections: ReadonlySet<Connection> = this.connections,
  ) {
    const frame = encodeFrame(this.name, event)
    const masked = fallback === undefined ? null : encodeFrame(this.name, fallback)
    let count = 0
    for (const connection of connections) {
      if (connection.id === except) continue
      if (!hidden?.has(connection.viewer)) {
        if (connection.enqueue(frame)) count++
      } else {
        if (masked && connection.enqueue(masked)) count++
        if (!connection.user) connection.missedAsVisitor.add(this.name)
      }
    }
    return count
  }
}
