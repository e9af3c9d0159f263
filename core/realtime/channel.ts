import type { Connection } from '#core/realtime/connection.ts'
import { encodeFrame } from '#core/realtime/frames.ts'
import type { UserId } from '#core/realtime/presence.ts'

/** Which connections do not get an event as it is. */
interface Filter {
  /** The id of a connection that gets nothing. */
  except?: string | undefined
  /** The viewers who get `otherwise`, an encoded event, or nothing. */
  hidden?: ReadonlySet<number> | null
  otherwise?: string | undefined
}

/** A channel and the connections of this process that are subscribed to it. */
export class Channel {
  readonly connections = new Set<Connection>()
  /** How many events of servers it has had. */
  events = 0
  /**
   * The acknowledgement of a subscription by somebody who may see all members; null after the members of a
   * presence channel have changed.
   */
  acknowledgement: Buffer | null = null
  private readonly name: string
  /** The users of a presence channel, each with how many connections of this process. */
  private readonly users = new Map<string, number>()

  constructor(name: string) {
    this.name = name
  }

  /** Returns whether it is the first connection of the user in this process. */
  addUser(user: UserId) {
    const id = String(user)
    const count = this.users.get(id) ?? 0
    this.users.set(id, count + 1)
    return count === 0
  }

  /** Returns whether it was the last connection of the user in this process. */
  removeUser(user: UserId) {
    const id = String(user)
    const count = this.users.get(id)! - 1
    if (count) this.users.set(id, count)
    else this.users.delete(id)
    return count === 0
  }

  /** Queues one frame for all connections that the filter leaves. */
  deliver(event: string, { except, hidden, otherwise }: Filter = {}) {
    const frame = encodeFrame(this.name, event)
    const masked = otherwise === undefined ? null : encodeFrame(this.name, otherwise)
    for (const connection of this.connections) {
      if (connection.id === except) continue
      if (!hidden?.has(connection.viewer)) connection.enqueue(frame)
      else if (masked) connection.enqueue(masked)
    }
  }
}
