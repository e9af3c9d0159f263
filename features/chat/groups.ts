import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import { type Db, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import { detach } from '#core/media/lifecycle.ts'
import type { Media } from '#core/media/media.ts'
import type { Person } from '#features/people/contract.ts'
import { avatarUrl } from '#features/people/read.ts'
import type { Group, GroupChange, GroupMember } from './contract.ts'
import { inConversationOrder, memberIds, membership } from './model.ts'
import type { ChatTables } from './tables.ts'

const MOST_READS = 200
const MOST_CHANGES = 200

// ── Looking ─────────────────────────────────────────────────────────────────

export async function group(db: Db, media: Media, me: number, id: number): Promise<Group> {
  const { name, last_read_id } = await membership(db, me, id)
  const reads = await db
    .selectFrom('members')
    .select(['user_id', 'last_read_id'])
    .where('conversation_id', '=', id)
    .where('user_id', '!=', me)
    .where('last_read_id', '>', 0)
    .orderBy('last_read_id', 'desc')
    .limit(MOST_READS)
    .execute()
  return {
    id,
    name,
    last_read_id,
    reads,
    members_count: await membersCount(db, id),
    changes: await changes(db, media, id),
  }
}

const membersCount = async (db: Db, id: number) => {
  const count = sql<number>`count(*)`.as('count')
  return Number(
    (await db.selectFrom('members').select(count).where('conversation_id', '=', id).executeTakeFirstOrThrow())
      .count,
  )
}

/** Who belongs to it, in the order of joining's ids, and who added whom. */
export async function members(
  db: Db,
  media: Media,
  me: number,
  id: number,
  { before, after, limit }: PageParams,
) {
  await membership(db, me, id)
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('users as by', 'by.id', 'm.added_by')
    .select([
      'u.id',
      'u.name',
      'u.image',
      'm.created_at',
      'by.id as by_id',
      'by.name as by_name',
      'by.image as by_image',
    ])
    .where('m.conversation_id', '=', id)
    .$if(before !== undefined, (q) => q.where('m.user_id', '<', before!))
    .$if(after !== undefined, (q) => q.where('m.user_id', '>', after!))
    .orderBy('m.user_id')
    .limit(limit + 1)
    .execute()
  const shape = (row: (typeof rows)[number]): GroupMember => ({
    ...person(media, row.id, row.name, row.image)!,
    added_by: person(media, row.by_id, row.by_name, row.by_image),
    added_at: row.created_at,
  })
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(shape),
  )
}

const person = (media: Media, id: number | null, name: string | null, image: string | null): Person | null =>
  id === null ? null : { id, name: name!, profile_image: avatarUrl(media, image) }

const changeRows = (db: Db) =>
  db
    .selectFrom('group_changes as c')
    .leftJoin('users as a', 'a.id', 'c.actor_id')
    .leftJoin('users as p', 'p.id', 'c.person_id')
    .select([
      'c.id',
      'c.kind',
      'c.name',
      'c.created_at',
      'a.id as a_id',
      'a.name as a_name',
      'a.image as a_image',
    ])
    .select(['p.id as p_id', 'p.name as p_name', 'p.image as p_image'])
type ChangeRow = Awaited<ReturnType<ReturnType<typeof changeRows>['execute']>>[number]

const toChange = (media: Media, { id, kind, name, created_at, ...who }: ChangeRow): GroupChange => ({
  id,
  kind,
  name,
  created_at,
  actor: person(media, who.a_id, who.a_name, who.a_image),
  person: person(media, who.p_id, who.p_name, who.p_image),
})

async function changes(db: Db, media: Media, id: number) {
  const rows = await changeRows(db)
    .where('c.conversation_id', '=', id)
    .orderBy('c.id', 'desc')
    .limit(MOST_CHANGES)
    .execute()
  return rows.toReversed().map((row) => toChange(media, row))
}

// ── Changing ────────────────────────────────────────────────────────────────

/** What happened, and whom to tell: its members, and whoever was one until now. */
export interface Happened {
  change: GroupChange
  tell: number[]
}

type Kind = ChatTables['group_changes']['kind']
async function note(
  tx: Tx,
  media: Media,
  group: number,
  kind: Kind,
  actor: number,
  about: { person?: number; name?: string } = {},
) {
  const { id } = await tx
    .insertInto('group_changes')
    .values({
      conversation_id: group,
      kind,
      actor_id: actor,
      person_id: about.person ?? null,
      name: about.name ?? null,
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = await changeRows(tx).where('c.id', '=', id).executeTakeFirstOrThrow()
  const tell = [...new Set([...(await memberIds(tx, group)), ...(about.person ? [about.person] : [])])]
  return { change: toChange(media, row), tell }
}

/** Its creator is a member at once. */
export const create = (db: Db, media: Media, me: number, name: string, at = now()) =>
  transaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('conversations')
      .values({ name, created_by: me, created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('members')
      .values({ conversation_id: id, user_id: me, added_by: me, created_at: at })
      .execute()
    return { id, name, ...(await note(tx, media, id, 'created', me, { name })) }
  })

/** Null where the person is a member already. What was said before joining is not unread. */
export const addUser = (
  db: Db,
  media: Media,
  me: number,
  group: number,
  user: number,
): Promise<Happened | null> =>
  transaction(db, async (tx) => {
    await nameOf(tx, group)
    const known = await tx.selectFrom('users').select('id').where('id', '=', user).executeTakeFirst()
    if (!known)
      throw fieldError('user_id', { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })
    const newest = tx
      .selectFrom('messages')
      .select(sql<number>`coalesce(max(id), 0)`.as('id'))
      .where('conversation_id', '=', group)
    const { id: last_read_id } = await newest.executeTakeFirstOrThrow()
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('members')
      .values({ conversation_id: group, user_id: user, added_by: me, last_read_id, created_at: now() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows ? note(tx, media, group, 'added', me, { person: user }) : null
  })

export const rename = (
  db: Db,
  media: Media,
  me: number,
  group: number,
  name: string,
): Promise<Happened | null> =>
  transaction(db, async (tx) => {
    if ((await nameOf(tx, group)) === name) return null
    await tx.updateTable('conversations').set({ name }).where('id', '=', group).execute()
    return note(tx, media, group, 'renamed', me, { name })
  })

export const leave = (db: Db, media: Media, me: number, group: number): Promise<Happened> =>
  transaction(db, async (tx) => {
    await inConversationOrder(tx, group)
    await membership(tx, me, group)
    return (await removeMember(tx, media, me, group, me))!
  })

/** Null where there was nobody to remove. */
export const removeMember = (
  db: Db,
  media: Media,
  me: number,
  group: number,
  user: number,
): Promise<Happened | null> =>
  transaction(db, async (tx) => {
    await nameOf(tx, group)
    const { numDeletedRows } = await tx
      .deleteFrom('members')
      .where('conversation_id', '=', group)
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows) return null
    return note(tx, media, group, user === me ? 'left' : 'removed', me, { person: user })
  })

/** With all that was said in it. Returns the names of the pictures too. */
export const remove = (
  db: Db,
  media: Media,
  me: number,
  group: number,
): Promise<Happened & { pictures: string[] }> =>
  transaction(db, async (tx) => {
    await nameOf(tx, group)
    const shown = tx
      .selectFrom('message_images as i')
      .innerJoin('messages as m', 'm.id', 'i.message_id')
      .select('i.media')
    const pictures = (await shown.where('m.conversation_id', '=', group).execute()).map((row) => row.media)
    const last = await note(tx, media, group, 'deleted', me)
    await tx.deleteFrom('conversations').where('id', '=', group).execute()
    await detach(tx, pictures)
    return { ...last, pictures: [...new Set(pictures)] }
  })

/** Throws 404 where there is no such group. Its changes and its messages follow each other. */
async function nameOf(tx: Tx, group: number) {
  await inConversationOrder(tx, group)
  const row = await tx
    .selectFrom('conversations')
    .select('name')
    .where('id', '=', group)
    .where('name', 'is not', null)
    .executeTakeFirst()
  if (!row) throw new HttpError(404, { en: 'There is no such group.', ja: 'そのグループは見つかりません。' })
  return row.name!
}
