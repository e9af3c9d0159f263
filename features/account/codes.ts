import { createHash } from 'node:crypto'
import { normalizeTypedCode } from '#core/typed-codes.ts'

/**
 * Returns the SHA-256, in hex, of the account id and the code. A code that an admin gives to a member is
 * stored in this form; a recovery code is hashed again with a salt (see `hashRecoveryCode`). The account id
 * is included, so that somebody who reads the database must search for the codes of each account
 * separately.
 */
export const hashTypedCodeWithAccountId = (user_id: number, code: string) =>
  createHash('sha256')
    .update(`${user_id} ${normalizeTypedCode(code)}`)
    .digest('hex')
