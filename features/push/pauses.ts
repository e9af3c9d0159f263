import { DelayedJobFailure } from '#core/jobs/runner.ts'
import type { sendPushRequest } from './push-service.ts'

/**
 * The number of consecutive requests without an answer after which a push service gets no requests for a
 * while.
 */
const MAX_UNANSWERED = 3
/** The maximum number of push services whose unanswered requests are counted. */
const MAX_HOSTS = 1000

/**
 * Returns a function that sends as `send` does, but throws without a request for `pause` ms after a push
 * service did not answer the last `MAX_UNANSWERED` requests. Without this pause, thousands of devices of a
 * push service that hangs would occupy the parallel deliveries, each until the time limit of its request, and
 * the devices of other push services would wait. After the pause, one unanswered request begins the next
 * pause.
 */
export function createSenderWithPauses(send: typeof sendPushRequest, pause: number): typeof sendPushRequest {
  const hosts = new Map<string, { unanswered: number; until: number }>()
  return async (config, target, message, signal) => {
    const { host } = new URL(target.endpoint)
    const wait = (hosts.get(host)?.until ?? 0) - Date.now()
    if (wait > 0) throw new DelayedJobFailure('The push service does not answer', wait)
    try {
      const answer = await send(config, target, message, signal)
      hosts.delete(host)
      return answer
    } catch (error) {
      // The job was ended, for example because the process stops. Then the request does not count as
      // unanswered.
      if (signal?.aborted) throw error
      const unanswered = (hosts.get(host)?.unanswered ?? 0) + 1
      hosts.delete(host)
      if (hosts.size >= MAX_HOSTS) hosts.delete(hosts.keys().next().value!)
      hosts.set(host, { unanswered, until: unanswered < MAX_UNANSWERED ? 0 : Date.now() + pause })
      throw error
    }
  }
}
