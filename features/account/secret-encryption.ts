import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'

// AES-256-GCM: a copy of the database without SECRET is unreadable. No hash, because the server reads the
// secrets.

const IV_LENGTH = 12
const TAG_LENGTH = 16

/** HKDF, RFC 5869. */
const deriveKey = ({ SECRET }: Config, purpose: string) =>
  Buffer.from(hkdfSync('sha256', SECRET, '', `engawa ${purpose}`, 32))

/**
 * As base64url. `purpose` separates the keys of kinds of secrets. `owner` is authenticated: the text of one
 * owner cannot be decrypted as that of another.
 */
export function encryptSecret(config: Config, purpose: string, owner: number, secret: Buffer) {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(config, purpose), iv).setAAD(toBytes(owner))
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Null if the text was changed or SECRET has another value now. */
export function decryptSecret(config: Config, purpose: string, owner: number, text: string) {
  const bytes = Buffer.from(text, 'base64url')
  const [iv, tag] = [bytes.subarray(0, IV_LENGTH), bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH)]
  try {
    const options = { authTagLength: TAG_LENGTH }
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(config, purpose), iv, options)
      .setAAD(toBytes(owner))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()])
  } catch {
    return null
  }
}

const toBytes = (owner: number) => Buffer.from(String(owner))
