import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { safeEqual } from '#core/crypto.ts'
import { createFairQueue, QueueFull } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes. It runs off the main thread. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/** Hashes that run at a time: they must not fill the memory. A hundred that wait take a few seconds. */
const queue = createFairQueue({ concurrency: 2, capacity: 100 })
export const queuedPasswordHashes = queue.waiting

/** Seconds until a full queue has become short. */
const RETRY_AFTER = 5
const busy = () =>
  new HttpError(
    503,
    {
      en: 'Many people are logging in just now. Try again in a moment.',
      ja: 'ただいまログインが混み合っています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )

/** Networks take turns: `network` is that of the caller. Throws 503 where the queue is full. */
async function hash(
  network: string,
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism } = cost,
) {
  const message = Buffer.from(password)
  try {
    return await queue.run(network, () =>
      derive('argon2id', { message, nonce, parallelism, tagLength: 32, memory, passes }),
    )
  } catch (error) {
    throw error instanceof QueueFull ? busy() : error
  }
}

const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** In PHC's string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, network: string): Promise<string> {
  const nonce = randomBytes(16)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(nonce)}$${plain(await hash(network, password, nonce))}`
}

const nobody = hashPassword(randomBytes(16).toString('hex'), '')

/** Takes as long when there is no such account (`stored` is undefined) as when there is. */
export async function isPassword(
  password: string,
  stored: string | undefined,
  network: string,
): Promise<boolean> {
  const [, , , costs, salt, tag] = (stored ?? (await nobody)).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [memory, passes, parallelism] = [...costs.matchAll(/\d+/g)].map(Number) as [number, number, number]
  const found = await hash(network, password, Buffer.from(salt, 'base64'), { memory, passes, parallelism })
  return safeEqual(found, Buffer.from(tag, 'base64')) && stored !== undefined
}
