import { type Selectable, sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Db, Tables } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { type Paged, paged } from '#core/http/pagination.ts'
import { followed, noSuchUser, personRows, withAvatar } from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { Image } from '#features/posts/contract.ts'
import { imagesByOwner } from '#features/posts/images.ts'
import { type GroupMessage, type PrivateChat, type PrivateMessage, pairOf } from './contract.ts'

// ── Access ──────────────────────────────────────────────────────────────────

/**
 * The viewer's private chat with another person. Throws 404 where the viewer may see no such person, and 403
 * unless the viewer follows the person or the person has written to the viewer. `conversation` is null until
 * the first message.
 */
export async function privateAccess(viewer: MemberViewer, other: number) {
  const me = viewer.me.id
  const { rows } = await sql<Access>`
    select u.id, u.name, u.image, c.id as conversation, mine.last_read_id, theirs.last_read_id as seen_id,
      f.followed_id, mine.written_to_at
    from ${personRows(viewer).where('id', '=', other)} u
      left join ${followed(viewer).where('followed_id', '=', other)} f on f.followed_id = u.id
      left join conversations c on c.pair = ${pairKey(me, other)}
      left join members mine on mine.conversation_id = c.id and mine.user_id = ${me}
      left join members theirs on theirs.conversation_id = c.id and theirs.user_id = ${other}`.execute(
    viewer.db,
  )
  if (!rows[0]) throw noSuchUser()
  const { followed_id, written_to_at, ...chat } = rows[0]
  if (followed_id === null && written_to_at === null) throw notOpen()
  return { ...chat, followed: followed_id !== null }
}

/**
 * Whether the viewer's private chat with another person is open to one of the two. Then both may listen to its
 * channel, so that the first message arrives live. It says nothing about who may read or write.
 */
export async function isOpenToEither(viewer: MemberViewer, other: number) {
  const me = viewer.me.id
  const { rows } = await sql`
    select 1 from ${personRows(viewer).where('id', '=', other)} u
    where exists ${followed(viewer).where('followed_id', '=', other)}
      or exists ${followed({ ...viewer, me: { ...viewer.me, id: other } }).where('followed_id', '=', me)}
      or exists (select 1 from conversations c join members m on m.conversation_id = c.id
        where c.pair = ${pairKey(me, other)} and m.written_to_at is not null)`.execute(viewer.db)
  return rows.length > 0
}

interface Access {
  id: number
  name: string
  image: string | null
  conversation: number | null
  last_read_id: number | null
  seen_id: number | null
  followed_id: number | null
  written_to_at: string | null
}

const notOpen = () =>
  new HttpError(403, {
    en: 'You may write to people you follow, and to those who have written to you.',
    ja: 'メッセージを送れる相手は、フォローしている人と、先にメッセージをくれた人だけです。',
  })

export const noSuchMessage = () =>
  new HttpError(404, { en: 'There is no such message.', ja: 'そのメッセージは見つかりません。' })

/** The value of `conversations.pair`: both ids, the smaller one first. */
export const pairKey = (a: number, b: number) => Object.values(pairOf(a, b)).join('.')

/** The other person of a private chat. */
export const otherOf = (pair: string, me: number) =>
  pair
    .split('.')
    .map(Number)
    .find((id) => id !== me)!

/** The viewer's membership in a group. Throws 403 where there is none, whether or not the group exists. */
export async function membership({ db, me }: MemberViewer, group: number) {
  const row = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['c.id', 'c.name', 'm.last_read_id', 'm.new_since'])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '=', me.id)
    .where('c.name', 'is not', null)
    .executeTakeFirst()
  if (row) return { ...row, name: row.name! }
  throw new HttpError(403, {
    en: 'Only members of the group may do this.',
    ja: 'この操作ができるのは、グループのメンバーだけです。',
  })
}

export async function memberIds(db: Db, conversation: number) {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('conversation_id', '=', conversation)
    .execute()
  return rows.map((row) => row.user_id)
}

export async function privateChat(viewer: MemberViewer, other: number): Promise<PrivateChat> {
  const { id, name, image, followed, last_read_id, seen_id } = await privateAccess(viewer, other)
  const user = withAvatar(viewer.media, { id, name, image })
  return { user, followed, last_read_id: last_read_id ?? 0, seen_id: seen_id ?? 0 }
}

// ── Messages ────────────────────────────────────────────────────────────────

type MessageRow = Selectable<Tables['messages']>
type AuthoredRow = MessageRow & { name: string; image: string | null }
type ToJson<T> = (row: AuthoredRow, images: Image[]) => T

/** The messages `m` whose authors the viewer may see. */
const messageRows = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('messages as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['u.name', 'u.image'])

/**
 * Orders the messages `m` of a conversation by their ids. The index messages_conversation is on this
 * expression.
 */
export const messageOrder = sql<number>`m.id + 0`

export async function privateMessages(viewer: MemberViewer, other: number, page: PageParams) {
  const { conversation } = await privateAccess(viewer, other)
  if (conversation === null) return { body: [], next: null }
  return messagePage(viewer, conversation, page, privateJson(viewer.me.id, other))
}

export async function groupMessages(viewer: MemberViewer, group: number, page: PageParams) {
  await membership(viewer, group)
  return messagePage(viewer, group, page, groupJson(viewer))
}

/** One message of a group. The caller has checked that the viewer is a member. */
export async function groupMessage(viewer: MemberViewer, id: number, images: Image[]) {
  const row = await messageRows(viewer).where('m.id', '=', id).executeTakeFirstOrThrow()
  return groupJson(viewer)(row, images)
}

/**
 * A page of a conversation, oldest first: the messages that precede `before`, those that follow `after`, or
 * the newest ones.
 */
async function messagePage<T>(
  viewer: MemberViewer,
  conversation: number,
  page: PageParams,
  toJson: ToJson<T>,
): Promise<Paged<T[]>> {
  const isForward = page.after !== undefined
  const found = messageRows(viewer).where('m.conversation_id', '=', conversation)
  const rows = await keysetPage(found, messageOrder, page, isForward ? 'asc' : 'desc').execute()
  const ids = rows.slice(0, page.limit).map((row) => row.id)
  const images = await imagesByOwner(viewer, 'message_images', 'message_id', ids)
  return paged(
    rows,
    page.limit,
    (last) => ({ [isForward ? 'after' : 'before']: last.id }),
    (shown) => (isForward ? shown : shown.toReversed()).map((row) => toJson(row, images.get(row.id) ?? [])),
  )
}

/** The images of one message, in upload order. */
export const imagesOf = async (viewer: MemberViewer, message: number) =>
  (await imagesByOwner(viewer, 'message_images', 'message_id', [message])).get(message) ?? []

/**
 * The message that shows a picture. Throws 403 or 404 unless the viewer may read the conversation and see the
 * author.
 */
export async function messageOfImage(viewer: MemberViewer, picture: string) {
  const me = viewer.me.id
  const message = await messageRows(viewer)
    .innerJoin('message_images as i', 'i.message_id', 'm.id')
    .innerJoin('members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('i.media', '=', picture)
    .where('mine.user_id', '=', me)
    .executeTakeFirst()
  if (!message) throw noSuchMessage()
  const { pair, conversation_id } = message
  await (pair === null ? membership(viewer, conversation_id) : privateAccess(viewer, otherOf(pair, me)))
  return message
}

const commonJson = (row: MessageRow, images: Image[]) => ({
  id: row.id,
  message: row.body,
  created_at: row.created_at,
  client_id: row.client_id,
  images,
  edited_at: row.edited_at,
  deleted_at: row.deleted_at,
})

/** A message between `me` and `other`. The caller has checked that they may read the chat. */
export const privateJson =
  (me: number, other: number) =>
  (row: MessageRow, images: Image[]): PrivateMessage => ({
    ...commonJson(row, images),
    from_user_id: row.user_id,
    to_user_id: row.user_id === me ? other : me,
  })

const groupJson =
  ({ media }: MemberViewer): ToJson<GroupMessage> =>
  (row, images) => ({
    ...commonJson(row, images),
    group_id: row.conversation_id,
    user_id: row.user_id,
    user: withAvatar(media, { id: row.user_id, name: row.name, image: row.image }),
  })
