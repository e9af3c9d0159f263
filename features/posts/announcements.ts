import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import type { Written } from '#core/feature/extras.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import { HttpError } from '#core/http/errors.ts'
import { isAnnouncer } from '#features/people/announcers.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'
import './events.ts'

/** As what a member may tell everybody who may see a post. */
export type TellerRole = 'admin' | 'owner' | 'announcer'

/** 403 unless the member may tell the whole audience of this own post, or ask it for an answer. */
export async function requireTeller({ me, groups }: MemberContext, tx: Tx, id: number): Promise<TellerRole> {
  if (me.is_admin && (await people.isAdmin(tx, me.id))) return 'admin'
  if (await audiences.ownsGroupOf({ groups, me }, tx, id)) return 'owner'
  if (await isAnnouncer(tx, me.id)) return 'announcer'
  throw notTeller()
}

/** Those of these own posts whose whole audience the member may still tell: not in groups that have ended. */
export async function tellable({ me, groups, db }: MemberViewer, ids: readonly number[]) {
  const tellsAll = (await people.isAdmin(db, me.id)) || (await isAnnouncer(db, me.id))
  const { rows } = await sql<{ id: number } & Partial<GroupOfMember>>`select p.id, g.is_owner, g.has_ended
    from posts p left join (${groups.groupsOf(me.id)}) g on g.id = p.group_id
    where p.id in (${sql.join(ids)})`.execute(db)
  const told = rows.filter(({ is_owner, has_ended }) => (tellsAll || is_owner) && !has_ended)
  return new Set(told.map(({ id }) => id))
}

export const notTeller = () =>
  new HttpError(403, {
    en: 'Only admins, those whom they trust with it, and the owner of a group in this group can tell everybody or ask for an answer.',
    ja: 'みんなにお知らせしたり、確認をお願いしたりできるのは、管理者とお知らせ係だけです。グループの中では、まとめ役もできます。',
  })

/** The extra `tell` of a new post. */
export async function tell(context: MemberContext, tx: Tx, { id }: Written) {
  const role = await requireTeller(context, tx, id)
  if (role === 'owner') await limitOwner(tx, context.me.id)
  await announce(context, tx, { id, author: context.me.id, role })
}

/** Of an owner of groups, who may have added people without asking them. Admins have no limit. */
const MAX_PER_DAY = 10

/** 429 beyond the limit. */
async function limitOwner(tx: Tx, author: number) {
  const { count } = await tx
    .selectFrom('post_announcements as a')
    .innerJoin('posts as p', 'p.id', 'a.post_id')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('p.user_id', '=', author)
    .where('a.created_at', '>', new Date(Date.now() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_PER_DAY)
    throw new HttpError(429, {
      en: `You can tell everybody of ${MAX_PER_DAY} posts a day.`,
      ja: `みんなにお知らせできるのは、1日に${MAX_PER_DAY}件までです。`,
    })
}

export const isAnnounced = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('post_announcements').select('post_id').where('post_id', '=', id))

/** False if everybody was told of the post before, even before it was unpinned. */
export async function announce(
  { me, emit }: MemberContext,
  tx: Tx,
  { id, author, role }: { id: number; author: number; role: TellerRole },
) {
  const created_at = isoNow()
  const added = await tx
    .insertInto('post_announcements')
    .values({ post_id: id, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('post_id')
    .executeTakeFirst()
  if (!added) return false
  await emit(tx, 'post.announced', { id, user_id: author, actor_id: me.id, created_at, role })
  return true
}
