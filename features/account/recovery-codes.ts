import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import type { RequestClient } from '#core/http/client.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { createCode, hashCode } from './codes.ts'
import { enqueueSecurityNotice } from './notices.ts'

const CODE_COUNT = 10
/** Four groups have 80 bits. A stolen database does not reveal them, although SHA-256 is fast to compute. */
const CODE_GROUPS = 4

/** Gives a member ten new recovery codes, which replace the old ones. Only this response contains them. */
export async function createRecoveryCodes(tx: Tx, user_id: number) {
  const codes = Array.from({ length: CODE_COUNT }, () => createCode(CODE_GROUPS))
  const created_at = currentIsoTime()
  await deleteRecoveryCodes(tx, user_id)
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id, code_hash: hashCode(user_id, code), created_at })))
    .execute()
  return codes
}

export const deleteRecoveryCodes = (tx: Tx, user_id: number) =>
  tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()

/**
 * Uses up a recovery code and returns whether it was valid. Of two transactions with the same code, one gets
 * false. Case, spaces and dashes do not matter. The caller limits attempts, and calls
 * `recordRecoveryCodeUse`.
 */
export async function consumeRecoveryCode(tx: Tx, user_id: number, code: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', hashCode(user_id, code))
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
