import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { type BlockedPerson, MAX_BLOCKED_PEOPLE } from './block-contract.ts'
import { createNoSuchUserError, toPersonFromRow } from './read.ts'
import { buildVisibleMembersQuery, type MemberViewerContext } from './visibility.ts'

// A block hides two people from each other: see `personVisibilityRules`. The functions of this file create,
// end and list blocks.

/**
 * Locks members, so that a block between them, and a change of a child or its guardians, wait for this
 * transaction. A transaction that connects two people (a follow, a like, a group) or grants a right calls
 * this first: otherwise it could miss a block, or a child's mark, that another transaction makes at the same
 * time. Several transactions may hold this lock together. Does nothing on SQLite, because its transactions
 * run one after the other.
 */
export async function lockMemberRowsShared(tx: Tx, members: readonly number[]) {
  if (isPostgres(tx))
    tx.sendStatement(sql`select id from users where id in (${sql.join(members)}) order by id for key share`)
}

/**
 * Blocks a person and ends the follows between the two. Listeners of `member.blocked` delete their likes of
 * each other's posts and replies. Does nothing if the person is blocked already. Throws 404 if the viewer
 * may not see the person, so that somebody who has blocked the viewer looks like an account that does not
 * exist. Throws 422 for oneself, and above `MAX_BLOCKED_PEOPLE`.
 */
export async function blockMember(context: MemberContext, other: number) {
  const { db, me, emit } = context
  if (me.id === other)
    throw createInvalidFieldError('id', {
      en: 'You cannot block yourself.',
      ja: '自分自身はブロックできません。',
    })
  const block = { blocker_id: me.id, blocked_id: other }
  return transaction(db, async (tx) => {
    await lockMemberRowsExclusively(tx, [me.id, other])
    if (await hasBlocked(tx, me.id, other)) return
    const visible = buildVisibleMembersQuery({ ...context, db: tx })
      .select('id')
      .where('id', '=', other)
    if (!(await hasMatchingRow(visible))) throw createNoSuchUserError()
    await requireFewerBlocks(tx, me.id)
    await tx
      .insertInto('blocks')
      .values({ ...block, created_at: currentIsoTime() })
      .execute()
    await endFollows(context, tx, me.id, other)
    await emit(tx, 'member.blocked', block)
    recheckAfterCommit(context, tx, [me.id, other])
  })
}

/**
 * Ends the block of a person. Does nothing if the viewer has not blocked the person. Does not restore the
 * follows and likes that the block deleted.
 */
export const unblockMember = (context: MemberContext, other: number) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { numDeletedRows } = await tx
      .deleteFrom('blocks')
      .where('blocker_id', '=', me.id)
      .where('blocked_id', '=', other)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows) return
    await emit(tx, 'member.unblocked', { blocker_id: me.id, blocked_id: other })
    recheckAfterCommit(context, tx, [me.id, other])
  })

/**
 * Locks the rows of members until the commit, the smaller id first. Waits until no other transaction holds
 * a lock on these rows, not even the lock of `lockMemberRowsShared`. Code that ends or forbids connections of
 * these members calls this first.
 */
export const lockMemberRowsExclusively = async (tx: Tx, members: readonly number[]) =>
  isPostgres(tx) &&
  tx.selectFrom('users').select('id').where('id', 'in', members).orderBy('id').forUpdate().execute()

const hasBlocked = (tx: Tx, blocker: number, blocked: number) =>
  hasMatchingRow(
    tx
      .selectFrom('blocks')
      .select('blocked_id')
      .where('blocker_id', '=', blocker)
      .where('blocked_id', '=', blocked),
  )

async function requireFewerBlocks(tx: Tx, blocker: number) {
  const { count } = await tx
    .selectFrom('blocks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('blocker_id', '=', blocker)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_BLOCKED_PEOPLE)
    throw createInvalidFieldError('id', {
      en: `You can block at most ${MAX_BLOCKED_PEOPLE} people.`,
      ja: `ブロックできるのは${MAX_BLOCKED_PEOPLE}人までです。`,
    })
}

async function endFollows({ emit }: AppContext, tx: Tx, one: number, other: number) {
  const ended = await tx
    .deleteFrom('follows')
    .where('follower_id', 'in', [one, other])
    .where('followed_id', 'in', [one, other])
    .returning(['follower_id', 'followed_id'])
    .execute()
  for (const follow of ended) await emit(tx, 'follow.deleted', follow)
}

/**
 * After the commit, ends those realtime subscriptions of these members to which they have no right any more,
 * and sends them the member lists of their presence channels again.
 */
function recheckAfterCommit({ realtime }: AppContext, tx: Tx, members: readonly number[]) {
  tx.afterCommit(() => {
    for (const id of members) realtime.recheckGuards(id)
  })
}

/** Returns one page of the people whom the viewer has blocked, ordered by id. */
export async function listBlockedPeople(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = viewer.db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .select(['users.id', 'name', 'image', 'shared_handle', 'blocks.created_at as blocked_at'])
    .where('blocks.blocker_id', '=', viewer.me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'blocks.blocked_id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): BlockedPerson[] => shown.map((row) => toPersonFromRow(viewer.media, row)),
  )
}
