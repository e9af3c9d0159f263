import { JobFailureWithRetryDelay } from '#core/jobs/runner.ts'
import { PUSH_REQUEST_TIMEOUT, type sendPushRequest } from './push-service.ts'

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

/** The number of consecutive failures after which a push service gets no requests for a while. */
const MAX_FAILURES = 3
/** The time in ms after which a request counts as failed, even if the push service answers later. */
const SLOW = 3000
/** The maximum number of push services, and of members at push services, whose failures are counted. */
const MAX_COUNTED = 2000

interface Failures {
  count: number
  /** One of the members whose requests failed. */
  member: number
  /** Whether requests of several members failed. */
  ofSeveral: boolean
  /** The end of the pause, in ms since 1970; 0 if there is none. */
  until: number
}

/** Counts consecutive failures by name, and decides about pauses of `pause` ms. */
function createPauses(pause: number) {
  const all = new Map<string, Failures>()
  return {
    endOf: (name: string) => all.get(name)?.until ?? 0,
    succeed: (name: string) => void all.delete(name),
    /** Counts a failure. A pause begins only if `isEnough` accepts the failures. */
    fail(name: string, member: number, isEnough: (failures: Failures) => boolean) {
      const known = all.get(name) ?? { count: 0, member, ofSeveral: false, until: 0 }
      known.count++
      known.ofSeveral ||= known.member !== member
      known.until = known.count >= MAX_FAILURES && isEnough(known) ? Date.now() + pause : 0
      all.delete(name)
      if (all.size >= MAX_COUNTED) all.delete(all.keys().next().value!)
      all.set(name, known)
    },
    /** Lets one request try after a pause. Others are refused until its result is known. */
    probe(name: string) {
      const known = all.get(name)
      if (known?.until) known.until = Date.now() + PUSH_REQUEST_TIMEOUT
    },
  }
}

/**
 * Returns a function that sends push requests with `send`. After `MAX_FAILURES` consecutive requests without
 * an answer within `SLOW` ms, the devices of this member at this push service get no requests for `pause` ms,
 * and the function throws an error instead. If requests of several members failed, this holds for all devices
 * at the push service: one member's slow device does not stop those of others. Without this pause, thousands
 * of devices of a push service that hangs would occupy the parallel deliveries, each until the time limit of
 * its request, and the devices of other push services would wait. After the pause, one request tries, and its
 * failure begins the next pause. The error of a request without an answer is a
 * `PushServiceNotAnsweringError`.
 */
export function createPushSenderWithCircuitBreaker(
  send: typeof sendPushRequest,
  pause: number,
): typeof sendPushRequest {
  const pauses = createPauses(pause)
  return async (context, target, message, signal) => {
    const { host } = new URL(target.endpoint)
    const { user_id } = target
    const names = [host, `${host} ${user_id}`] as const
    const findEnd = () => Math.max(...names.map(pauses.endOf))
    const fail = () => {
      pauses.fail(names[0], user_id, ({ ofSeveral }) => ofSeveral)
      pauses.fail(names[1], user_id, () => true)
    }
    const pausedUntil = findEnd()
    if (pausedUntil > Date.now())
      throw new PushServiceNotAnsweringError('The push service does not answer', 'paused', pausedUntil)
    names.forEach(pauses.probe)
    let isSlow = false
    const slow = setTimeout(() => {
      isSlow = true
      fail()
    }, SLOW)
    try {
      const answer = await send(context, target, message, signal)
      if (!isSlow) names.forEach(pauses.succeed)
      return answer
    } catch (error) {
      // If the job was ended, for example because the process stops, the request does not count as
      // unanswered.
      if (signal?.aborted) throw error
      if (!isSlow) fail()
      const reason = isTimeout(error) ? 'timeout' : 'unreachable'
      throw new PushServiceNotAnsweringError((error as Error).message, reason, findEnd())
    } finally {
      clearTimeout(slow)
    }
  }
}
