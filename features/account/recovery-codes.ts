import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type DatabaseTables, type Db, type Tx } from '#core/database/database.ts'
import type { RequestClientNetworkAndDevice } from '#core/http/client.ts'
import { createRandomBase32Code } from '#core/typed-codes.ts'
import { createRecoveryCodeSalt, hashSecretWithSalt } from '#features/people/passwords.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { hashTypedCodeWithAccountId } from './codes.ts'
import { enqueueSecurityMail } from './notices.ts'

const CODE_COUNT = 10
/**
 * The number of groups of characters in a recovery code. Four groups have 80 bits, so the codes are stored
 * with a slow hash: OWASP ASVS 6.5.2 requires a slow hash below 112 bits.
 */
const CODE_GROUPS = 4

/** New recovery codes, and the database rows that store their hashes. */
interface RecoveryCodes {
  codes: string[]
  rows: DatabaseTables['recovery_codes'][]
}

/**
 * Creates ten recovery codes and their hashes, which `replaceRecoveryCodes` stores. The hashes take some
 * tenths of a second, so the caller runs this function before its transaction. The function computes one hash
 * after the other: a log-in, which also computes a hash, then waits for one of them and not for all ten.
 * `network` is the network from which the request came. Throws 503 if too many hashes wait.
 */
export async function generateAndHashRecoveryCodes(user_id: number, network: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: CODE_COUNT }, () => createRandomBase32Code(CODE_GROUPS))
  const salt = createRecoveryCodeSalt()
  const rows = []
  for (const code of codes) {
    const code_hash = await hashSecretWithSalt(hashTypedCodeWithAccountId(user_id, code), salt, network)
    rows.push({ user_id, code_hash, salt, created_at: currentIsoTime() })
  }
  return { codes, rows }
}

/**
 * Stores new recovery codes of a member in place of the old ones, and returns the new codes. Only their
 * hashes are stored, so nobody can read the codes again.
 */
export async function replaceRecoveryCodes(tx: Tx, user_id: number, { codes, rows }: RecoveryCodes) {
  await deleteRecoveryCodes(tx, user_id)
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes
}

export const deleteRecoveryCodes = (tx: Tx, user_id: number) =>
  tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()

/**
 * Returns the hash of a typed recovery code in the form that is stored, for `consumeRecoveryCode`. Ignores
 * case, spaces and dashes. All codes of a member share one salt, so one hash is enough to find the code among
 * them. For a member without codes, hashes with another salt, so that the time is the same. `network` is the
 * network from which the request came. Throws 503 if too many hashes wait.
 */
export async function hashRecoveryCode(db: Db, user_id: number, code: string, network: string) {
  const row = await db
    .selectFrom('recovery_codes')
    .select('salt')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()
  return hashSecretWithSalt(
    hashTypedCodeWithAccountId(user_id, code),
    row?.salt ?? createRecoveryCodeSalt(),
    network,
  )
}

/**
 * Deletes a recovery code of a member, and returns whether the member had this code. If two transactions use
 * the same code, only the first gets true. `code_hash` is the result of `hashRecoveryCode`. The caller limits
 * the attempts, and calls `logRecoveryCodeUseAndEnqueueSecurityMail`.
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

/**
 * Records in the security log that a member has used a recovery code, and enqueues a mail that tells the
 * member.
 */
export async function logRecoveryCodeUseAndEnqueueSecurityMail(
  context: Pick<AppContext, 'config' | 'publicSite'> & {
    client: RequestClientNetworkAndDevice
    lang: Language
  },
  tx: Tx,
  user: number,
) {
  const { client, lang } = context
  await recordSecurityEvent(tx, user, 'recovery_code_used', { network: client.network })
  await enqueueSecurityMail(context, tx, { user, kind: 'recovery_code_used', lang, client })
}
