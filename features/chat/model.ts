import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import { type Db, isPostgres, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import type { Media } from '#core/media/media.ts'
import { avatarUrl } from '#features/people/read.ts'
import type { Image } from '#features/posts/contract.ts'
import { byOwner } from '#features/posts/images.ts'
import { type GroupMessage, type PrivateMessage, pairOf } from './contract.ts'

// ── Who may ─────────────────────────────────────────────────────────────────

/**
 * My chat with another: through the follow or the being written to that opens it. Throws 404 where nobody has the id, 403 where it is shut.
 * `conversation` is null until the first message.
 */
export async function privateChat(db: Db, me: number, other: number) {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('follows as f', (join) => join.onRef('f.followed_id', '=', 'u.id').on('f.follower_id', '=', me))
    .leftJoin('conversations as c', (join) => join.on('c.pair', '=', pairKey(me, other)))
    .leftJoin('members as mine', (join) =>
      join.onRef('mine.conversation_id', '=', 'c.id').on('mine.user_id', '=', me),
    )
    .leftJoin('members as theirs', (join) =>
      join.onRef('theirs.conversation_id', '=', 'c.id').on('theirs.user_id', '=', other),
    )
    .select(['u.id', 'u.name', 'u.image', 'f.followed_id', 'c.id as conversation', 'mine.written_to_at'])
    .select(['mine.last_read_id as last_read_id', 'theirs.last_read_id as seen_id'])
    .where('u.id', '=', other)
    .executeTakeFirst()
  if (!row) throw new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })
  const { followed_id, written_to_at, ...chat } = row
  if (followed_id === null && written_to_at === null) throw shut()
  return { ...chat, followed: followed_id !== null }
}

/** Both ids, smaller first, as in the channel's name. */
const pairKey = (a: number, b: number) => Object.values(pairOf(a, b)).join('.')

const shut = () =>
  new HttpError(403, {
    en: 'You may write to people you follow, and to those who have written to you.',
    ja: 'メッセージを送れる相手は、フォローしている人と、先にメッセージをくれた人だけです。',
  })

/** My place in a group. Throws 403 without one, whether or not there is such a group. */
export async function membership(db: Db, me: number, group: number) {
  const row = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['c.id', 'c.name', 'm.last_read_id'])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '=', me)
    .where('c.name', 'is not', null)
    .executeTakeFirst()
  if (row) return { ...row, name: row.name! }
  throw new HttpError(403, {
    en: 'Only members of the group may do this.',
    ja: 'この操作ができるのは、グループのメンバーだけです。',
  })
}

/** Whether `may` goes through: for guards, which answer yes or no. */
export const isGranted = (may: Promise<unknown>) =>
  may.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )

// ── Reading ─────────────────────────────────────────────────────────────────

const columns = (db: Db) =>
  db
    .selectFrom('messages as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      'm.id',
      'm.body',
      'm.created_at',
      'm.client_id',
      'm.edited_at',
      'm.deleted_at',
      'm.conversation_id',
      'm.user_id',
    ])
    .select(['u.name', 'u.image'])
type Row = Awaited<ReturnType<ReturnType<typeof columns>['execute']>>[number]

/** A message's place in its conversation, by which the index orders them. */
export const conversationRef = sql<number>`m.id + 0`

/** A page of a conversation, oldest first: the newest ones, those `before` an id, or the first ones `after` an id. */
function page(db: Db, conversation: number, { before, after, limit }: PageParams) {
  return columns(db)
    .where('m.conversation_id', '=', conversation)
    .$if(before !== undefined, (q) => q.where(conversationRef, '<', before!))
    .$if(after !== undefined, (q) => q.where(conversationRef, '>', after!))
    .orderBy(conversationRef, after === undefined ? 'desc' : 'asc')
    .limit(limit + 1)
}

async function messages<T>(
  db: Db,
  media: Media,
  conversation: number,
  cut: PageParams,
  shape: (row: Row, images: Image[]) => T,
) {
  const rows = await page(db, conversation, cut).execute()
  const shown = rows.slice(0, cut.limit).map((row) => row.id)
  const images = await imagesOf(db, media, shown)
  const oldestFirst = (some: Row[]) => (cut.after === undefined ? some.toReversed() : some)
  return paged(
    rows,
    cut.limit,
    (last) => ({ [cut.after === undefined ? 'before' : 'after']: last.id }),
    (some) => oldestFirst(some).map((row) => shape(row, images.get(row.id) ?? [])),
  )
}

export async function privateMessages(db: Db, media: Media, me: number, other: number, cut: PageParams) {
  const { conversation } = await privateChat(db, me, other)
  if (conversation === null) return { body: [], next: null }
  return messages(db, media, conversation, cut, (row, images) =>
    toPrivate(row, images, row.user_id === me ? other : me),
  )
}

export async function groupMessages(db: Db, media: Media, me: number, group: number, cut: PageParams) {
  await membership(db, me, group)
  return messages(db, media, group, cut, (row, images) => toGroup(media, row, images))
}

async function imagesOf(db: Db, media: Media, ids: number[]) {
  if (!ids.length) return new Map<number, Image[]>()
  const rows = await db
    .selectFrom('message_images as i')
    .innerJoin('media as m', 'm.name', 'i.media')
    .select([
      'i.message_id as owner',
      'i.id',
      'i.alt',
      'm.name',
      'm.widths',
      'm.width',
      'm.height',
      'm.placeholder',
      'm.animated',
    ])
    .where('i.message_id', 'in', ids)
    .orderBy('i.message_id')
    .orderBy('i.position')
    .execute()
  return byOwner(media, rows)
}

const shared = ({ id, body, created_at, client_id, edited_at, deleted_at }: Row, images: Image[]) => ({
  id,
  message: body,
  created_at,
  client_id,
  images,
  edited_at,
  deleted_at,
})
const toPrivate = (row: Row, images: Image[], to_user_id: number): PrivateMessage => ({
  ...shared(row, images),
  from_user_id: row.user_id,
  to_user_id,
})
const toGroup = (media: Media, row: Row, images: Image[]): GroupMessage => ({
  ...shared(row, images),
  group_id: row.conversation_id,
  user_id: row.user_id,
  user: { id: row.user_id, name: row.name, profile_image: avatarUrl(media, row.image) },
})

// ── Writing ─────────────────────────────────────────────────────────────────

export interface NewMessage {
  body: string | null
  pictures: readonly Picture[]
  /** Descriptions, in the order of the pictures. */
  alt: readonly (string | null)[]
  client_id?: string | null
}

/** `isNew` is false where the message had been stored before, under its client's id. */
export const sendPrivate = (db: Db, media: Media, me: number, other: number, given: NewMessage, at = now()) =>
  transaction(db, async (tx) => {
    const chat = await privateChat(tx, me, other)
    const conversation = chat.conversation ?? (await openPair(tx, me, other, at))
    const { row, images, isNew } = await store(tx, media, me, conversation, given, at)
    await tx
      .updateTable('members')
      .set({ written_to_at: at })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', other)
      .where('written_to_at', 'is', null)
      .execute()
    return { message: toPrivate(row, images, other), isNew }
  })

export const sendToGroup = (db: Db, media: Media, me: number, group: number, given: NewMessage, at = now()) =>
  transaction(db, async (tx) => {
    await inConversationOrder(tx, group)
    await membership(tx, me, group)
    const { row, images, isNew } = await store(tx, media, me, group, given, at)
    return { message: toGroup(media, row, images), isNew, members: isNew ? await memberIds(tx, group) : [] }
  })

/** The conversation of two, made by whichever message is first. */
async function openPair(tx: Tx, me: number, other: number, at: string) {
  const pair = pairKey(me, other)
  await tx
    .insertInto('conversations')
    .values({ pair, created_by: me, created_at: at })
    .onConflict((c) => c.column('pair').doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('conversations')
    .select('id')
    .where('pair', '=', pair)
    .executeTakeFirstOrThrow()
  const both = [me, other].map((user_id) => ({ conversation_id: id, user_id, created_at: at }))
  await tx
    .insertInto('members')
    .values(both)
    .onConflict((c) => c.doNothing())
    .execute()
  return id
}

async function store(tx: Tx, media: Media, me: number, conversation: number, given: NewMessage, at: string) {
  await inConversationOrder(tx, conversation)
  const { body, pictures, alt, client_id = null } = given
  const made = await tx
    .insertInto('messages')
    .values({ conversation_id: conversation, user_id: me, client_id, body: body ?? '', created_at: at })
    .onConflict((c) => c.columns(['conversation_id', 'user_id', 'client_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const mine = columns(tx).where('m.conversation_id', '=', conversation).where('m.user_id', '=', me)
  if (!made) {
    const row = await mine.where('m.client_id', '=', client_id).executeTakeFirstOrThrow()
    return { row, images: (await imagesOf(tx, media, [row.id])).get(row.id) ?? [], isNew: false }
  }
  for (const [position, picture] of pictures.entries()) {
    await attach(tx, picture)
    await tx
      .insertInto('message_images')
      .values({ message_id: made.id, position, media: picture.name, alt: alt[position] ?? null })
      .execute()
  }
  await keepUp(tx, me, conversation, made.id)
  const row = await mine.where('m.id', '=', made.id).executeTakeFirstOrThrow()
  return {
    row,
    images: pictures.length ? ((await imagesOf(tx, media, [row.id])).get(row.id) ?? []) : [],
    isNew: true,
  }
}

/** Changes to one conversation follow each other, so that its messages are committed in the order of their ids. SQLite's transactions do so by themselves. */
export const inConversationOrder = async (tx: Tx, conversation: number) =>
  isPostgres(tx) &&
  tx.selectFrom('conversations').select('id').where('id', '=', conversation).forNoKeyUpdate().execute()

/** My own message leaves nothing unread behind it, unless something was unread before it. */
const keepUp = (tx: Tx, me: number, conversation: number, id: number) =>
  tx
    .updateTable('members')
    .set({ last_read_id: id })
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', me)
    .where((q) =>
      q.not(
        q.exists(
          q
            .selectFrom('messages as m')
            .select('m.id')
            .where('m.conversation_id', '=', conversation)
            .where(sql<boolean>`m.id + 0 > members.last_read_id + 0`)
            .where(conversationRef, '<', id)
            .where('m.user_id', '!=', me)
            .where('m.deleted_at', 'is', null),
        ),
      ),
    )
    .execute()

export const memberIds = async (db: Db, conversation: number) =>
  (
    await db.selectFrom('members').select('user_id').where('conversation_id', '=', conversation).execute()
  ).map((row) => row.user_id)

// ── Changing one's own ──────────────────────────────────────────────────────

export const edit = (db: Db, media: Media, me: number, id: number, body: string) =>
  changing(db, media, me, id, async (tx, before) => {
    if (before.deleted_at) throw gone()
    if (before.body !== body)
      await tx.updateTable('messages').set({ body, edited_at: now() }).where('id', '=', id).execute()
    return []
  })

/** Leaves a tombstone. Returns, beside it, the names of the pictures that it showed. */
export const remove = (db: Db, media: Media, me: number, id: number) =>
  changing(db, media, me, id, async (tx, before) => {
    if (before.deleted_at) return []
    await tx
      .updateTable('messages')
      .set({ body: '', edited_at: null, deleted_at: now() })
      .where('id', '=', id)
      .execute()
    const pictures = await tx
      .deleteFrom('message_images')
      .where('message_id', '=', id)
      .returning('media')
      .execute()
    const names = pictures.map((row) => row.media)
    await detach(tx, names)
    return names
  })

const raise = (refusal: HttpError): never => {
  throw refusal
}
const gone = () =>
  new HttpError(404, { en: 'There is no such message.', ja: 'そのメッセージは見つかりません。' })

/** Found through its author, who must still be in the conversation. */
const changing = (
  db: Db,
  media: Media,
  me: number,
  id: number,
  change: (tx: Tx, before: Row) => Promise<string[]>,
) =>
  transaction(db, async (tx) => {
    const mine = columns(tx).where('m.id', '=', id).where('m.user_id', '=', me)
    const { conversation_id } = (await mine.executeTakeFirst()) ?? raise(gone())
    await inConversationOrder(tx, conversation_id)
    const before = (await mine.executeTakeFirst()) ?? raise(gone())
    const { pair } = await tx
      .selectFrom('conversations')
      .select('pair')
      .where('id', '=', conversation_id)
      .executeTakeFirstOrThrow()
    const other = pair
      ?.split('.')
      .map(Number)
      .find((one) => one !== me)
    await (other === undefined ? membership(tx, me, conversation_id) : privateChat(tx, me, other))
    const pictures = await change(tx, before)
    const row = await mine.executeTakeFirstOrThrow()
    const images = (await imagesOf(tx, media, [id])).get(id) ?? []
    return other === undefined
      ? { pictures, group: toGroup(media, row, images), members: await memberIds(tx, conversation_id) }
      : { pictures, private: toPrivate(row, images, other) }
  })
