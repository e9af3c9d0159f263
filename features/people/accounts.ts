import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { foldCase, foldName, type PageParams } from '#core/contract.ts'
import { type Db, isPostgres, likePattern, type Tx } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { isAdmin, noSuchUser, sharesName } from './read.ts'

// Accounts as admins see them: every one, whoever may see the person.

const accountRows = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .select([
      'users.id',
      'name',
      'handle',
      sharesName.as('shares_name'),
      'email',
      'email_verified_at',
      'users.created_at',
      'image',
    ])
    .select('suspensions.created_at as suspended_at')
    .select((query) => isAdmin(query).as('admin'))
export type AccountRow = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number]

/** One page of accounts and one row more, by id. `q` is contained in the name or the e-mail address. */
export function findAccounts(db: Db, { q, ...page }: PageParams & { q: string | null }) {
  const [name, email] = [foldName, foldCase].map((fold) => likePattern(fold(q ?? '')))
  const matches = sql<boolean>`(name_key like ${name} escape '\\' or email_key like ${email} escape '\\')`
  const found = accountRows(db).$if(q !== null, (query) => query.where(matches))
  return keysetPage(found, 'users.id', page).execute()
}

/**
 * Changes what an account may do, and returns it as it is afterwards. The account is locked until the commit.
 */
export const changeAccount = (
  { db }: AppContext,
  id: number,
  change: (tx: Tx, account: AccountRow) => Promise<unknown>,
) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const read = async () => {
      const account = await accountRows(tx).where('users.id', '=', id).executeTakeFirst()
      if (!account) throw noSuchUser()
      return account
    }
    await change(tx, await read())
    return read()
  })

/**
 * Counts the admins and locks them all, so that two who revoke each other's right come one after the other.
 */
export async function lockAdmins(tx: Tx) {
  const admins = await tx
    .selectFrom('admins')
    .select('user_id')
    .orderBy('user_id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  return admins.length
}

export const countAccounts = (db: Db, newSince: string) =>
  db
    .selectFrom('users')
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where created_at > ${newSince})`.as('new'),
    ])
    .executeTakeFirstOrThrow()
