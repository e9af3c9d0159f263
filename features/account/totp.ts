import { createHmac } from 'node:crypto'
import { areSecretsEqual } from '#core/crypto.ts'

// The functions of this file compute time-based one-time passwords (RFC 6238) as authenticator apps support
// them: HMAC-SHA-1, six digits, a new code every thirty seconds.

const DIGITS = 6
/** The number of seconds for which an authenticator app shows a code. */
const INTERVAL = 30

/**
 * Returns the number of the 30-second interval that contains a time. The time is in milliseconds since 1970.
 */
const toCounter = (time: number) => Math.floor(time / 1000 / INTERVAL)

/** Returns the one-time code for a counter (RFC 4226, section 5.3), with `digits` digits. */
export function computeHotpCode(secret: Buffer, counter: number, digits = DIGITS) {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const truncated = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the counter of the time interval to which a code belongs: the interval at `time` (milliseconds
 * since 1970), or the one before or after it, because clocks differ. Accepts only counters above
 * `lastCounter`, so that no code works twice. Returns undefined if the code is wrong or was used.
 */
export function findUnusedTotpCounterOfCode(secret: Buffer, code: string, lastCounter: number, time: number) {
  const now = toCounter(time)
  return [now - 1, now, now + 1]
    .filter((counter) => areSecretsEqual(code, computeHotpCode(secret, counter)))
    .find((counter) => counter > lastCounter)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in Base32 (RFC 4648) without padding. The number of bytes must be a multiple of five. */
export const toBase32 = (bytes: Buffer) =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/.{5}/g, (bits) => BASE32[Number.parseInt(bits, 2)]!)

/**
 * Returns the `otpauth:` URL with the secret, which authenticator apps read from a QR code
 * (https://github.com/google/google-authenticator/wiki/Key-Uri-Format).
 */
export function createOtpAuthUrl(secret: Buffer, issuer: string, account: string) {
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
