import { type SqlBool, sql } from 'kysely'
import { hasMatchingRow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { type PagedResponse, paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { notApart } from '#features/people/apart.ts'
import * as listed from '#features/people/listed.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as attachments from '#features/posts/attachments.ts'
import * as postAudiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import type { Reply } from './contract.ts'
import { replyPlace } from './tables.ts'

// A viewer may see a reply only if they may see its author and its post. Each function that reads replies of
// other people checks both, or its comment says what the caller must check.

export const notFound = () =>
  new HttpError(404, { en: 'There is no such reply.', ja: 'その返信は見つかりません。' })

/** Checks the authors. The caller must check whether the viewer may see the post. */
const visibleRepliesQuery = (viewer: ViewerContext, people = persons.rows(viewer)) =>
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

/** Mentions only people whom the viewer may see. */
async function toReplies(viewer: ViewerContext, rows: readonly ReplyRow[]): Promise<Reply[]> {
  const [attachmentsOf, mentioned] = await Promise.all([
    attachments.read(
      viewer,
      replyPlace,
      rows.map(({ id }) => id),
    ),
    peopleById(
      viewer,
      rows.flatMap(({ mentioned_id }) => mentioned_id ?? []),
    ),
  ])
  return rows.map(({ author_id, name, image, shared_handle, mentioned_id, liked_by, ...row }) => {
    const mentions = mentioned_id === null ? undefined : mentioned.get(mentioned_id)
    return {
      ...row,
      user: persons.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      ...attachments.fields(attachmentsOf(row.id)),
      liked_by_me: liked_by !== null,
      ...(mentions && { mentions }),
    }
  })
}

/** By id, without people whom the viewer may not see. */
export async function peopleById(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Reply['user']>()
  const rows = await persons
    .rows(viewer)
    .where('users.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, persons.fromRow(viewer.media, row)]))
}

/** Newest first, without people who are muted or not visible. 404 if the viewer may not see the post. */
export async function list(
  viewer: ViewerContext,
  { id, ...page }: PageParams & { id: number },
): Promise<PagedResponse<Reply[]>> {
  if (!(await posts.isVisible(viewer, id))) throw posts.notFound()
  const people = persons.rows(viewer)
  const reaching = viewer.me ? people.where(visibility.reaches(viewer, 'users.id')) : people
  const found = visibleRepliesQuery(viewer, reaching).where('r.post_id', '=', id)
  return toReplyPage(viewer, await pageOf(found, sql`r.id + 0`, page, 'desc').execute(), page)
}

async function toReplyPage(viewer: ViewerContext, rows: ReplyRow[], page: PageParams) {
  const replies = await toReplies(viewer, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => replies,
  )
}

/** 404 if the viewer may not see the reply, its author or its post. */
export async function get(viewer: ViewerContext, id: number): Promise<Reply> {
  const row = await visibleRepliesQuery(viewer).where('r.id', '=', id).executeTakeFirst()
  if (!row || !(await posts.isVisible(viewer, row.post_id))) throw notFound()
  return (await toReplies(viewer, [row]))[0]!
}

/** Undefined if the viewer may not see the reply. */
export async function findPost(viewer: ViewerContext, id: number) {
  const row = await visibility
    .members(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('replies.post_id')
    .where('replies.id', '=', id)
    .executeTakeFirst()
  return row && (await posts.isVisible(viewer, row.post_id)) ? row.post_id : undefined
}

/** The reply exists and the viewer may see it. `id` is the column with the id of the reply. */
export const visible = (viewer: ViewerContext, id: string) =>
  sql<SqlBool>`exists ${visibility
    .members(viewer)
    .innerJoin('replies as visible_reply', 'visible_reply.user_id', 'users.id')
    .select('visible_reply.id')
    .where('visible_reply.id', '=', sql.ref<number>(id))
    .where(postAudiences.visible(viewer, 'visible_reply.post_id'))}`

/** By the id of the reply, without those that the viewer may not see. */
export async function texts(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, { id: number; post_id: number; body: string | null }>()
  const rows = await visibility
    .members(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select(['replies.id', 'replies.post_id', 'replies.body'])
    .where('replies.id', 'in', ids)
    .where(postAudiences.visible(viewer, 'replies.post_id'))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const hasLiked = ({ db, me }: Pick<MemberViewer, 'db' | 'me'>, id: number) =>
  hasMatchingRow(
    db.selectFrom('reply_likes').select('reply_id').where('reply_id', '=', id).where('user_id', '=', me.id),
  )

/** Only people whom the viewer may see, ordered by their ids. 404 if the viewer may not see the reply. */
export async function listLikers(viewer: MemberViewer, { id, ...page }: PageParams & { id: number }) {
  if ((await findPost(viewer, id)) === undefined) throw notFound()
  const found = listed
    .query(viewer)
    .innerJoin('reply_likes', 'reply_likes.user_id', 'users.id')
    .where('reply_likes.reply_id', '=', id)
    .where(notApart(viewer, 'users.id'))
  return listed.toPage(viewer, await pageOf(found, 'reply_likes.user_id', page).execute(), page)
}

/** For files, and for pictures that are not public: true if the viewer may see their reply. */
export async function canSeeMedia(viewer: ViewerContext, name: string) {
  const row = await visibility
    .members(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .innerJoin('reply_attachments', 'reply_attachments.reply_id', 'replies.id')
    .select('replies.post_id')
    .where('reply_attachments.media', '=', name)
    .executeTakeFirst()
  return row !== undefined && posts.isVisible(viewer, row.post_id)
}

// The export of the viewer's data uses the functions below.

export async function countOwn({ db, me }: MemberViewer) {
  const { count } = await db
    .selectFrom('replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first, including replies to posts that the viewer no longer sees. */
export async function listOwn(viewer: MemberViewer, page: PageParams) {
  const found = visibleRepliesQuery(viewer).where('r.user_id', '=', viewer.me.id)
  return toReplyPage(viewer, await pageOf(found, sql`r.id + 0`, page, 'desc').execute(), page)
}

/** With the time of each like. The newest reply is first. */
export async function listOwnLikes({ db, me }: MemberViewer, page: PageParams) {
  const found = db
    .selectFrom('reply_likes')
    .select(['reply_id', 'created_at as liked_at'])
    .where('user_id', '=', me.id)
  const rows = await pageOf(found, 'reply_id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.reply_id }),
    (shown) => shown,
  )
}
