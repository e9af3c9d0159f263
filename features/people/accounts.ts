import { sql } from 'kysely'
import type { MemberFilesQuery } from '#core/community/statistics.ts'
import type { AppContext } from '#core/context.ts'
import { type Db, isPostgres, likePattern, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import type { PageParams } from '#core/schemas.ts'
import { foldAddress } from '#core/text/addresses.ts'
import { notExample } from './examples.ts'
import * as listed from './listed.ts'
import * as persons from './read.ts'
import * as visibility from './visibility.ts'

// These functions apply no visibility rules, so blocks hide nobody, and include suspended accounts unless
// they say otherwise. Former members have no account.

const accountRows = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .leftJoin('deletion_suspensions', 'deletion_suspensions.user_id', 'users.id')
    .select([
      'users.id',
      'name',
      'reading',
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
    .select((query) => persons.adminExpression(query).as('admin'))
    .select((query) => persons.announcerExpression(query).as('announcer'))
    .where('users.former_since', 'is', null)
export type AccountRow = Awaited<ReturnType<ReturnType<typeof accountRows>['execute']>>[number]

/** `q` is in the name, its reading or, with `by_email`, the address; null lists all. One row more if a page follows. */
export function list(db: Db, { q, by_email, ...page }: PageParams & { q: string | null; by_email: boolean }) {
  const email = likePattern(foldAddress(q ?? ''))
  const byName = listed.nameContains(q ?? '')
  const matches = by_email ? sql<boolean>`(${byName} or email_key like ${email} escape '\\')` : byName
  const found = accountRows(db).$if(q !== null, (query) => query.where(matches))
  return pageOf(found, 'users.id', page).execute()
}

/** Locks the account until the commit, and returns it as `change` leaves it. 404 if there is none. */
export const change = (
  { db }: Pick<AppContext, 'db'>,
  id: number,
  change: (tx: Tx, account: AccountRow) => Promise<unknown>,
) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const read = async () => {
      const account = await accountRows(tx).where('users.id', '=', id).executeTakeFirst()
      if (!account) throw persons.notFound()
      return account
    }
    await change(tx, await read())
    return read()
  })

/** Undefined for admins, moderators and known members, and for those who joined before `since`. */
export async function joinedAt(db: Db, id: number, since: string) {
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
    .where((query) => query.not(persons.adminExpression(query)))
    .executeTakeFirst()
  return row?.created_at
}

/** Until the commit: otherwise two could revoke each other's right, and no admin would remain. */
export async function lockAdmins(tx: Tx) {
  const admins = await tx
    .selectFrom('admins')
    .select('user_id')
    .where(visibility.notSuspended('admins.user_id'))
    .orderBy('user_id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  return admins.map(({ user_id }) => user_id)
}

/** Leaves out example members. `recent` counts those created after `since`. */
export const count = (db: Db, since: string) =>
  db
    .selectFrom('users')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where created_at > ${since})`.as('recent'),
    ])
    .where('former_since', 'is', null)
    .where(notExample('users.id'))
    .executeTakeFirstOrThrow()

/** Without visibility rules. */
export const personRows = (db: Db) =>
  db
    .selectFrom('users')
    .select(['users.id', 'name', 'reading', 'handle', 'image', 'shared_handle'])
    .where('users.former_since', 'is', null)

export async function takenHandles(db: Db, handles: readonly string[]) {
  if (!handles.length) return new Set<string>()
  const rows = await db.selectFrom('users').select('handle').where('handle', 'in', handles).execute()
  return new Set(rows.map(({ handle }) => handle))
}

/** The names are results of `foldNameForSearch`. Former members do not count. */
export async function takenNames(db: Db, foldedNames: readonly string[]) {
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

/** For the list in which admins see whose files take the most space. */
export const pictureSizes: MemberFilesQuery = {
  kind: 'profile_pictures',
  buildQuery: () => sql`
    select users.id as user_id, media.bytes from users join media on media.name = users.image`,
}

interface AwayOptions {
  /** ISO 8601; members who used a session since are left out. */
  since: string
  after: number
  limit: number
}

/** Leaves out suspended accounts, and those created after `since`. Ordered by id. */
export async function listAway(db: Db, { since, after, limit }: AwayOptions) {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '>', after)
    .where('email', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .where('former_since', 'is', null)
    .where('created_at', '<', since)
    .where(visibility.notSuspended('users.id'))
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
