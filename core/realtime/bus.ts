import type { PresenceUserId, PresenceUsersOfProcessWithChannels } from '#core/realtime/presence.ts'
import type { BucketKeyAndSpentTokens } from '#core/realtime/token-buckets.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'

/**
 * Selects the subscriptions to end. A channel with a user or a session selects their subscriptions to the
 * channel. A channel alone selects all subscriptions to it. A user or a session alone closes all of their
 * connections.
 */
export interface SubscriptionRevocationSelector {
  channel?: string
  user?: number
  /** The digest of a session token: see `hashSessionToken`. */
  session?: string
}

/** Selects channels by their names, or all channels whose names begin with a prefix. */
export type ChannelNamesOrPrefix = { names: readonly string[] } | { prefix: string }

/** A channel's name and how many connections are subscribed to it. */
export type ChannelSubscriptionCount = readonly [channel: string, connections: number]

/**
 * The message by which all processes are told to send an event to the subscribers of its channels. `data` is
 * already JSON.
 */
export interface ChannelEventBusMessage {
  kind: 'event'
  channels: readonly string[]
  event: string
  data: string
  /** The id of the connection that does not receive the event. */
  except?: string | undefined
  /** Whether a client sent the event to the other subscribers of a channel. */
  isClientEvent?: true
  /** The user id of the sender of a client event, if the sender is known. */
  user_id?: PresenceUserId | undefined
  /**
   * The users that the event is about. Viewers who may not see one or more of them do not receive `data`.
   */
  aboutUsers?: readonly number[] | undefined
  /**
   * Whether viewers who have muted one of `aboutUsers`, and those whom a refusal keeps apart from one of them,
   * do not receive `data` either.
   */
  unlessMuted?: boolean | undefined
  /** Whether the event is of a group whose members read together. A refusal holds nothing of it back. */
  inGroup?: boolean | undefined
  /** The only viewers who may receive `data`. Without `onlyFor`, everybody may. */
  onlyFor?: AllowedEventViewers | undefined
  /**
   * The data, as JSON, for the viewers who do not receive `data`. Without `fallbackData` these viewers
   * get nothing.
   */
  fallbackData?: string | undefined
  /**
   * The message, notification or announcement whose live delivery is traced. If it is present, every process
   * reports to how many connections it wrote the event.
   */
  trace?: LiveDeliveryTraceSubject | undefined
}

/**
 * Identifies the message, notification or announcement whose live delivery is traced. The trace is the same
 * in all processes.
 */
export interface LiveDeliveryTraceSubject {
  kind: 'message' | 'notification' | 'announcement'
  /** The id of the chat message or of the notification; for an announcement, of the post. */
  id: number
  /**
   * The time at which the event was broadcast; for a notification or announcement, the time of the action
   * that it is about.
   */
  at: string
}

/**
 * The numbers of connections of this process to which an event was written, one for each of its channels that
 * has any. `counts[n]` belongs to `channels[n]`. These are two lists because an event may have thousands of
 * channels.
 */
export interface ChannelsAndEventDeliveryCounts {
  channels: string[]
  counts: number[]
}

/** A function that is called after the delivery of an event with a trace. */
export type TracedDeliveryListener = (
  trace: LiveDeliveryTraceSubject,
  written: ChannelsAndEventDeliveryCounts,
) => void

/** A message that one process sends to all processes, including itself. */
export type ProcessBusMessage =
  | ChannelEventBusMessage
  | { kind: 'bind'; connection: string; user: number; session: string }
  | ({ kind: 'revoke' } & SubscriptionRevocationSelector)
  | { kind: 'recheck'; user: number }
  | { kind: 'terminate'; user: string }
  | { kind: 'settings' }
  /** Tells all processes that events may have been lost. */
  | { kind: 'missed' }
  | { kind: 'join'; channel: string; user: PresenceUserId; info: unknown }
  | { kind: 'leave'; channel: string; user: PresenceUserId }
  | { kind: 'occupancy'; channel: string; isOccupied: boolean }
  /**
   * Answers `hello`. `members` are the users in presence channels, and `occupied` the channels that have
   * subscribers, both in the sending process.
   */
  | { kind: 'members'; members: PresenceUsersOfProcessWithChannels; occupied?: readonly string[] }
  /** Reports the tokens that the sending process took from the limits of members and addresses. */
  | { kind: 'spent'; spending: readonly BucketKeyAndSpentTokens[] }
  | { kind: 'count'; request: string; selector: ChannelNamesOrPrefix }
  | { kind: 'counts'; request: string; counts: readonly ChannelSubscriptionCount[] }

/** The topic of bus messages that belong to no single channel. */
export const GLOBAL_PROCESS_BUS_TOPIC = ''

/** Connects the processes of one community. */
export interface ProcessBus {
  /** The id of this process. With several processes it begins with the start time, in a sortable form. */
  readonly processId: string
  /**
   * Sets the handlers of messages; called only once. Messages that arrived before this call are handled
   * first.
   */
  listen(handlers: ProcessBusHandlers): void
  /**
   * Sends a message to all processes, including this one. Messages of one topic reach each process in the
   * same order. Resolves to true when the message has been sent. Resolves to false if the other processes
   * could not be reached and only this one handled it; the others will notice that they missed a message.
   */
  publish(topic: string, message: ProcessBusMessage): Promise<boolean>
  /** Resolves when all published messages have been sent. */
  flushed(): Promise<unknown>
  /**
   * Returns the index of the stream that transports a topic. Messages for topics of the same stream may be
   * sent as one.
   */
  streamOf(topic: string): number
  /** Returns the ids of the other processes that were active recently. */
  otherProcesses(): readonly string[]
  /**
   * Whether the bus works now, which means that messages that this process published came back to it
   * recently. Always true with a single process.
   */
  isConnected(): boolean
  close(): Promise<void>
}

export interface ProcessBusHandlers {
  onMessage(message: ProcessBusMessage, from: string): void
  /**
   * Called when another process asks for the users and occupied channels of this one: it has started, has
   * missed messages, or did not know this process.
   */
  onHello(): void
  /** Called when this process has missed, or may have missed, a message of another process. */
  onMissed(): void
  /** Called when another process has ended, or was silent for too long. */
  onProcessGone(process: string): void
}

/** Creates the process bus for a community with a single process. */
export function createMemoryProcessBus(): ProcessBus {
  const processId = 'memory'
  let handlers: ProcessBusHandlers | undefined
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
