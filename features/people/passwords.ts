import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { areSecretsEqual } from '#core/crypto.ts'
import { createFairQueue, QueueFullError } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'

/**
 * The cost of one password hash: 19 MiB of memory and two passes. It is the second of the settings that OWASP
 * recommends for argon2id.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/**
 * The queue of password hashes. At most two hashes are computed at a time, to limit the use of memory. A
 * hundred more can wait; computing them takes a few seconds.
 */
const queue = createFairQueue({ concurrency: 2, capacity: 100 })
export const getNumberOfWaitingPasswordHashes = queue.waiting

/** The value of the header Retry-After, in seconds. After this time a full queue has room again. */
const RETRY_AFTER = 5
const createTooManyHashesError = () =>
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
 * Computes an argon2id hash in the queue, which serves the networks of the callers in turn. `network` is the
 * network of the caller. Throws 503 if the queue is full.
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
    throw error instanceof QueueFullError ? createTooManyHashesError() : error
  }
}

const base64WithoutPadding = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/**
 * Returns the argon2id hash of a password in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 */
export async function hashPassword(password: string, network: string): Promise<string> {
  const nonce = randomBytes(16)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64WithoutPadding(nonce)}$${base64WithoutPadding(await hash(network, password, nonce))}`
}

/**
 * Returns the hash of a secret, such as a recovery code. The salt and the hash are in base64. The recovery
 * codes of a member have the same salt (see `createRecoveryCodeSalt`), so a typed code is hashed only once to
 * find it among the stored ones.
 */
export const hashSecretWithSalt = async (secret: string, salt: string, network: string) =>
  (await hash(network, secret, Buffer.from(salt, 'base64'))).toString('base64')

/** Returns a random salt of 128 bits for `hashSecretWithSalt`. */
export const createRecoveryCodeSalt = () => randomBytes(16).toString('base64')

/**
 * The hash of a random password that nobody knows. `verifyPassword` compares with it if there is no account.
 */
const dummyHash = hashPassword(randomBytes(16).toString('hex'), '')

/** The character that is stored before a password hash if nobody knows the password. */
const UNUSABLE = '!'

/**
 * Returns a text that is stored in place of a password hash, so that nobody can log in with a password.
 * `verifyPassword` takes the same time for this text as for a password hash.
 */
export const createUnusablePasswordHash = async () => UNUSABLE + (await dummyHash)

/**
 * Returns whether a stored password hash is that of a password that somebody has set, so that a log-in with
 * the password is possible.
 */
export const isUsablePasswordHash = (stored: string) => !stored.startsWith(UNUSABLE)

/**
 * Returns whether the password is right. `stored` is the stored hash; undefined if there is no such account.
 * In that case the check takes the same time, and the function returns false.
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
