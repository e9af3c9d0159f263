import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { paged } from '#core/http/pagination.ts'
import type { Media } from '#core/media/media.ts'
import { avatarUrl } from '#features/people/read.ts'
import type { Conversation, Last, MyGroup, Unread } from './contract.ts'
import { unreadOf } from './reads.ts'

const MOST_GROUPS = 1000

/** Of each conversation the id of its newest message: one look at the end of an index. */
const newestId = sql<
  number | null
>`(select id from messages where conversation_id = m.conversation_id order by id + 0 desc limit 1)`

/** My private chats that are open to me, the newest first. `before` is the id of a newest message. */
export async function conversations(db: Db, media: Media, me: number, { before, limit }: PageParams) {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('members as o', (join) =>
      join.onRef('o.conversation_id', '=', 'm.conversation_id').onRef('o.user_id', '!=', 'm.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .leftJoin('follows as f', (join) =>
      join.onRef('f.follower_id', '=', 'm.user_id').onRef('f.followed_id', '=', 'u.id'),
    )
    .select(['u.id', 'u.name', 'u.image', 'f.followed_id', newestId.as('newest')])
    .where('m.user_id', '=', me)
    .where('c.pair', 'is not', null)
    .where((q) => q.or([q('f.followed_id', 'is not', null), q('m.written_to_at', 'is not', null)]))
    .$if(before !== undefined, (q) => q.where(newestId, '<', before!))
    .orderBy('newest', 'desc')
    .limit(limit + 1)
    .execute()
  const last = await lastOf(db, rows.slice(0, limit))
  return paged(
    rows,
    limit,
    (end) => ({ before: end.newest! }),
    (shown) =>
      shown.map(
        ({ id, name, image, followed_id, newest }): Conversation => ({
          user: { id, name, profile_image: avatarUrl(media, image) },
          followed: followed_id !== null,
          last_message: last.get(newest) ?? null,
        }),
      ),
  )
}

/** My groups: those where something was said last come first, then the newest ones. */
export async function myGroups(db: Db, me: number): Promise<MyGroup[]> {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['c.id', 'c.name', newestId.as('newest')])
    .select((q) =>
      q
        .selectFrom('members as all')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('all.conversation_id', '=', 'm.conversation_id')
        .as('members_count'),
    )
    .where('m.user_id', '=', me)
    .where('c.name', 'is not', null)
    .orderBy(sql`coalesce(${newestId}, 0)`, 'desc')
    .orderBy('c.id', 'desc')
    .limit(MOST_GROUPS)
    .execute()
  const last = await lastOf(db, rows)
  return rows.map(({ id, name, newest, members_count }) => ({
    id,
    name: name!,
    members_count: Number(members_count),
    last_message: last.get(newest) ?? null,
  }))
}

/** The newest messages themselves, by their ids. */
async function lastOf(db: Db, rows: readonly { newest: number | null }[]) {
  const ids = rows.flatMap(({ newest }) => newest ?? [])
  if (!ids.length) return new Map<number | null, Last>()
  const found = await db
    .selectFrom('messages as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      'm.id',
      'm.user_id',
      'u.name',
      'm.created_at',
      'm.deleted_at',
      sql<string>`substr(m.body, 1, 160)`.as('message'),
    ])
    .select((q) =>
      q
        .selectFrom('message_images as i')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('i.message_id', '=', 'm.id')
        .as('images_count'),
    )
    .where('m.id', 'in', ids)
    .execute()
  return new Map<number | null, Last>(
    found.map((row) => [row.id, { ...row, images_count: Number(row.images_count) }]),
  )
}

/** How much is unread, of each conversation where something is. */
export async function unread(db: Db, me: number): Promise<Unread> {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select((q) => ['c.id', 'c.pair', unreadOf(q).as('unread')] as const)
    .where('m.user_id', '=', me)
    .execute()
  const all: Unread = { private: {}, groups: {} }
  for (const { id, pair, unread } of rows.filter((row) => Number(row.unread) > 0)) {
    if (pair === null) all.groups[id] = Number(unread)
    else all.private[pair.split('.').find((one) => Number(one) !== me)!] = Number(unread)
  }
  return all
}
