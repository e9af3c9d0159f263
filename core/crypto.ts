import { timingSafeEqual } from 'node:crypto'

/**
 * Returns whether a secret that a client sent is the expected one. The time that it takes does not depend on
 * where the two differ, so a client cannot guess the secret byte by byte. It may depend on their lengths.
 */
export function areSecretsEqual(given: string | Buffer, expected: string | Buffer) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
