import type { Language } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'

// The functions of this file store and read the language of a member, for mails and push messages that
// somebody else causes, such as an admin or the operator. All other texts have the language of the request.

/** Stores the language in which a member registers, asks to join or logs in. */
export const saveMemberLanguage = (tx: Tx, user_id: number, lang: Language) =>
  tx
    .insertInto('member_languages')
    .values({ user_id, lang })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ lang }))
    .execute()

/**
 * Reads the stored language of a member. Returns `otherwise` if none is stored, for example because an
 * admin has created the account and nobody has logged in to it yet.
 */
export async function readMemberLanguage(db: Db, user_id: number, otherwise: Language) {
  const row = await db
    .selectFrom('member_languages')
    .select('lang')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.lang ?? otherwise
}
