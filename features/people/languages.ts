import type { Language } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'

// For mails and push messages that somebody else causes, such as an admin or the operator. All other texts
// have the language of the request.

export const saveLanguage = (tx: Tx, user_id: number, lang: Language) =>
  tx
    .insertInto('member_languages')
    .values({ user_id, lang })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ lang }))
    .execute()

/** `otherwise` if none is stored, as for an account that an admin created and nobody has logged in to. */
export async function languageOf(db: Db, user_id: number, otherwise: Language) {
  const row = await db
    .selectFrom('member_languages')
    .select('lang')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.lang ?? otherwise
}
