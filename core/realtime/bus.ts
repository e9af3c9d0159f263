import type { PresenceMembers, PresenceUserId } from '#core/realtime/presence.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'

/** With a channel, ends its subscriptions: of the user or session, or all. Without, closes connections. */
export interface Revocation {
  channel?: string
  user?: number
  session?: string
}

export type ChannelSelector = { names: readonly string[] } | { prefix: string }

export type ChannelCount = readonly [channel: string, connections: number]

/** `data` is already JSON. */
export interface EventMessage {
  kind: 'event'
  channels: readonly string[]
  event: string
  data: string
  except?: string | undefined
  isClientEvent?: true
  /** The sender of a client event, if known. */
  user_id?: PresenceUserId | undefined
  /** Viewers who may not see one of them do not receive `data`. */
  aboutUsers?: readonly number[] | undefined
  /** Viewers who muted one of `aboutUsers`, or whom a refusal keeps apart, do not receive it either. */
  unlessMuted?: boolean | undefined
  /** A group whose members read together: a refusal holds nothing of it back. */
  inGroup?: boolean | undefined
  onlyFor?: AllowedViewers | undefined
  /** JSON for the viewers who do not receive `data`. Without it, they get nothing. */
  fallbackData?: string | undefined
  /** With it, every process reports to how many connections it wrote the event. */
  trace?: DeliveryTrace | undefined
}

/** The message, notification or announcement whose live delivery is traced; the same in all processes. */
export interface DeliveryTrace {
  kind: 'message' | 'notification' | 'announcement'
  /** The post of an announcement. */
  id: number
  /** When the event was broadcast; for a notification or announcement, when the action was. */
  at: string
}

/** `counts[n]` belongs to `channels[n]`: two lists, because there may be thousands of channels. */
export interface DeliveryCounts {
  channels: string[]
  counts: number[]
}

export type TraceListener = (trace: DeliveryTrace, written: DeliveryCounts) => void

export type BusMessage =
  | EventMessage
  | { kind: 'bind'; connection: string; user: number; session: string }
  | ({ kind: 'revoke' } & Revocation)
  | { kind: 'recheck'; user: number }
  | { kind: 'terminate'; user: string }
  | { kind: 'settings' }
  /** Events may have been lost. */
  | { kind: 'missed' }
  | { kind: 'join'; channel: string; user: PresenceUserId; info: unknown }
  | { kind: 'leave'; channel: string; user: PresenceUserId }
  | { kind: 'occupancy'; channel: string; isOccupied: boolean }
  /** Answers `hello` with the sender's users in presence channels, and its channels with subscribers. */
  | { kind: 'members'; members: PresenceMembers; occupied?: readonly string[] }
  | { kind: 'count'; request: string; selector: ChannelSelector }
  | { kind: 'counts'; request: string; counts: readonly ChannelCount[] }

/** Messages that belong to no single channel. */
export const GLOBAL_TOPIC = ''

export interface ProcessBus {
  /** With several processes it begins with the start time, in a sortable form. */
  readonly processId: string
  /** Called only once. Messages that arrived before are handled first. */
  listen(handlers: BusHandlers): void
  /** Messages of one topic keep their order. False if the other processes could not be reached. */
  publish(topic: string, message: BusMessage): Promise<boolean>
  flushed(): Promise<unknown>
  /** Topics of one stream may be sent as one message. */
  streamOf(topic: string): number
  /** Only those that were active recently. */
  otherProcesses(): readonly string[]
  /** False if messages of this process did not come back lately. Always true with a single process. */
  isConnected(): boolean
  close(): Promise<void>
}

export interface BusHandlers {
  onMessage(message: BusMessage, from: string): void
  /** Another process has started, has missed messages, or did not know this one. */
  onHello(): void
  /** Also called when a message may have been missed. */
  onMissed(): void
  /** The process has ended, or was silent for too long. */
  onProcessGone(process: string): void
}

export function createMemoryBus(): ProcessBus {
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
