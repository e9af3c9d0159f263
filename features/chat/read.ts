import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { type Paged, paged } from '#core/http/pagination.ts'
import { followed, noSuchUser, personRows, withAvatar } from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { Image } from '#features/posts/contract.ts'
import { byOwner } from '#features/posts/images.ts'
import { type GroupMessage, type PrivateChat, type PrivateMessage, pairOf } from './contract.ts'

// ── Access ──────────────────────────────────────────────────────────────────

/**
 * The viewer's private chat with another person. Throws 404 where the viewer may see no such person, and 403
 * unless the viewer follows the person or the person has written to the viewer. `conversation` is null until
 * the first message.
 */
export async function privateAccess(viewer: MemberViewer, other: number) {
  const { db, me } = viewer
  const row = await db
    .selectFrom(personRows(viewer).as('u'))
    .leftJoin(followed(viewer).as('f'), 'f.followed_id', 'u.id')
    .leftJoin('conversations as c', (join) => join.on('c.pair', '=', pairKey(me.id, other)))
    .leftJoin('members as mine', (join) =>
      join.onRef('mine.conversation_id', '=', 'c.id').on('mine.user_id', '=', me.id),
    )
    .leftJoin('members as theirs', (join) =>
      join.onRef('theirs.conversation_id', '=', 'c.id').on('theirs.user_id', '=', other),
    )
    .select(['u.id', 'u.name', 'u.image', 'f.followed_id', 'c.id as conversation', 'mine.written_to_at'])
    .select(['mine.last_read_id as last_read_id', 'theirs.last_read_id as seen_id'])
    .where('u.id', '=', other)
    .executeTakeFirst()
  if (!row) throw noSuchUser()
  const { followed_id, written_to_at, ...chat } = row
  if (followed_id === null && written_to_at === null) throw notOpen()
  return { ...chat, followed: followed_id !== null }
}

const notOpen = () =>
  new HttpError(403, {
    en: 'You may write to people you follow, and to those who have written to you.',
    ja: 'メッセージを送れる相手は、フォローしている人と、先にメッセージをくれた人だけです。',
  })

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
    .select(['c.id', 'c.name', 'm.last_read_id'])
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

const messageRows = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('messages as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.body', 'm.created_at', 'm.client_id', 'm.edited_at', 'm.deleted_at'])
    .select(['m.conversation_id', 'm.user_id', 'u.name', 'u.image'])
type MessageRow = Awaited<ReturnType<ReturnType<typeof messageRows>['execute']>>[number]
type ToJson<T> = (row: MessageRow, images: Image[]) => T

/**
 * Orders the messages `m` of a conversation by their ids. The index messages_conversation is on this
 * expression.
 */
export const messageOrder = sql<number>`m.id + 0`

export async function privateMessages(viewer: MemberViewer, other: number, page: PageParams) {
  const { conversation } = await privateAccess(viewer, other)
  if (conversation === null) return { body: [], next: null }
  return messagePage(viewer, conversation, page, privateJson(viewer, other))
}

export async function groupMessages(viewer: MemberViewer, group: number, page: PageParams) {
  await membership(viewer, group)
  return messagePage(viewer, group, page, groupJson(viewer))
}

/** One message of a private chat. The caller has checked that the viewer may read the chat. */
export const privateMessage = (viewer: MemberViewer, other: number, id: number) =>
  message(viewer, id, privateJson(viewer, other))

/** One message of a group. The caller has checked that the viewer is a member. */
export const groupMessage = (viewer: MemberViewer, id: number) => message(viewer, id, groupJson(viewer))

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
  const images = await imagesOf(
    viewer,
    rows.slice(0, page.limit).map((row) => row.id),
  )
  return paged(
    rows,
    page.limit,
    (last) => ({ [isForward ? 'after' : 'before']: last.id }),
    (shown) => (isForward ? shown : shown.toReversed()).map((row) => toJson(row, images.get(row.id) ?? [])),
  )
}

async function message<T>(viewer: MemberViewer, id: number, toJson: ToJson<T>) {
  const row = await messageRows(viewer).where('m.id', '=', id).executeTakeFirstOrThrow()
  const images = await imagesOf(viewer, [id])
  return toJson(row, images.get(id) ?? [])
}

/** The images of some messages, by message, in upload order. */
async function imagesOf({ db, media }: MemberViewer, messages: readonly number[]) {
  if (!messages.length) return new Map<number, Image[]>()
  const rows = await db
    .selectFrom('message_images as i')
    .innerJoin('media as m', 'm.name', 'i.media')
    .select(['i.message_id as owner', 'i.id', 'i.alt'])
    .select(['m.name', 'm.widths', 'm.width', 'm.height', 'm.placeholder', 'm.animated'])
    .where('i.message_id', 'in', messages)
    .orderBy('i.message_id')
    .orderBy('i.position')
    .execute()
  return byOwner(media, rows)
}

const commonJson = (
  { id, body, created_at, client_id, edited_at, deleted_at }: MessageRow,
  images: Image[],
) => ({
  id,
  message: body,
  created_at,
  client_id,
  images,
  edited_at,
  deleted_at,
})

const privateJson =
  ({ me }: MemberViewer, other: number): ToJson<PrivateMessage> =>
  (row, images) => ({
    ...commonJson(row, images),
    from_user_id: row.user_id,
    to_user_id: row.user_id === me.id ? other : me.id,
  })

const groupJson =
  ({ media }: MemberViewer): ToJson<GroupMessage> =>
  (row, images) => ({
    ...commonJson(row, images),
    group_id: row.conversation_id,
    user_id: row.user_id,
    user: withAvatar(media, { id: row.user_id, name: row.name, image: row.image }),
  })
