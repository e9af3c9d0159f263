import { createHash } from 'node:crypto'
import { normalizeCode } from '#core/secrets/typed-codes.ts'

/**
 * SHA-256 in hex, with the account id, so that a reader of the database must search for the codes of each
 * account separately. Stored for a code that an admin gives; a recovery code is hashed again with a salt.
 */
export const hashTypedCode = (user_id: number, code: string) =>
  createHash('sha256')
    .update(`${user_id} ${normalizeCode(code)}`)
    .digest('hex')
