import type { ChannelEventBusMessage, LiveDeliveryTraceSubject } from '#core/realtime/bus.ts'

/** The limits of the realtime server for connections. Tests change them. */
export interface RealtimeServerConnectionLimits {
  /**
   * Seconds of silence after which a client sends a ping. The server sends a ping after 1.5 times as long.
   */
  activityTimeout?: number
  /** The number of seconds in which a client must answer a ping. */
  pongTimeout?: number
  maxConnections?: number
  /**
   * The number of members up to which a presence channel with `showsOnlyPeersWhenLarge` shows all of them.
   */
  maxCompleteMemberList?: number
}

export const defaultRealtimeServerConnectionLimits: Required<RealtimeServerConnectionLimits> = {
  activityTimeout: 30,
  pongTimeout: 30,
  maxConnections: 20_000,
  maxCompleteMemberList: 500,
}

/** The options of `RealtimeServer.broadcast`. */
export interface BroadcastOptions
  extends Pick<ChannelEventBusMessage, 'except' | 'aboutUsers' | 'unlessMuted' | 'inGroup' | 'onlyFor'> {
  /** Data for the viewers who do not receive `data`. Without `fallbackData` these viewers get nothing. */
  fallbackData?: unknown
  /**
   * The message, notification or announcement whose live delivery is traced (see `onTracedDelivery`). By
   * default, `at` is now.
   */
  trace?: (Omit<LiveDeliveryTraceSubject, 'at'> & Partial<Pick<LiveDeliveryTraceSubject, 'at'>>) | undefined
}

/** The options of `RealtimeServer.broadcastJson`. */
export type BroadcastJsonOptions = Pick<
  ChannelEventBusMessage,
  'except' | 'aboutUsers' | 'unlessMuted' | 'inGroup' | 'onlyFor' | 'fallbackData' | 'trace'
>
