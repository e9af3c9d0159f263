import { HttpError } from '#core/http/errors.ts'
import { createFairQueue, QueueFullError } from '#core/process/fair-queue.ts'

/** Images that are decoded and resized at the same time. */
const CONCURRENCY = 2
const CAPACITY = 200
/** Seconds, for Retry-After of a full queue. */
const RETRY_AFTER = 30

/** Members take turns. Only one large image is decoded at a time: memory is bounded, and small ones go on. */
export function createImageQueue() {
  const all = createFairQueue({ concurrency: CONCURRENCY, capacity: CAPACITY })
  const large = createFairQueue({ concurrency: 1, capacity: CAPACITY })
  return {
    /** Rejects with the reason of an abort before the start, and with 503 if too many tasks wait. */
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
