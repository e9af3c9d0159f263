import { type SqlBool, sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { type PagedResponse, toPagedResponse } from '#core/http/pagination.ts'
import { buildNotApartCondition } from '#features/people/apart.ts'
import {
  buildVisibleListedUsersQuery,
  buildVisiblePersonRowsQuery,
  toPagedListedUsersResponse,
  toPersonFromRow,
} from '#features/people/read.ts'
import {
  buildReachCondition,
  buildVisibleMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { createNoSuchPostError, isVisiblePost } from '#features/posts/read.ts'
import { readImagesByPostReplyOrMessageId } from '#features/posts/read-images.ts'
import { buildVisiblePostCondition } from '#features/posts/visible-posts.ts'
import type { Reply } from './contract.ts'

// A viewer may see a reply only if they may see its author and its post. Each function that reads replies of
// other people checks both, or its comment says what the caller must check. `isVisiblePost` and
// `buildVisiblePostCondition` check the post.

export const createNoSuchReplyError = () =>
  new HttpError(404, { en: 'There is no such reply.', ja: 'その返信は見つかりません。' })

/**
 * Builds the query for replies whose authors the viewer may see. The caller must check whether the viewer may
 * see the post.
 */
const visibleRepliesQuery = (viewer: ViewerContext, people = buildVisiblePersonRowsQuery(viewer)) =>
  viewer.db
    .selectFrom('replies as r')
    .innerJoin(people.as('u'), 'u.id', 'r.user_id')
    .leftJoin('reply_likes as l', (join) =>
      join.onRef('l.reply_id', '=', 'r.id').on('l.user_id', '=', viewer.me?.id ?? 0),
    )
    .select(['r.id', 'r.post_id', 'r.body', 'r.created_at', 'r.edited_at', 'r.likes_count'])
    .select(['r.mentioned_id', 'l.user_id as liked_by'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])

type ReplyRow = Awaited<ReturnType<ReturnType<typeof visibleRepliesQuery>['execute']>>[number]

/**
 * Converts database rows to replies, with their images and with the mentioned people whom the viewer may see.
 */
async function toReplies(viewer: ViewerContext, rows: readonly ReplyRow[]): Promise<Reply[]> {
  const [images, mentioned] = await Promise.all([
    readImagesByPostReplyOrMessageId(
      viewer,
      'reply_images',
      'reply_id',
      rows.map(({ id }) => id),
    ),
    readVisiblePeopleAsMapById(
      viewer,
      rows.flatMap(({ mentioned_id }) => mentioned_id ?? []),
    ),
  ])
  return rows.map(({ author_id, name, image, shared_handle, mentioned_id, liked_by, ...row }) => {
    const mentions = mentioned_id === null ? undefined : mentioned.get(mentioned_id)
    return {
      ...row,
      user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      images: images.get(row.id) ?? [],
      liked_by_me: liked_by !== null,
      ...(mentions && { mentions }),
    }
  })
}

/** Returns the people with these ids whom the viewer may see, as a Map by id. */
export async function readVisiblePeopleAsMapById(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Reply['user']>()
  const rows = await buildVisiblePersonRowsQuery(viewer)
    .where('users.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toPersonFromRow(viewer.media, row)]))
}

/**
 * Returns one page of the replies to a post, newest first, without replies of people whom the viewer may not
 * see or has muted. Throws 404 if the viewer may not see the post.
 */
export async function listRepliesToPost(
  viewer: ViewerContext,
  { id, ...page }: PaginationParameters & { id: number },
): Promise<PagedResponse<Reply[]>> {
  if (!(await isVisiblePost(viewer, id))) throw createNoSuchPostError()
  const people = buildVisiblePersonRowsQuery(viewer)
  const reaching = viewer.me ? people.where(buildReachCondition(viewer, 'users.id')) : people
  const found = visibleRepliesQuery(viewer, reaching).where('r.post_id', '=', id)
  return toReplyPage(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, sql`r.id + 0`, page, 'desc').execute(),
    page,
  )
}

async function toReplyPage(viewer: ViewerContext, rows: ReplyRow[], page: PaginationParameters) {
  const replies = await toReplies(viewer, rows.slice(0, page.limit))
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => replies,
  )
}

/**
 * Returns one reply as the viewer sees it. Throws 404 if there is no such reply, or if the viewer may not see
 * it, its author or its post.
 */
export async function readReply(viewer: ViewerContext, id: number): Promise<Reply> {
  const row = await visibleRepliesQuery(viewer).where('r.id', '=', id).executeTakeFirst()
  if (!row || !(await isVisiblePost(viewer, row.post_id))) throw createNoSuchReplyError()
  return (await toReplies(viewer, [row]))[0]!
}

/**
 * Returns the id of the post of a reply; undefined if there is no such reply or the viewer may not see it.
 */
export async function findPostIdOfVisibleReply(viewer: ViewerContext, id: number) {
  const row = await buildVisibleMembersQuery(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('replies.post_id')
    .where('replies.id', '=', id)
    .executeTakeFirst()
  return row && (await isVisiblePost(viewer, row.post_id)) ? row.post_id : undefined
}

/**
 * Builds the SQL condition that the reply exists and that the viewer may see it. `id` is the name of the
 * column that contains the id of the reply.
 */
export const buildVisibleReplyCondition = (viewer: ViewerContext, id: string) =>
  sql<SqlBool>`exists ${buildVisibleMembersQuery(viewer)
    .innerJoin('replies as visible_reply', 'visible_reply.user_id', 'users.id')
    .select('visible_reply.id')
    .where('visible_reply.id', '=', sql.ref<number>(id))
    .where(buildVisiblePostCondition(viewer, 'visible_reply.post_id'))}`

/**
 * Returns the ids, texts and posts of those of the replies with these ids that the viewer may see, as a Map
 * by the id of the reply.
 */
export async function readVisibleReplyTextsAndPostIdsById(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, { id: number; post_id: number; body: string | null }>()
  const rows = await buildVisibleMembersQuery(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select(['replies.id', 'replies.post_id', 'replies.body'])
    .where('replies.id', 'in', ids)
    .where(buildVisiblePostCondition(viewer, 'replies.post_id'))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const hasLikedReply = ({ db, me }: Pick<MemberViewerContext, 'db' | 'me'>, id: number) =>
  hasMatchingRow(
    db.selectFrom('reply_likes').select('reply_id').where('reply_id', '=', id).where('user_id', '=', me.id),
  )

/**
 * Returns one page of the people who like a reply and whom the viewer may see, ordered by their ids. Throws
 * 404 if the viewer may not see the reply.
 */
export async function listReplyLikers(
  viewer: MemberViewerContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  if ((await findPostIdOfVisibleReply(viewer, id)) === undefined) throw createNoSuchReplyError()
  const found = buildVisibleListedUsersQuery(viewer)
    .innerJoin('reply_likes', 'reply_likes.user_id', 'users.id')
    .where('reply_likes.reply_id', '=', id)
    .where(buildNotApartCondition(viewer, 'users.id'))
  return toPagedListedUsersResponse(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, 'reply_likes.user_id', page).execute(),
    page,
  )
}

/**
 * Returns whether the viewer may see a picture that is not public: the picture must belong to a reply that
 * the viewer may see.
 */
export async function maySeeReplyImage(viewer: ViewerContext, picture: string) {
  const row = await buildVisibleMembersQuery(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .innerJoin('reply_images', 'reply_images.reply_id', 'replies.id')
    .select('replies.post_id')
    .where('reply_images.media', '=', picture)
    .executeTakeFirst()
  return row !== undefined && isVisiblePost(viewer, row.post_id)
}

// The functions below read the replies that the viewer wrote and the viewer's likes of replies. The export of
// the viewer's data uses them.

export async function countOwnReplies({ db, me }: MemberViewerContext) {
  const { count } = await db
    .selectFrom('replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Returns one page of the replies that the viewer wrote, newest first, including replies to posts that the
 * viewer no longer sees.
 */
export async function listOwnReplies(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = visibleRepliesQuery(viewer).where('r.user_id', '=', viewer.me.id)
  return toReplyPage(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, sql`r.id + 0`, page, 'desc').execute(),
    page,
  )
}

/**
 * Returns one page of the ids of the replies that the viewer likes, each with the time of the like. The
 * newest reply is first.
 */
export async function listReplyLikesGivenByViewer(
  { db, me }: MemberViewerContext,
  page: PaginationParameters,
) {
  const found = db
    .selectFrom('reply_likes')
    .select(['reply_id', 'created_at as liked_at'])
    .where('user_id', '=', me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'reply_id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.reply_id }),
    (shown) => shown,
  )
}
