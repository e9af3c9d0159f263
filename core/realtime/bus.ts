import type { Members, UserId } from '#core/realtime/presence.ts'

/**
 * Selects subscriptions to end. A channel and a member: that subscription. A channel alone: everybody's
 * subscription to it. A member or a session alone: all connections of theirs close.
 */
export interface Revocation {
  channel?: string
  member?: number
  session?: string
}

/** Channels by their names, or all whose names begin with a prefix. */
export type ChannelSelector = { names: readonly string[] } | { prefix: string }

/** A channel's name and how many connections are subscribed to it. */
export type SubscriptionCount = readonly [channel: string, connections: number]

/** An event on its way to the subscribers of its channels. `data` is JSON already. */
export interface EventMessage {
  kind: 'event'
  channels: readonly string[]
  event: string
  data: string
  /** The id of the connection that does not get it. */
  except?: string | undefined
  /** The sender of a client event. */
  user_id?: UserId | undefined
  /** The users whom the event is about. Viewers who may not see all of them do not get `data`. */
  about?: readonly number[] | undefined
  /** JSON for the viewers who may not see all of `about`. Without it they get nothing. */
  otherwise?: string | undefined
}

/** A message from one process to the others. */
export type BusMessage =
  | EventMessage
  | { kind: 'bind'; connection: string; user: number; session: string }
  | ({ kind: 'revoke' } & Revocation)
  | { kind: 'recheck'; user: number }
  | { kind: 'terminate'; user: string }
  | { kind: 'join'; channel: string; user: UserId; info: unknown }
  | { kind: 'leave'; channel: string; user: UserId }
  | { kind: 'occupancy'; channel: string; isOccupied: boolean }
  /** `occupied` are the channels that have subscribers in the process. */
  | { kind: 'members'; members: Members; occupied?: readonly string[] }
  | { kind: 'count'; request: string; selector: ChannelSelector }
  | { kind: 'counts'; request: string; counts: readonly SubscriptionCount[] }

/** The topic of messages that concern no single channel. */
export const NO_CHANNEL = ''

/** Connects the processes of one community. */
export interface Bus {
  /** Begins with the time of the process's start, in a form that sorts. */
  readonly processId: string
  /** Called once. Messages that came before the call are handled first. */
  listen(handlers: BusHandlers): void
  /**
   * Sends a message to all processes, this one too, which handles it as every other does. Messages of one
   * topic reach each process in one order. Resolves once the message has left: to true, or to false where
   * the others could not be reached and only this process handled it. The others will know that they have
   * missed something.
   */
  publish(topic: string, message: BusMessage): Promise<boolean>
  /** Resolves once all that was published has left. */
  flushed(): Promise<unknown>
  /** Messages whose topics have the same stream may be sent as one. */
  streamOf(topic: string): number
  /** Ids of the other processes that were heard lately. */
  otherProcesses(): readonly string[]
  /** Whether what this process publishes comes back to it. */
  isConnected(): boolean
  close(): Promise<void>
}

export interface BusHandlers {
  onMessage(message: BusMessage, from: string): void
  /** Another process has started, or has missed something: this one tells again which users it has. */
  onHello(): void
  /** A message did not reach this process. */
  onMissed(): void
  /** Another process ended, or was silent for too long. */
  onProcessGone(process: string): void
}

/** The bus of a process that is the only one. */
export function createMemoryBus(): Bus {
  const processId = 'memory'
  let handlers: BusHandlers | undefined
  return {
    processId,
    listen(given) {
      handlers = given
    },
    async publish(_, message) {
      handlers?.onMessage(message, processId)
      return true
    },
    flushed: async () => {},
    streamOf: () => 0,
    otherProcesses: () => [],
    isConnected: () => true,
    close: async () => {},
  }
}
