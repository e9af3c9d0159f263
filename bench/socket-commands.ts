// The commands to the process of socket-worker.ts, and its results.

export interface OpenBenchSocketsCommand {
  protocol: 'pusher' | 'pusherBatches' | 'publicChat' | 'clientEvents' | 'plainWebSocket' | 'redis' | 'mqtt'
  port: number
  sockets: number
  /** The bytes that the publisher sends to publish one message. */
  message: Buffer
  /**
   * The bytes that publish several messages at once: `batches[0]` two of them, and so on. Messages that are
   * published in the same turn of the event loop are then sent in such batches.
   */
  batches?: readonly Buffer[]
  /**
   * The secret with which subscribers sign the subscription to the channel for client events, or the
   * publisher each request of Pusher's HTTP API.
   */
  secret?: string
  /** The message that each subscriber must receive, as text. */
  payload: string
}
export type SocketBenchWorkerCommand =
  | ({ do: 'open' } & OpenBenchSocketsCommand)
  | { do: 'flood'; seconds: number; outstanding: number }
  | { do: 'pace'; seconds: number; perSecond: number }
/** Percentiles of the delay from publishing to receiving a message, in ms, at every twentieth socket. */
export interface BenchDeliveryDelayPercentiles {
  p50: number
  p99: number
  most: number
}
export interface SocketFloodBenchResult {
  messages: number
  seconds: number
}
