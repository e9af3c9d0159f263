import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, idIn } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PageParams } from '#core/schemas.ts'
import { notApart } from '#features/people/apart.ts'
import * as listed from '#features/people/listed.ts'
import { timeLeftAsNew } from '#features/people/new-members.ts'
import * as people from '#features/people/read.ts'
import { followsAnyone } from '#features/people/read-follows.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as attachments from './attachments.ts'
import * as audiences from './audiences.ts'
import type { FirstStepsState, FullProfile, Post } from './contract.ts'
import { postPlace } from './tables.ts'

export const notFound = () =>
  new HttpError(404, { en: 'There is no such post.', ja: 'その投稿は見つかりません。' })

/** Their values differ between viewers. */
export type ViewerField = 'liked_by_me' | 'bookmarked_by_me'

export interface PostRevision {
  post: Omit<Post, ViewerField>
  revision: number
  authorRevision: number
}

/** Only posts that the viewer may see, in no particular order. */
export async function revisions(viewer: ViewerContext, ids: readonly number[]): Promise<PostRevision[]> {
  if (!ids.length) return []
  const rows = await viewer.db
    .selectFrom('posts as p')
    .innerJoin(people.rows(viewer).select('revision').as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'p.likes_count', 'p.revision', 'p.audience', 'p.group_id'])
    .select(['p.removed_images', 'p.replies_count', 'p.edited_at', 'p.pinned_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle', 'u.revision as authorRevision'])
    .where(idIn(viewer.db, 'p.id', ids))
    .where(audiences.shown(viewer, 'p'))
    .execute()
  const attachmentsOf = await attachments.read(viewer, postPlace, ids)
  return rows.map(
    ({ author_id, name, image, shared_handle, revision, authorRevision, audience, group_id, ...row }) => ({
      post: {
        id: row.id,
        body: row.body,
        created_at: row.created_at,
        user: people.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
        ...attachments.fields(attachmentsOf(row.id)),
        likes_count: row.likes_count,
        replies_count: row.replies_count,
        ...(audience !== 'everyone' && { audience }),
        ...(group_id !== null && { group_id }),
        ...(row.removed_images > 0 && { removed_images: row.removed_images }),
        ...(row.edited_at !== null && { edited_at: row.edited_at }),
        ...(row.pinned_at !== null && { pinned: true }),
      },
      revision,
      authorRevision,
    }),
  )
}

/** 404 if the viewer may not see the post or its author. */
export async function get(viewer: ViewerContext, id: number): Promise<Post> {
  const [found] = await revisions(viewer, [id])
  if (!found) throw notFound()
  if (!visibility.isMember(viewer)) return { ...found.post, liked_by_me: false, bookmarked_by_me: false }
  return {
    ...found.post,
    liked_by_me: await hasLikedPost(viewer, id),
    bookmarked_by_me: await hasBookmarkedPost(viewer, id),
  }
}

/** True if the post exists and the viewer may see it and its author. */
export const isVisible = (viewer: ViewerContext, id: number) =>
  hasMatchingRow(
    visibility
      .members(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .select('posts.id')
      .where('posts.id', '=', id)
      .where(audiences.shown(viewer, 'posts')),
  )

/** Undefined if the viewer may not see the post. */
export async function findAuthor(viewer: ViewerContext, id: number) {
  const row = await visibility
    .members(viewer)
    .innerJoin('posts', 'posts.user_id', 'users.id')
    .select('posts.user_id')
    .where('posts.id', '=', id)
    .where(audiences.shown(viewer, 'posts'))
    .executeTakeFirst()
  return row?.user_id
}

const hasLikedPost = ({ db, me }: Pick<MemberViewer, 'db' | 'me'>, id: number) =>
  hasMatchingRow(
    db.selectFrom('likes').select('post_id').where('post_id', '=', id).where('user_id', '=', me.id),
  )

const hasBookmarkedPost = ({ db, me }: MemberViewer, id: number) =>
  hasMatchingRow(
    db.selectFrom('bookmarks').select('id').where('post_id', '=', id).where('user_id', '=', me.id),
  )

/** Only people whom the viewer may see, ordered by their ids. 404 if the viewer may not see the post. */
export async function listLikers(viewer: MemberViewer, { id, ...page }: PageParams & { id: number }) {
  if (!(await revisions(viewer, [id])).length) throw notFound()
  const found = listed
    .query(viewer)
    .innerJoin('likes', 'likes.user_id', 'users.id')
    .where('likes.post_id', '=', id)
    .where(notApart(viewer, 'users.id'))
  return listed.toPage(viewer, await pageOf(found, 'likes.user_id', page).execute(), page)
}

/** For files, and for pictures that are not public, because their post is hidden or not for everybody. */
export const canSeeMedia = (viewer: ViewerContext, name: string) =>
  hasMatchingRow(
    visibility
      .members(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .innerJoin('post_attachments', 'post_attachments.post_id', 'posts.id')
      .select('posts.id')
      .where('post_attachments.media', '=', name)
      .where(audiences.shown(viewer, 'posts')),
  )

/** Counts only posts that the viewer may see. Moderators and admins also get `is_new`. */
export async function getProfile(viewer: MemberContext, id: number): Promise<FullProfile> {
  const profile = await people.getProfile(viewer, id)
  const { count } = await viewer.db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .where(audiences.shown(viewer, 'posts'))
    .executeTakeFirstOrThrow()
  const isNew =
    viewer.me.is_moderator && (await timeLeftAsNew(viewer, viewer.db, id)) > 0 && ({ is_new: true } as const)
  return { ...profile, posts_count: Number(count), ...isNew }
}

export async function getFirstSteps(viewer: MemberViewer): Promise<FirstStepsState> {
  const { db, me } = viewer
  const [others, follows, posted] = await Promise.all([
    people.hasOthers(viewer),
    followsAnyone(viewer),
    hasMatchingRow(db.selectFrom('posts').select('id').where('user_id', '=', me.id).limit(1)),
  ])
  return { others, follows, posted }
}

/** A query for `feeds.withIdsIn`: each post once, as the picture of a first page has the number of its file. */
export const idsWithFiles = sql<{ post_id: number }>`select a.post_id from post_attachments a
  join media m on m.name = a.media where a.file = 1 and m.file_name is not null`

export async function visiblePostIds(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await visibility
    .members(viewer)
    .innerJoin('posts', 'posts.user_id', 'users.id')
    .select('posts.id')
    .where('posts.id', 'in', [...new Set(ids)])
    .where(audiences.shown(viewer, 'posts'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether there are posts for the group. Checks no rights. */
export const hasOfGroup = (db: Db, group: number) =>
  hasMatchingRow(db.selectFrom('posts').select('id').where('group_id', '=', group).limit(1))
