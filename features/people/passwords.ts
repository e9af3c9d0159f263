import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { areSecretsEqual } from '#core/crypto.ts'
import { createFairQueue, QueueFullError } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'

/**
 * The cost of one hash: 19 MiB of memory and two passes, which is the second of OWASP's recommended settings
 * for argon2id.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/**
 * At most two hashes are computed at a time, to limit memory use. A hundred more can wait; that takes a few
 * seconds.
 */
const queue = createFairQueue({ concurrency: 2, capacity: 100 })
export const countWaitingHashes = queue.waiting

/** The value of the header Retry-After, in seconds. After this time a full queue has room again. */
const RETRY_AFTER = 5
const tooManyHashesError = () =>
  new HttpError(
    503,
    {
      en: 'Too many people are logging in right now. Please try again in a moment.',
      ja: 'ただいまログインが混み合っています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )

/**
 * Runs argon2 in the queue, which alternates between networks. `network` is the caller's network. Throws 503
 * if the queue is full.
 */
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
    throw error instanceof QueueFullError ? tooManyHashesError() : error
  }
}

const base64WithoutPadding = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** Returns the hash in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, network: string): Promise<string> {
  const nonce = randomBytes(16)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64WithoutPadding(nonce)}$${base64WithoutPadding(await hash(network, password, nonce))}`
}

/**
 * Returns the hash of a secret with a salt of `createSalt`, both in base64. So one hash is enough to find the
 * secret among several that are stored with the same salt.
 */
export const hashWithSalt = async (secret: string, salt: string, network: string) =>
  (await hash(network, secret, Buffer.from(salt, 'base64'))).toString('base64')

/** Returns a random salt of 128 bits for `hashWithSalt`. */
export const createSalt = () => randomBytes(16).toString('base64')

/** The hash of a random password that nobody knows. */
const dummyHash = hashPassword(randomBytes(16).toString('hex'), '')
export const readUnusablePasswordHash = () => dummyHash

/**
 * Returns whether the password is right. `stored` is the stored hash; undefined if there is no such account.
 * The check then takes the same time and returns false.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  network: string,
): Promise<boolean> {
  const [, , , costs, salt, tag] = (stored ?? (await dummyHash)).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [memory, passes, parallelism] = [...costs.matchAll(/\d+/g)].map(Number) as [number, number, number]
  const found = await hash(network, password, Buffer.from(salt, 'base64'), { memory, passes, parallelism })
  return areSecretsEqual(found, Buffer.from(tag, 'base64')) && stored !== undefined
}
