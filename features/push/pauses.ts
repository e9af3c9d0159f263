import { RetryLater } from '#core/jobs/runner.ts'
import { REQUEST_TIMEOUT, type sendPushRequest } from './push-service.ts'

/** `paused`: no request was sent. `pausedUntil`: the end of the pause; null if there is none. */
export class NotAnsweringError extends RetryLater {
  readonly reason: 'timeout' | 'unreachable' | 'paused'
  readonly pausedUntil: Date | null
  constructor(message: string, reason: NotAnsweringError['reason'], pausedUntil: number) {
    super(message, reason === 'paused' ? pausedUntil - Date.now() : 0)
    this.reason = reason
    this.pausedUntil = pausedUntil ? new Date(pausedUntil) : null
  }
}

const isTimeout = (error: unknown) => (error as { code?: string }).code === 'ABORT_ERR'

/** Consecutive failures before a pause. */
const MAX_FAILURES = 3
/** In ms. A later answer counts as a failure. */
const SLOW = 3000
/** Push services, and members at push services, whose failures are counted. */
const MAX_COUNTED = 2000

interface Failures {
  count: number
  member: number
  ofSeveral: boolean
  /** In ms since 1970; 0 for no pause. */
  until: number
}

/** `pause` is in ms. */
function createPauses(pause: number) {
  const all = new Map<string, Failures>()
  return {
    endOf: (name: string) => all.get(name)?.until ?? 0,
    succeed: (name: string) => void all.delete(name),
    /** A pause begins only if `isEnough` accepts the failures. */
    fail(name: string, member: number, isEnough: (failures: Failures) => boolean) {
      const known = all.get(name) ?? { count: 0, member, ofSeveral: false, until: 0 }
      known.count++
      known.ofSeveral ||= known.member !== member
      known.until = known.count >= MAX_FAILURES && isEnough(known) ? Date.now() + pause : 0
      all.delete(name)
      if (all.size >= MAX_COUNTED) all.delete(all.keys().next().value!)
      all.set(name, known)
    },
    /** Others are refused until the result of this request is known. */
    probe(name: string) {
      const known = all.get(name)
      if (known?.until) known.until = Date.now() + REQUEST_TIMEOUT
    },
  }
}

/**
 * After `MAX_FAILURES` requests in a row without an answer within `SLOW` ms, this member's devices at this
 * push service get none for `pause` ms; if several members' requests failed, all devices there. Otherwise
 * thousands of devices of a hanging service would occupy the parallel deliveries. After the pause one request
 * tries, and its failure begins the next. Throws `NotAnsweringError`.
 */
export function createSender(send: typeof sendPushRequest, pause: number): typeof sendPushRequest {
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
      throw new NotAnsweringError('The push service does not answer', 'paused', pausedUntil)
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
      // An ended job, for example of a stopping process, does not count as unanswered.
      if (signal?.aborted) throw error
      if (!isSlow) fail()
      const reason = isTimeout(error) ? 'timeout' : 'unreachable'
      throw new NotAnsweringError((error as Error).message, reason, findEnd())
    } finally {
      clearTimeout(slow)
    }
  }
}
