import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { safeEqual } from '#core/crypto.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes. Off the main thread, and few at a time so that log-ins cannot fill the memory. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)
const limit = pLimit(2)
export const queuedPasswordHashes = () => limit.pendingCount

const hash = (password: string, nonce: Buffer, { memory, passes, parallelism } = cost) =>
  limit(() =>
    derive('argon2id', { message: Buffer.from(password), nonce, parallelism, tagLength: 32, memory, passes }),
  )

const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** In PHC's string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(nonce)}$${plain(await hash(password, nonce))}`
}

const nobody = hashPassword(randomBytes(16).toString('hex'))

/** Takes as long when there is no such account (`stored` is undefined) as when there is. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, , , costs, salt, tag] = (stored ?? (await nobody)).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [memory, passes, parallelism] = [...costs.matchAll(/\d+/g)].map(Number) as [number, number, number]
  const found = await hash(password, Buffer.from(salt, 'base64'), { memory, passes, parallelism })
  return safeEqual(found, Buffer.from(tag, 'base64')) && stored !== undefined
}
