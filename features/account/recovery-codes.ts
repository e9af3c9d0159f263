import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tables, type Tx } from '#core/database/database.ts'
import type { RequestClient } from '#core/http/client.ts'
import { createCode } from '#core/typed-codes.ts'
import { createSalt, hashWithSalt } from '#features/people/passwords.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { hashCode } from './codes.ts'
import { enqueueSecurityNotice } from './notices.ts'

const CODE_COUNT = 10
/** Four groups have 80 bits. OWASP ASVS 6.5.2 asks for a slow hash below 112 bits. */
const CODE_GROUPS = 4

/** New recovery codes, and the rows that store them. */
interface RecoveryCodes {
  codes: string[]
  rows: Tables['recovery_codes'][]
}

/**
 * Creates ten recovery codes. `saveRecoveryCodes` stores them. The hashes take some tenths of a second, so
 * they are computed before the transaction, and one after the other, so that log-ins need not wait for all.
 * `network` is the caller's network. Throws 503 if too many hashes wait.
 */
export async function generateRecoveryCodes(user_id: number, network: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: CODE_COUNT }, () => createCode(CODE_GROUPS))
  const salt = createSalt()
  const rows = []
  for (const code of codes) {
    const code_hash = await hashWithSalt(hashCode(user_id, code), salt, network)
    rows.push({ user_id, code_hash, salt, created_at: currentIsoTime() })
  }
  return { codes, rows }
}

/** Replaces the recovery codes of a member. Returns the new ones, which only this response contains. */
export async function saveRecoveryCodes(tx: Tx, user_id: number, { codes, rows }: RecoveryCodes) {
  await deleteRecoveryCodes(tx, user_id)
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes
}

export const deleteRecoveryCodes = (tx: Tx, user_id: number) =>
  tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()

/**
 * Returns the stored form of a recovery code, for `consumeRecoveryCode`. Case, spaces and dashes do not
 * matter. All codes of a member have one salt, so one hash is enough. It takes the same time for a member
 * without codes. `network` is the caller's network. Throws 503 if too many hashes wait.
 */
export async function hashRecoveryCode(db: Db, user_id: number, code: string, network: string) {
  const row = await db
    .selectFrom('recovery_codes')
    .select('salt')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return hashWithSalt(hashCode(user_id, code), row?.salt ?? createSalt(), network)
}

/**
 * Uses up a recovery code and returns whether it was valid. Of two transactions with the same code, one gets
 * false. `code_hash` is that of `hashRecoveryCode`. The caller limits attempts, and calls
 * `recordRecoveryCodeUse`.
 */
export async function consumeRecoveryCode(tx: Tx, user_id: number, code_hash: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** Returns how many unused recovery codes a member has. */
export async function countRecoveryCodes(db: Db, user_id: number) {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Records in the security log that a recovery code was used, and tells the owner by mail. */
export async function recordRecoveryCodeUse(
  context: Pick<AppContext, 'config' | 'publicSite'> & { client: RequestClient; lang: Language },
  tx: Tx,
  user: number,
) {
  const { client, lang } = context
  await recordSecurityEvent(tx, user, 'recovery_code_used', { network: client.network })
  await enqueueSecurityNotice(context, tx, { user, kind: 'recovery_code_used', lang, client })
}
