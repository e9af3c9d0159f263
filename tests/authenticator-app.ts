import { hotpCode } from '#features/account/totp.ts'

/** Decodes a Base32 text (RFC 4648) without padding into bytes. */
const fromBase32 = (text: string) => {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
}

/**
 * Returns the code that an authenticator app shows now, or would show after `intervals` times thirty seconds.
 * `secret` is the Base32 text that a person types into the app.
 */
export const totpCode = (secret: string, intervals = 0) =>
  hotpCode(fromBase32(secret), Math.floor(Date.now() / 30_000) + intervals)
