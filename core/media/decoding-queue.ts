import { createFairQueue, QueueFull } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'

/** Images that are decoded and resized at the same time. */
const CONCURRENCY = 2
const CAPACITY = 200
/** Seconds until a full queue has become short. */
const RETRY_AFTER = 30

/**
 * The queue for all work on images. Members take turns. Of large images, only one is decoded at a time, so
 * that memory is bounded and small ones go on beside it.
 */
export function createDecodingQueue() {
  const all = createFairQueue({ concurrency: CONCURRENCY, capacity: CAPACITY })
  const large = createFairQueue({ concurrency: 1, capacity: CAPACITY })
  return {
    /**
     * Runs `task` in its turn. Rejects with the reason of `signal` where it aborts before that. Throws 503
     * where too many tasks wait.
     */
    async run<T>(
      member: string,
      isLarge: boolean,
      task: () => Promise<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> {
      const inTurn = () => all.run(member, task, signal)
      return (isLarge ? large.run(member, inTurn, signal) : inTurn()).catch((error: unknown) => {
        throw error instanceof QueueFull ? busy() : error
      })
    },
    waiting: () => all.waiting() + large.waiting(),
  }
}

const busy = () =>
  new HttpError(
    503,
    {
      en: 'Many pictures are being processed just now. Try again in a moment.',
      ja: 'ただいま画像の処理が混み合っています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )
