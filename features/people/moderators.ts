import { type SqlBool, sql } from 'kysely'
import type { CurrentUser } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { lockMembers } from './blocks.ts'
import { childRoleError, isChildAccount } from './children.ts'
import type { Person } from './contract.ts'
import { allMemberIds } from './deletion.ts'
import { notExample, requireNotExample } from './examples.ts'
import * as persons from './read.ts'
import * as securityLog from './security-log.ts'
import type { MemberViewer } from './visibility.ts'
import * as visibility from './visibility.ts'

// Moderators work on reports. Admins appoint them, and have their rights too.

/** False if the member is one already. 403 for a child or an example member. */
export async function grantModerator(tx: Tx, id: number, granted_by: number) {
  await lockMembers(tx, [id])
  if (await isChildAccount(tx, id)) throw childRoleError()
  await requireNotExample(tx, id)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('moderators')
    .values({ user_id: id, granted_by, created_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return false
  await securityLog.record(tx, id, 'moderator_granted', { actor_id: granted_by })
  return true
}

/** False if the member has no such right. */
export async function revokeModerator(tx: Tx, id: number, revoked_by: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('moderators')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows) return false
  await securityLog.record(tx, id, 'moderator_revoked', { actor_id: revoked_by })
  return true
}

/**
 * Resolves to the role; otherwise 403, also without the second step that the community requires. Locks the
 * right until the commit. Transactions in which a moderator changes data call this, because the right may
 * have been revoked since the request began.
 */
export async function requireModerator(tx: Tx, { id, is_admin, needs_second_step }: CurrentUser) {
  if (needs_second_step) throw httpErrors.secondStepNeeded()
  for (const [table, role] of [
    ['admins', 'admin'],
    ['moderators', 'moderator'],
  ] as const) {
    if (role === 'admin' && !is_admin) continue
    const row = await tx
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', id)
      .$if(isPostgres(tx), (query) => query.forShare())
      .executeTakeFirst()
    if (row) return role
  }
  throw httpErrors.moderatorsOnly()
}

/** Admins have the role of moderators too. */
export const hasRole = (member: number, role: 'admin' | 'moderator') => sql<SqlBool>`(
  exists (select 1 from admins where admins.user_id = ${member})
  or ${role === 'moderator' ? sql`exists (select 1 from moderators where moderators.user_id = ${member})` : sql`1 = 0`})`

/** Admins without this role are none. */
export const isModerator = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('moderators').select('user_id').where('user_id', '=', id))

/** Leaves out those who cannot log in. */
export async function listAdminIds(db: Db) {
  const admins = await db
    .selectFrom('admins')
    .select('user_id')
    .where(visibility.notSuspended('admins.user_id'))
    .orderBy('user_id')
    .execute()
  return admins.map(({ user_id }) => user_id)
}

/** Leaves out those who cannot log in. */
export async function listModeratorIds(db: Db) {
  const moderators = await db
    .selectFrom('moderators')
    .select('user_id')
    .where(visibility.notSuspended('moderators.user_id'))
    .execute()
  return [...new Set([...moderators.map(({ user_id }) => user_id), ...(await listAdminIds(db))])]
}

/** Undefined also for a suspended or an example member. */
export async function findActiveMember(db: Db, handle: string) {
  const row = await allMemberIds(db)
    .where('handle', '=', handle)
    .where(visibility.notSuspended('users.id'))
    .where(notExample('users.id'))
    .executeTakeFirst()
  return row?.id
}

/** Leaves out admins without this role. */
export async function listModerators(viewer: MemberViewer, page: PageParams) {
  const found = persons.unfiltered(viewer).innerJoin('moderators', 'moderators.user_id', 'users.id')
  const rows = await pageOf(found, 'moderators.user_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): Person[] => shown.map((row) => persons.fromRow(viewer.media, row)),
  )
}
