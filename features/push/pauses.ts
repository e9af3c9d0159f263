import { JobFailureWithRetryDelay } from '#core/jobs/runner.ts'
import type { sendPushRequest } from './push-service.ts'

/**
 * The error of a request to a push service that got no answer. `reason` is `timeout` or `unreachable`, or
 * `paused` if no request was sent because the push service gets none for a while. `pausedUntil` is the end of
 * this pause; null if there is none.
 */
export class PushServiceNotAnsweringError extends JobFailureWithRetryDelay {
  readonly reason: 'timeout' | 'unreachable' | 'paused'
  readonly pausedUntil: Date | null
  constructor(message: string, reason: PushServiceNotAnsweringError['reason'], pausedUntil: number) {
    super(message, reason === 'paused' ? pausedUntil - Date.now() : 0)
    this.reason = reason
    this.pausedUntil = pausedUntil ? new Date(pausedUntil) : null
  }
}

/** Returns whether a request failed because its time limit was over. */
const isTimeout = (error: unknown) => (error as { code?: string }).code === 'ABORT_ERR'

/** The number of consecutive unanswered requests after which a push service gets no requests for a while. */
const MAX_UNANSWERED = 3
/** The maximum number of push services for which unanswered requests are counted. */
const MAX_HOSTS = 1000

/**
 * Returns a function that sends push requests with `send`. After a push service did not answer the last
 * `MAX_UNANSWERED` requests, the function sends it no requests for `pause` ms, and throws an error instead.
 * Without this pause, thousands of devices of a push service that hangs would occupy the parallel deliveries,
 * each until the time limit of its request, and the devices of other push services would wait. After the
 * pause, one unanswered request begins the next pause. The error of a request without an answer is a
 * `PushServiceNotAnsweringError`.
 */
export function createPushSenderWithCircuitBreaker(
  send: typeof sendPushRequest,
  pause: number,
): typeof sendPushRequest {
  const hosts = new Map<string, { unanswered: number; until: number }>()
  return async (context, target, message, signal) => {
    const { host } = new URL(target.endpoint)
    const pausedUntil = hosts.get(host)?.until ?? 0
    if (pausedUntil > Date.now())
      throw new PushServiceNotAnsweringError('The push service does not answer', 'paused', pausedUntil)
    try {
      const answer = await send(context, target, message, signal)
      hosts.delete(host)
      return answer
    } catch (error) {
      // If the job was ended, for example because the process stops, the request does not count as
      // unanswered.
      if (signal?.aborted) throw error
      const unanswered = (hosts.get(host)?.unanswered ?? 0) + 1
      hosts.delete(host)
      if (hosts.size >= MAX_HOSTS) hosts.delete(hosts.keys().next().value!)
      const until = unanswered < MAX_UNANSWERED ? 0 : Date.now() + pause
      hosts.set(host, { unanswered, until })
      const reason = isTimeout(error) ? 'timeout' : 'unreachable'
      throw new PushServiceNotAnsweringError((error as Error).message, reason, until)
    }
  }
}
