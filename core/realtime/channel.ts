import type { WebSocketConnection } from '#core/realtime/connection.ts'
import { encodeWebSocketMessage } from '#core/realtime/frames.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'
import type { ViewerIdSetLike } from '#core/realtime/visibility.ts'

/** Which connections do not receive an event, or receive another one instead. */
interface Filter {
  /** The id of a connection that gets nothing. */
  except?: string | undefined
  /** The viewers who receive `fallback` (an encoded event), or nothing. */
  hidden?: ViewerIdSetLike | null
  fallback?: string | undefined
}

/** A channel and the connections of this process that are subscribed to it. */
export class LocalChannel {
  readonly connections = new Set<WebSocketConnection>()
  /** The number of server events so far; client events do not count. */
  events = 0
  /**
   * The cached acknowledgement for a subscriber who may see all members; null after the members of a presence
   * channel have changed.
   */
  acknowledgement: Buffer | null = null
  private readonly name: string
  /** The users of a presence channel, with the number of connections of each in this process. */
  private readonly users = new Map<string, number>()

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

  /** Queues the event for all connections. The filter excludes some of them, or gives them `fallback`. */
  deliver(event: string, { except, hidden, fallback }: Filter = {}) {
    const frame = encodeWebSocketMessage(this.name, event)
    const masked = fallback === undefined ? null : encodeWebSocketMessage(this.name, fallback)
    for (const connection of this.connections) {
      if (connection.id === except) continue
      if (!hidden?.has(connection.viewer)) connection.enqueue(frame)
      else {
        if (masked) connection.enqueue(masked)
        if (!connection.user) connection.missedAsVisitor.add(this.name)
      }
    }
  }
}
