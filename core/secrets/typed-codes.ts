import { randomBytes } from 'node:crypto'
import { foldCaseAndWidth } from '#core/text/unicode.ts'

// This file creates and normalizes codes that people read and type, such as `4kq7-m2xe-9ydr-h06t`.

/**
 * The 32 characters of Crockford's base 32 (https://www.crockford.com/base32.html): none of them look alike.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUP_LENGTH = 4

/** Returns a random code of `groups` groups of four characters. Each character has five random bits. */
export const randomCode = (groups: number) =>
  Array.from({ length: groups }, () =>
    Array.from(randomBytes(GROUP_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  ).join('-')

/**
 * Returns a typed code without spaces and dashes, in lower case. Replaces the letters that people read
 * instead of digits: `O` becomes 0, `I` and `L` become 1.
 */
export const normalizeCode = (code: string) =>
  foldCaseAndWidth(code)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
