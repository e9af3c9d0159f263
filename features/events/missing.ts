import { sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { idIn, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as guardians from '#features/guardians/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import { subjects } from '#features/reactions/subjects.ts'
import * as managers from './managers.ts'
import * as read from './read.ts'
import type { FullDate } from './rows.ts'

/** The ids of those who get the live events of the post; null for all members. */
async function audienceOf(context: AppContext, tx: Tx, { post_id }: FullDate) {
  const [target] = await subjects.post.read(context, tx, [post_id])
  if (!target) return []
  return Array.isArray(target.onlyFor) ? target.onlyFor : null
}

/** Members who see the event and have not answered. Without those who cannot log in. */
async function query(asker: MemberContext, tx: Tx, date: FullDate) {
  const viewer = { ...asker, db: tx }
  const audience = await audienceOf(asker, tx, date)
  return people
    .rows(viewer)
    .$if(audience !== null, (rows) => rows.where(idIn(tx, 'users.id', audience!)))
    .where(visibility.notSuspended('users.id'))
    .where(notApart(viewer, 'users.id'))
    .where(
      sql<boolean>`not exists (select 1 from event_answers a where a.date_id = ${date.id} and a.user_id = users.id)`,
    )
}

/**
 * Those of these members who have not answered, and guardians who see the event and whose child has not. None
 * if the group has ended.
 */
export async function listAmong(context: AppContext, tx: Tx, date: FullDate, members: readonly number[]) {
  const asker = withoutRoles(context, date.user_id)
  const families = await guardians
    .guardianPairs(tx)
    .where(idIn(tx, 'g.guardian_id', members))
    .execute()
  const asked = [...members, ...families.map(({ child_id }) => child_id)]
  const rows = await (await query(asker, tx, date))
    .where(idIn(tx, 'users.id', asked))
    .where(isOpen(context, date))
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const audience = await audienceOf(context, tx, date)
  const sees = (member: number) => audience?.includes(member) !== false
  const answersFor = (member: number) =>
    families.some(({ guardian_id, child_id }) => guardian_id === member && found.has(child_id))
  return members.filter(
    (member) => member !== date.user_id && (found.has(member) || (sees(member) && answersFor(member))),
  )
}

const isOpen = (context: AppContext, { group_id }: FullDate) =>
  group_id === null
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${group_id} not in ${audiences.endedGroups(context, sql.ref('users.id'))}`

/** 403 except for those who manage it. */
export const list = (context: MemberContext, { id, ...page }: PageParams & { id: number }) =>
  transaction(context.db, async (tx) => {
    const date = await read.requireDate({ ...context, db: tx }, id)
    await managers.require(context, tx, date)
    const rows = await pageOf(await query(context, tx, date), 'users.id', page).execute()
    return paged(
      rows,
      page.limit,
      (last) => ({ after: last.id }),
      (shown) => shown.map((row) => people.fromRow(context.media, row)),
    )
  })
