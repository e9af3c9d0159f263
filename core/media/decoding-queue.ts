import { createFairQueue, QueueFullError } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'

/** The maximum number of images that are decoded and resized at the same time. */
const CONCURRENCY = 2
const CAPACITY = 200
/** The Retry-After value, in seconds, for a full queue. */
const RETRY_AFTER = 30

/**
 * Creates the queue for decoding and resizing images. Members take turns. Only one large image is decoded at
 * a time, so that memory is bounded and small images do not wait for large ones.
 */
export function createImageDecodingQueue() {
  const all = createFairQueue({ concurrency: CONCURRENCY, capacity: CAPACITY })
  const large = createFairQueue({ concurrency: 1, capacity: CAPACITY })
  return {
    /**
     * Runs `task` when it is the turn of `member`. Rejects with the reason of `signal` if the signal aborts
     * before the task starts, and with 503 if too many tasks wait.
     */
    async run<T>(
      member: string,
      isLarge: boolean,
      task: () => Promise<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> {
      const inTurn = () => all.run(member, task, signal)
      return (isLarge ? large.run(member, inTurn, signal) : inTurn()).catch((error: unknown) => {
        throw error instanceof QueueFullError ? tooManyImages() : error
      })
    },
    waiting: () => all.waiting() + large.waiting(),
  }
}

const tooManyImages = () =>
  new HttpError(
    503,
    {
      en: 'Many pictures are being processed just now. Try again in a moment.',
      ja: 'ただいま画像の処理が混み合っています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )
