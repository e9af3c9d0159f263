import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { HttpError } from '#core/http/errors.ts'
import { createFairQueue, QueueFullError } from '#core/process/fair-queue.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import { normalizePassword } from '#core/text/unicode.ts'

/** 19 MiB and two passes: the second of the settings that OWASP recommends for argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/** Two hashes at a time, to limit memory. A hundred more can wait, which takes a few seconds. */
const queue = createFairQueue({ concurrency: 2, capacity: 100 })
export const waitingHashes = queue.waiting

/** Retry-After in seconds: then a full queue has room again. */
const RETRY_AFTER = 5
const tooManyHashes = () =>
  new HttpError(
    503,
    {
      en: 'Too many people are logging in right now. Please try again in a moment.',
      ja: 'ただいまログインが混み合っています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )

/** Serves the networks of the callers in turn. 503 if the queue is full. */
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
    throw error instanceof QueueFullError ? tooManyHashes() : error
  }
}

const base64WithoutPadding = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

/** PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, network: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash(network, normalizePassword(password), nonce)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64WithoutPadding(nonce)}$${base64WithoutPadding(tag)}`
}

/**
 * Salt and hash are in base64. The recovery codes of a member share a salt, so a typed code is hashed only
 * once to find it among the stored ones.
 */
export const hashSecret = async (secret: string, salt: string, network: string) =>
  (await hash(network, secret, Buffer.from(salt, 'base64'))).toString('base64')

/** 128 bits, for `hashSecret`. */
export const createSalt = () => randomBytes(16).toString('base64')

/** Nobody knows its password: `verifyPassword` compares with it if there is no account. */
const dummyHash = hashPassword(randomBytes(16).toString('hex'), '')

/** Stored before a hash whose password logs nobody in. */
const UNUSABLE = '!'

/** Nobody can log in with it, and `verifyPassword` takes the same time for it. */
export const unusableHash = async () => UNUSABLE + (await dummyHash)

/**
 * For a password that a stranger may have chosen. `verifyPassword` still recognises it, so that a log-in can
 * answer with a mail to the owner of the address.
 */
export const untrustedHash = (hash: string) => UNUSABLE + hash

export const isUsableHash = (stored: string) => !stored.startsWith(UNUSABLE)

/**
 * `outdated`: right, but hashed before passwords were normalised, so the next log-in replaces it. `stored` is
 * undefined without an account: then it takes the same time, and resolves to false.
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
