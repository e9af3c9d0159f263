import { createHmac } from 'node:crypto'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

// RFC 6238 as authenticator apps support it: HMAC-SHA-1, six digits, a new code every thirty seconds.

const DIGITS = 6
/** In seconds. */
const INTERVAL = 30

/** `time` is in ms since 1970. */
const toCounter = (time: number) => Math.floor(time / 1000 / INTERVAL)

/** RFC 4226, section 5.3. */
export function hotpCode(secret: Buffer, counter: number, digits = DIGITS) {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const truncated = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/**
 * The interval at `time` (ms since 1970), or the one before or after it, because clocks differ. Only above
 * `lastCounter`, so that no code works twice. Undefined if the code is wrong or was used.
 */
export function totpCounter(secret: Buffer, code: string, lastCounter: number, time: number) {
  const now = toCounter(time)
  return [now - 1, now, now + 1]
    .filter((counter) => areSecretsEqual(code, hotpCode(secret, counter)))
    .find((counter) => counter > lastCounter)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding. The number of bytes must be a multiple of five. */
export const toBase32 = (bytes: Buffer) =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/.{5}/g, (bits) => BASE32[Number.parseInt(bits, 2)]!)

/** For a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function otpAuthUrl(secret: Buffer, issuer: string, account: string) {
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
