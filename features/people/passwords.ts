import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { areSecretsEqual } from '#core/crypto.ts'
import { createFairQueue, QueueFullError } from '#core/fair-queue.ts'
import { HttpError } from '#core/http/errors.ts'
import { normalizePassword } from '#core/unicode.ts'

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

const base64WithoutPadding = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

/**
 * Returns the argon2id hash of a password in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 */
export async function hashPassword(password: string, network: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash(network, normalizePassword(password), nonce)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64WithoutPadding(nonce)}$${base64WithoutPadding(tag)}`
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
 * Returns the text that is stored in place of the hash of a password that logs nobody in, because a stranger
 * may have chosen it. `verifyPassword` still recognises the password, so that a log-in can answer with a mail
 * to the owner of the address.
 */
export const toUntrustedPasswordHash = (hash: string) => UNUSABLE + hash

/**
 * Returns whether a stored password hash is that of a password that somebody has set, so that a log-in with
 * the password is possible.
 */
export const isUsablePasswordHash = (stored: string) => !stored.startsWith(UNUSABLE)

/**
 * Returns `right`, `outdated` or false. `outdated` means that the password is right, but was hashed before
 * passwords were normalised, so that the next log-in replaces the hash. `stored` is undefined if there is no
 * such account: then the check takes the same time as for a wrong password, and returns false.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  network: string,
): Promise<'right' | 'outdated' | false> {
  const [, , , costs, salt, tag] = (stored ?? (await dummyHash)).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [memory, passes, parallelism] = [...costs.matchAll(/\d+/g)].map(Number) as [number, number, number]
  const nonce = Buffer.from(salt, 'base64')
  const isHashOf = async (text: string) => {
    const found = await hash(network, text, nonce, { memory, passes, parallelism })
    return areSecretsEqual(found, Buffer.from(tag, 'base64')) && stored !== undefined
  }
  const normalized = normalizePassword(password)
  if (await isHashOf(normalized)) return 'right'
  return normalized !== password && (await isHashOf(password)) ? 'outdated' : false
}
