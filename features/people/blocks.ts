import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { type BlockedPerson, MAX_BLOCKED } from './contract.ts'
import * as persons from './read.ts'
import type { MemberViewer } from './visibility.ts'
import * as visibility from './visibility.ts'

// A block hides two people from each other: see `visibility.allRules`.

/**
 * A block between the members, and a change of a child or its guardians, wait for this transaction. One that
 * connects two people (a follow, a like, a group) or grants a right calls this first: otherwise it could miss
 * a block, or a child's mark, made at the same time. Several may hold this lock together. SQLite needs none.
 */
export async function lockMembers(tx: Tx, members: readonly number[]) {
  if (!isPostgres(tx)) return
  const mine = held.get(tx) ?? new Set()
  const others = members.filter((id) => !mine.has(id))
  if (!others.length) return
  await sql`select id from users where id in (${sql.join(others)}) order by id for key share`.execute(tx)
  held.set(tx, new Set([...mine, ...others]))
}
const held = new WeakMap<Tx, ReadonlySet<number>>()

/**
 * Ends the follows between the two; listeners of `member.blocked` delete their likes. Does nothing if blocked
 * already. 404 if the viewer may not see the person, so that somebody who has blocked the viewer looks like
 * an account that does not exist. 422 for oneself, and above `MAX_BLOCKED`.
 */
export async function blockMember(context: MemberContext, other: number) {
  const { db, me, emit } = context
  if (me.id === other)
    throw fieldError('id', {
      en: 'You cannot block yourself.',
      ja: '自分自身はブロックできません。',
    })
  const block = { blocker_id: me.id, blocked_id: other }
  return transaction(db, async (tx) => {
    await lockExclusively(tx, [me.id, other])
    if (await hasBlocked(tx, me.id, other)) return
    const visible = visibility
      .members({ ...context, db: tx })
      .select('id')
      .where('id', '=', other)
    if (!(await hasMatchingRow(visible))) throw persons.notFound()
    await requireFewerBlocks(tx, me.id)
    await tx
      .insertInto('blocks')
      .values({ ...block, created_at: isoNow() })
      .execute()
    await endFollows(context, tx, me.id, other)
    await emit(tx, 'member.blocked', block)
    recheckAfterCommit(context, tx, [me.id, other])
  })
}

/** Does not restore the follows and likes that the block deleted. */
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
 * The smaller id first, until the commit. Waits for other locks on these rows, also for those of
 * `lockMembers`. Code that ends or forbids connections of these members calls this first.
 */
export const lockExclusively = async (tx: Tx, members: readonly number[]) =>
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
  if (Number(count) >= MAX_BLOCKED)
    throw fieldError('id', {
      en: `You can block at most ${MAX_BLOCKED} people.`,
      ja: `ブロックできるのは${MAX_BLOCKED}人までです。`,
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

/** Ends realtime subscriptions that lost their right, and sends the presence lists again. */
function recheckAfterCommit({ realtime }: AppContext, tx: Tx, members: readonly number[]) {
  tx.afterCommit(() => {
    for (const id of members) realtime.recheckGuards(id)
  })
}

export async function listBlocked(viewer: MemberViewer, page: PageParams) {
  const found = viewer.db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .select(['users.id', 'name', 'image', 'shared_handle', 'blocks.created_at as blocked_at'])
    .where('blocks.blocker_id', '=', viewer.me.id)
  const rows = await pageOf(found, 'blocks.blocked_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): BlockedPerson[] => shown.map((row) => persons.fromRow(viewer.media, row)),
  )
}
