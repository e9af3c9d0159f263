import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Returns whether a secret that a client sent is the expected one. The time of the comparison does not depend
 * on where the two differ, so a client cannot guess the secret byte by byte. The time may depend on their
 * lengths.
 */
export function areSecretsEqual(given: string | Buffer, expected: string | Buffer) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns a random token of 256 bits for a link or a cookie, as 43 characters of base64url. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** Returns the SHA-256 of a token in hexadecimal, which is what the database stores instead of the token. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
