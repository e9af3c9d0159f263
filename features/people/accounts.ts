import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { foldCase, foldNameForSearch, type PageParameters } from '#core/contract.ts'
import { type Db, isPostgres, type Tx, toLikePattern } from '#core/database/database.ts'
import { limitToKeysetPage } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { isAdminExpression, noSuchUserError } from './read.ts'
import { notSuspendedCondition } from './visibility.ts'

// These functions are for admins. They read all accounts, including those that visibility rules hide.

const accountRows = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .select([
      'users.id',
      'name',
      'handle',
      'shared_handle',
      'email',
      'email_verified_at',
      'users.created_at',
      'image',
    ])
    .select('suspensions.created_at as suspended_at')
    .select((query) => isAdminExpression(query).as('admin'))
    .where('users.former_since', 'is', null)
export type AccountRow = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number]

/**
 * Returns one page of the accounts whose name or e-mail address contains `q`, ordered by id. If `q` is null,
 * returns all accounts. One account more than the page holds shows that there is a next page.
 */
export function listAccountRows(db: Db, { q, ...page }: PageParameters & { q: string | null }) {
  const [name, email] = [foldNameForSearch, foldCase].map((fold) => toLikePattern(fold(q ?? '')))
  const matches = sql<boolean>`(name_key like ${name} escape '\\' or email_key like ${email} escape '\\')`
  const found = accountRows(db).$if(q !== null, (query) => query.where(matches))
  return limitToKeysetPage(found, 'users.id', page).execute()
}

/**
 * Runs `change` on an account and returns the account as it is afterwards. Locks the account until the
 * commit. Throws 404 if there is no such account.
 */
export const withLockedAccount = (
  { db }: Pick<AppContext, 'db'>,
  id: number,
  change: (tx: Tx, account: AccountRow) => Promise<unknown>,
) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const read = async () => {
      const account = await accountRows(tx).where('users.id', '=', id).executeTakeFirst()
      if (!account) throw noSuchUserError()
      return account
    }
    await change(tx, await read())
    return read()
  })

/**
 * Locks the rows of all admins who can log in until the commit and returns their ids. Without the lock, two
 * admins could revoke each other's right at the same moment, so that no admin would remain.
 */
export async function lockAdmins(tx: Tx) {
  const admins = await tx
    .selectFrom('admins')
    .select('user_id')
    .where(notSuspendedCondition('admins.user_id'))
    .orderBy('user_id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  return admins.map(({ user_id }) => user_id)
}

/** Counts all accounts (`total`), and those that were created after `since` (`recent`). */
export const readAccountCounts = (db: Db, since: string) =>
  db
    .selectFrom('users')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where created_at > ${since})`.as('recent'),
    ])
    .where('former_since', 'is', null)
    .executeTakeFirstOrThrow()
