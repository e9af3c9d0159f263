import { createHash } from 'node:crypto'
import { normalizeCode } from '#core/typed-codes.ts'

/**
 * Returns the stored form of an account's code: a SHA-256 in hex. It includes the account, so that
 * somebody who reads the database must search for the codes of each account separately.
 */
export const hashAccountCode = (user_id: number, code: string) =>
  createHash('sha256')
    .update(`${user_id} ${normalizeCode(code)}`)
    .digest('hex')
