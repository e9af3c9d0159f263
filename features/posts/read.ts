import type { PageParameters } from '#core/contract.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import { limitToKeysetPage } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import {
  hasOtherVisibleMembers,
  isFollowingAnyone,
  listedUsersQuery,
  personColumnsQuery,
  readProfile,
  toPublicPerson,
  toUserPage,
} from '#features/people/read.ts'
import {
  type MemberViewerContext,
  type ViewerContext,
  visiblePeopleQuery,
} from '#features/people/visibility.ts'
import type { AuthorProfile, FirstSteps, Post } from './contract.ts'
import { readImagesByOwner } from './read-images.ts'

export const noSuchPostError = () =>
  new HttpError(404, { en: 'There is no such post.', ja: 'その投稿は見つかりません。' })

/**
 * A post without the fields that depend on the viewer, with the revisions of its row and of its author's row.
 */
export interface ViewerIndependentPost {
  post: Omit<Post, 'liked_by_me'>
  revision: number
  authorRevision: number
}

/** Returns the posts with these ids that the viewer may see, in no particular order. */
export async function readViewerIndependentPosts(
  viewer: ViewerContext,
  ids: readonly number[],
): Promise<ViewerIndependentPost[]> {
  if (!ids.length) return []
  const rows = await viewer.db
    .selectFrom('posts as p')
    .innerJoin(personColumnsQuery(viewer).select('revision').as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'p.likes_count', 'p.revision'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle', 'u.revision as authorRevision'])
    .where('p.id', 'in', ids)
    .execute()
  const images = await readImagesByOwner(viewer, 'post_images', 'post_id', ids)
  return rows.map(({ author_id, name, image, shared_handle, revision, authorRevision, ...row }) => ({
    post: {
      id: row.id,
      body: row.body,
      created_at: row.created_at,
      user: toPublicPerson(viewer.media, { id: author_id, name, image, shared_handle }),
      images: images.get(row.id) ?? [],
      likes_count: row.likes_count,
    },
    revision,
    authorRevision,
  }))
}

/** Reads one post. Throws 404 if there is none, or if the viewer may not see its author. */
export async function readPost(viewer: ViewerContext, id: number): Promise<Post> {
  const [found] = await readViewerIndependentPosts(viewer, [id])
  if (!found) throw noSuchPostError()
  return {
    ...found.post,
    liked_by_me: viewer.me !== null && (await hasLikedPost(viewer as MemberViewerContext, id)),
  }
}

/** Whether the post exists and the viewer may see its author. */
export const isVisiblePost = (viewer: ViewerContext, id: number) =>
  hasMatchingRow(
    visiblePeopleQuery(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .select('posts.id')
      .where('posts.id', '=', id),
  )

export const hasLikedPost = ({ db, me }: Pick<MemberViewerContext, 'db' | 'me'>, id: number) =>
  hasMatchingRow(
    db.selectFrom('likes').select('post_id').where('post_id', '=', id).where('user_id', '=', me.id),
  )

/** Lists the people who like a post, ordered by id. Throws 404 if the viewer may not see the post. */
export async function listLikers(
  viewer: MemberViewerContext,
  { id, ...page }: PageParameters & { id: number },
) {
  if (!(await readViewerIndependentPosts(viewer, [id])).length) throw noSuchPostError()
  const found = listedUsersQuery(viewer)
    .innerJoin('likes', 'likes.user_id', 'users.id')
    .where('likes.post_id', '=', id)
  return toUserPage(viewer, await limitToKeysetPage(found, 'likes.user_id', page).execute(), page)
}

/** Reads a member's profile, with the number of their posts. */
export async function readAuthorProfile(viewer: MemberViewerContext, id: number): Promise<AuthorProfile> {
  const profile = await readProfile(viewer, id)
  const { count } = await viewer.db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...profile, posts_count: Number(count) }
}

/** Reads which of the first steps the member has done. */
export async function readFirstSteps(viewer: MemberViewerContext): Promise<FirstSteps> {
  const { db, me } = viewer
  const [others, follows, posted] = await Promise.all([
    hasOtherVisibleMembers(viewer),
    isFollowingAnyone(viewer),
    hasMatchingRow(db.selectFrom('posts').select('id').where('user_id', '=', me.id).limit(1)),
  ])
  return { others, follows, posted }
}
