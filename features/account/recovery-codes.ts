import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type DatabaseTables, type Db, isoNow, type Tx } from '#core/database/database.ts'
import type { Client } from '#core/http/client.ts'
import { randomCode } from '#core/secrets/typed-codes.ts'
import { createSalt, hashSecret } from '#features/people/passwords.ts'
import * as securityLog from '#features/people/security-log.ts'
import { hashTypedCode } from './codes.ts'
import { sendSecurityMail } from './notices.ts'

const CODE_COUNT = 10
/** 80 bits, so they are stored with a slow hash, which OWASP ASVS 6.5.2 requires below 112 bits. */
const CODE_GROUPS = 4

interface RecoveryCodes {
  codes: string[]
  rows: DatabaseTables['recovery_codes'][]
}

/**
 * For `recoveryCodes.replace`. Takes some tenths of a second, so before the transaction; one hash after the
 * other, so that a log-in waits for one of them and not for all ten. 503 if too many hashes wait.
 */
export async function generate(user_id: number, network: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: CODE_COUNT }, () => randomCode(CODE_GROUPS))
  const salt = createSalt()
  const rows = []
  for (const code of codes) {
    const code_hash = await hashSecret(hashTypedCode(user_id, code), salt, network)
    rows.push({ user_id, code_hash, salt, created_at: isoNow() })
  }
  return { codes, rows }
}

/** Only hashes are stored, so nobody can read the codes again. */
export async function replace(tx: Tx, user_id: number, { codes, rows }: RecoveryCodes) {
  await removeAll(tx, user_id)
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes
}

export const removeAll = (tx: Tx, user_id: number) =>
  tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()

/**
 * Ignores case, spaces and dashes. The codes of a member share one salt, so one hash is enough; a member
 * without codes gets another salt, so that the time is the same. 503 if too many hashes wait.
 */
export async function hash(db: Db, user_id: number, code: string, network: string) {
  const row = await db
    .selectFrom('recovery_codes')
    .select('salt')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return hashSecret(hashTypedCode(user_id, code), row?.salt ?? createSalt(), network)
}

/**
 * False if the member has no such code; of two transactions, only the first gets true. `code_hash` is from
 * `recoveryCodes.hash`. The caller limits the attempts, and calls `recoveryCodes.reportUse`.
 */
export async function consume(tx: Tx, user_id: number, code_hash: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

export async function countLeft(db: Db, user_id: number) {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function reportUse(
  context: Pick<AppContext, 'config' | 'publicSite'> & {
    client: Client
    lang: Language
  },
  tx: Tx,
  user: number,
) {
  const { client, lang } = context
  await securityLog.record(tx, user, 'recovery_code_used', { network: client.network })
  await sendSecurityMail(context, tx, { user, kind: 'recovery_code_used', lang, client })
}
