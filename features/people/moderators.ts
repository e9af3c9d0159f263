import type { CurrentUser } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { lockMemberRowsShared } from './blocks.ts'
import { createChildCannotHaveRoleError, isChildAccount } from './children.ts'
import type { Person } from './contract.ts'
import { buildAllMemberIdsQuery } from './deletion.ts'
import { buildNotExampleMemberCondition, requireNotExampleMember } from './examples.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from './read.ts'
import { recordSecurityEvent } from './security-log.ts'
import { buildNotSuspendedCondition, type MemberViewerContext } from './visibility.ts'

// Moderators work on reports. Admins appoint them, and have their rights too.

/**
 * Makes a member a moderator. Returns false if the member is a moderator already. Throws 403 for a child or
 * an example member.
 */
export async function grantModerator(tx: Tx, id: number, granted_by: number) {
  await lockMemberRowsShared(tx, [id])
  if (await isChildAccount(tx, id)) throw createChildCannotHaveRoleError()
  await requireNotExampleMember(tx, id)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('moderators')
    .values({ user_id: id, granted_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return false
  await recordSecurityEvent(tx, id, 'moderator_granted', { actor_id: granted_by })
  return true
}

/** Revokes the moderator right of a member. Returns false if the member has no such right. */
export async function revokeModerator(tx: Tx, id: number, revoked_by: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('moderators')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows) return false
  await recordSecurityEvent(tx, id, 'moderator_revoked', { actor_id: revoked_by })
  return true
}

/**
 * Throws 403 unless the account is that of a moderator or an admin; otherwise returns the role. Locks the
 * row of the right, so that it is not revoked before the commit. Transactions in which a moderator changes
 * data call this, because the right may have been revoked since the request began. Also throws 403 for admins
 * and moderators without the second step that the community requires.
 */
export async function requireModeratorOrAdmin(tx: Tx, { id, is_admin, needs_second_step }: CurrentUser) {
  if (needs_second_step) throw httpErrorFactories.secondStepNeeded()
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
  throw httpErrorFactories.moderatorsOnly()
}

/** Returns whether the member has the role of a moderator. Returns false for admins without this role. */
export const isModerator = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('moderators').select('user_id').where('user_id', '=', id))

/** Returns the ids of all moderators and admins who can log in. */
export async function listModeratorAndAdminIds(db: Db) {
  const [moderators, admins] = await Promise.all([
    db
      .selectFrom('moderators')
      .select('user_id')
      .where(buildNotSuspendedCondition('moderators.user_id'))
      .execute(),
    db.selectFrom('admins').select('user_id').where(buildNotSuspendedCondition('admins.user_id')).execute(),
  ])
  return [...new Set([...moderators, ...admins].map(({ user_id }) => user_id))]
}

/**
 * Returns the id of the member with this handle. Returns undefined if there is no such member, or if the
 * member is suspended or an example member.
 */
export async function findActiveMemberIdByHandle(db: Db, handle: string) {
  const row = await buildAllMemberIdsQuery(db)
    .where('handle', '=', handle)
    .where(buildNotSuspendedCondition('users.id'))
    .where(buildNotExampleMemberCondition('users.id'))
    .executeTakeFirst()
  return row?.id
}

/** Returns one page of the members who are moderators, ordered by id. Leaves out admins without this role. */
export async function listModerators(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = buildUnfilteredPersonRowsQuery(viewer).innerJoin(
    'moderators',
    'moderators.user_id',
    'users.id',
  )
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'moderators.user_id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): Person[] => shown.map((row) => toPersonFromRow(viewer.media, row)),
  )
}
