import type { DeliveryTrace, EventMessage } from '#core/realtime/bus.ts'

/** Tests change them. */
export interface ConnectionLimits {
  /** Seconds of silence until a client sends a ping. The server waits 1.5 times as long. */
  activityTimeout?: number
  /** Seconds for the answer to a ping. */
  pongTimeout?: number
  maxConnections?: number
  /** A presence channel with `showsOnlyPeersWhenLarge` shows all of its members up to this number. */
  maxCompleteMemberList?: number
}

export const defaultLimits: Required<ConnectionLimits> = {
  activityTimeout: 30,
  pongTimeout: 30,
  maxConnections: 20_000,
  maxCompleteMemberList: 500,
}

export interface BroadcastOptions
  extends Pick<EventMessage, 'except' | 'aboutUsers' | 'unlessMuted' | 'inGroup' | 'onlyFor'> {
  /** For the viewers who do not receive `data`. Without it, they get nothing. */
  fallbackData?: unknown
  /** Traced live delivery (see `onTracedDelivery`). By default, `at` is now. */
  trace?: (Omit<DeliveryTrace, 'at'> & Partial<Pick<DeliveryTrace, 'at'>>) | undefined
}

export type BroadcastJsonOptions = Pick<
  EventMessage,
  'except' | 'aboutUsers' | 'unlessMuted' | 'inGroup' | 'onlyFor' | 'fallbackData' | 'trace'
>
