import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { type Db, isPostgres, type Tx, toSqlSubstringLikePattern } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import type { MemberFileKindAndSizeQueryBuilder } from '#core/statistics.ts'
import { foldCaseAndWidth, foldNameForSearch } from '#core/unicode.ts'
import { buildNotExampleMemberCondition } from './examples.ts'
import { buildIsAdminExpression, createNoSuchUserError } from './read.ts'
import { buildNotSuspendedCondition } from './visibility.ts'

// The functions of this file read and count accounts without the visibility rules, so that blocks
// hide nobody. They also read suspended accounts, unless a function says otherwise. Former members have no
// account.

const accountRows = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .leftJoin('deletion_suspensions', 'deletion_suspensions.user_id', 'users.id')
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
    .select((query) =>
      query.fn.coalesce('suspensions.created_at', 'deletion_suspensions.created_at').as('suspended_at'),
    )
    .select((query) => buildIsAdminExpression(query).as('admin'))
    .where('users.former_since', 'is', null)
export type AccountRowForAdmins = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number]

/**
 * Returns one page of the accounts whose name or, with `by_email`, whose e-mail address contains `q`, or of
 * all accounts if `q` is null, ordered by id. Returns one account more than the page holds if there is a next page.
 */
export function listAccountRowsForAdmins(
  db: Db,
  { q, by_email, ...page }: PaginationParameters & { q: string | null; by_email: boolean },
) {
  const [name, email] = [foldNameForSearch, foldCaseAndWidth].map((fold) =>
    toSqlSubstringLikePattern(fold(q ?? '')),
  )
  const byName = sql<boolean>`name_key like ${name} escape '\\'`
  const matches = by_email ? sql<boolean>`(${byName} or email_key like ${email} escape '\\')` : byName
  const found = accountRows(db).$if(q !== null, (query) => query.where(matches))
  return limitQueryToKeysetPagePlusOneRow(found, 'users.id', page).execute()
}

/**
 * Runs `change` for an account in a transaction, and returns the account as it is afterwards. Locks the
 * row of the account until the commit. Throws 404 if there is no such account.
 */
export const changeAndReadAccountWithRowLock = (
  { db }: Pick<AppContext, 'db'>,
  id: number,
  change: (tx: Tx, account: AccountRowForAdmins) => Promise<unknown>,
) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const read = async () => {
      const account = await accountRows(tx).where('users.id', '=', id).executeTakeFirst()
      if (!account) throw createNoSuchUserError()
      return account
    }
    await change(tx, await read())
    return read()
  })

/**
 * Returns when the member joined, if that was after `since` and no admin or moderator has said that they know
 * the member. Otherwise, and for admins and moderators, returns undefined.
 */
export async function readJoinTimeOfNewMember(db: Db, id: number, since: string) {
  const row = await db
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .where('created_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('known_members').select('user_id').whereRef('user_id', '=', 'users.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('moderators').select('user_id').whereRef('user_id', '=', 'users.id'))),
    )
    .where((query) => query.not(buildIsAdminExpression(query)))
    .executeTakeFirst()
  return row?.created_at
}

/**
 * Locks the rows of all admins who can log in until the commit, and returns the ids of these admins. Without
 * the lock, two admins could revoke each other's right at the same moment, so that no admin would remain.
 */
export async function lockActiveAdminRowsAndListIds(tx: Tx) {
  const admins = await tx
    .selectFrom('admins')
    .select('user_id')
    .where(buildNotSuspendedCondition('admins.user_id'))
    .orderBy('user_id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  return admins.map(({ user_id }) => user_id)
}

/**
 * Counts the accounts of all members but the example members (`total`), and those of them that were created
 * after `since` (`recent`).
 */
export const countAllAndRecentAccounts = (db: Db, since: string) =>
  db
    .selectFrom('users')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where created_at > ${since})`.as('recent'),
    ])
    .where('former_since', 'is', null)
    .where(buildNotExampleMemberCondition('users.id'))
    .executeTakeFirstOrThrow()

/**
 * Builds the query for the accounts of all members, with the columns of a `Person` and the handle, without
 * visibility rules.
 */
export const buildUnfilteredPersonAndHandleRowsQuery = (db: Db) =>
  db
    .selectFrom('users')
    .select(['users.id', 'name', 'handle', 'image', 'shared_handle'])
    .where('users.former_since', 'is', null)

/** Returns the set of those of the given handles that belong to an account. */
export async function filterTakenHandles(db: Db, handles: readonly string[]) {
  if (!handles.length) return new Set<string>()
  const rows = await db.selectFrom('users').select('handle').where('handle', 'in', handles).execute()
  return new Set(rows.map(({ handle }) => handle))
}

/**
 * Returns those of the given names that any member already has; former members do not count. The names are
 * folded by `foldNameForSearch`.
 */
export async function filterTakenFoldedNames(db: Db, foldedNames: readonly string[]) {
  if (!foldedNames.length) return new Set<string>()
  const rows = await db
    .selectFrom('users')
    .select('name_key')
    .distinct()
    .where('name_key', 'in', foldedNames)
    .where('former_since', 'is', null)
    .execute()
  return new Set(rows.map(({ name_key }) => name_key))
}

/**
 * Defines the profile pictures as one kind of stored files for the list in which admins see whose files take
 * the most space.
 */
export const profilePictureStatisticsDefinition: MemberFileKindAndSizeQueryBuilder = {
  kind: 'profile_pictures',
  buildQuery: () => sql`
    select users.id as user_id, media.bytes from users join media on media.name = users.image`,
}

interface AwayMembersOptions {
  /** The time (ISO 8601) since which a member must not have used a session to be listed. */
  since: string
  /** Only members whose id is greater than this id are listed. */
  after: number
  limit: number
}

/**
 * Returns the ids of members who have not visited since the time `since`, have a verified e-mail address, and
 * are not suspended, ordered by id. Leaves out accounts that were created after that time.
 */
export async function listInactiveMemberIdsWithVerifiedEmail(
  db: Db,
  { since, after, limit }: AwayMembersOptions,
) {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '>', after)
    .where('email', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .where('former_since', 'is', null)
    .where('created_at', '<', since)
    .where(buildNotSuspendedCondition('users.id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions')
            .select('sessions.user_id')
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.refreshed_at', '>', since),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
