import type { WebSocketConnection } from '#core/realtime/connection.ts'
import { encodeWebSocketFrameWithChannel } from '#core/realtime/frames.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'
import type { ViewerIdSetLike } from '#core/realtime/visibility.ts'

/** Selects the connections that do not receive an event, or receive `fallback` instead of it. */
interface Filter {
  /** The id of the connection that does not receive the event. */
  except?: string | undefined
  /**
   * The ids of the viewers who do not receive the event. They receive `fallback` (an encoded event),
   * or nothing without it.
   */
  hidden?: ViewerIdSetLike | null
  fallback?: string | undefined
}

const noConnections: ReadonlySet<WebSocketConnection> = new Set()

/** A channel and the connections of this process that are subscribed to it. */
export class LocalChannel {
  readonly connections = new Set<WebSocketConnection>()
  /**
   * The number of events that were delivered in this channel, without client events. By this number,
   * `createCachedChannelEventSender` finds out whether a newer event has been delivered.
   */
  serverEvents = 0
  /**
   * The cached frame that acknowledges a subscription, for subscribers who may see all members. It is null
   * until it is first needed, and again after the members of a presence channel have changed.
   */
  acknowledgement: Buffer | null = null
  private readonly name: string
  /** The users of a presence channel, with the number of connections of each in this process. */
  private readonly users = new Map<string, number>()
  /** The connections that are sent the joins and leaves of a member, by the id of the member. */
  private readonly watchers = new Map<number, Set<WebSocketConnection>>()

  constructor(name: string) {
    this.name = name
  }

  /** Adds a connection of a user. Returns whether it is the user's first connection in this process. */
  addUser(user: PresenceUserId) {
    const id = String(user)
    const count = this.users.get(id) ?? 0
    this.users.set(id, count + 1)
    return count === 0
  }

  /** Removes a connection of a user. Returns whether it was the user's last connection in this process. */
  removeUser(user: PresenceUserId) {
    const id = String(user)
    const count = this.users.get(id)! - 1
    if (count) this.users.set(id, count)
    else this.users.delete(id)
    return count === 0
  }

  /** Sends the joins and leaves of these members to the connection from now on (see `watchersOf`). */
  watch(connection: WebSocketConnection, members: readonly number[]) {
    for (const member of members) {
      const watchers = this.watchers.get(member)
      if (watchers) watchers.add(connection)
      else this.watchers.set(member, new Set([connection]))
    }
  }

  /** Undoes `watch`. */
  unwatch(connection: WebSocketConnection, members: readonly number[]) {
    for (const member of members) {
      const watchers = this.watchers.get(member)
      if (watchers?.delete(connection) && !watchers.size) this.watchers.delete(member)
    }
  }

  /** Returns the connections that `watch` has been called with for this member. */
  watchersOf(member: number): ReadonlySet<WebSocketConnection> {
    return this.watchers.get(member) ?? noConnections
  }

  /**
   * Queues an event (JSON from `encodeEventWithoutChannel`) for `connections`, by default all. The
   * filter excludes some of them, or gives them `fallback`. An excluded visitor's connection records in
   * `missedAsVisitor` that it did not get the event. Returns how many open connections get the event or
   * `fallback`.
   */
  deliver(
    event: string,
    { except, hidden, fallback }: Filter = {},
    connections: ReadonlySet<WebSocketConnection> = this.connections,
  ) {
    const frame = encodeWebSocketFrameWithChannel(this.name, event)
    const masked = fallback === undefined ? null : encodeWebSocketFrameWithChannel(this.name, fallback)
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
