import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { buildIdInListCondition, hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { buildNotApartCondition } from '#features/people/apart.ts'
import { readMillisecondsLeftAsNewMember } from '#features/people/new-members.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisibleListedUsersQuery,
  buildVisiblePersonRowsQuery,
  hasOtherVisibleMembers,
  readProfile,
  toPagedListedUsersResponse,
  toPersonFromRow,
} from '#features/people/read.ts'
import { isFollowingAnyone } from '#features/people/read-follows.ts'
import {
  buildVisibleMembersQuery,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import type { FirstStepsProgress, Post, ProfileWithPostsCount } from './contract.ts'
import { readImagesByPostReplyOrMessageId } from './read-images.ts'
import {
  buildPostAudienceAndNotHiddenCondition,
  listPostVisibilityCacheDependencies,
} from './visible-posts.ts'

export const createNoSuchPostError = () =>
  new HttpError(404, { en: 'There is no such post.', ja: 'その投稿は見つかりません。' })

/** The names of those fields of a post whose values differ between viewers. */
export type ViewerDependentPostField = 'liked_by_me' | 'bookmarked_by_me'

/** A post without the fields that depend on the viewer, with the revisions of the post and of its author. */
export interface ViewerIndependentPostAndRevisions {
  post: Omit<Post, ViewerDependentPostField>
  revision: number
  authorRevision: number
}

/**
 * Returns the posts with these ids that the viewer may see, without the fields that depend on the viewer, in
 * no particular order.
 */
export const readVisibleViewerIndependentPostsAndRevisions = (
  viewer: ViewerContext,
  ids: readonly number[],
) =>
  readViewerIndependentPosts(
    viewer,
    ids,
    buildVisiblePersonRowsQuery(viewer),
    buildPostAudienceAndNotHiddenCondition(viewer, 'p'),
  )

/**
 * Returns the posts with these ids, without the fields that depend on the viewer, in no particular order.
 * Does not check whether a viewer may see the posts: the caller checks this after the call.
 */
export const readViewerIndependentPostsWithoutCheck = (
  context: Omit<ViewerContext, 'me'>,
  ids: readonly number[],
) => {
  const viewer = { ...context, me: null }
  return readViewerIndependentPosts(viewer, ids, buildUnfilteredPersonRowsQuery(viewer), sql<SqlBool>`true`)
}

async function readViewerIndependentPosts(
  viewer: ViewerContext,
  ids: readonly number[],
  authors: ReturnType<typeof buildVisiblePersonRowsQuery>,
  condition: RawBuilder<SqlBool>,
): Promise<ViewerIndependentPostAndRevisions[]> {
  if (!ids.length) return []
  const rows = await viewer.db
    .selectFrom('posts as p')
    .innerJoin(authors.select('revision').as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'p.likes_count', 'p.revision', 'p.audience', 'p.group_id'])
    .select(['p.removed_images', 'p.replies_count', 'p.edited_at', 'p.pinned_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle', 'u.revision as authorRevision'])
    .where(buildIdInListCondition(viewer.db, 'p.id', ids))
    .where(condition)
    .execute()
  const images = await readImagesByPostReplyOrMessageId(viewer, 'post_images', 'post_id', ids)
  return rows.map(
    ({ author_id, name, image, shared_handle, revision, authorRevision, audience, group_id, ...row }) => ({
      post: {
        id: row.id,
        body: row.body,
        created_at: row.created_at,
        user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
        images: images.get(row.id) ?? [],
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

/**
 * Returns one post as the viewer sees it. Throws 404 if there is no such post, or if the viewer may not see
 * it or its author.
 */
export async function readPost(viewer: ViewerContext, id: number): Promise<Post> {
  const [found] = await readVisibleViewerIndependentPostsAndRevisions(viewer, [id])
  if (!found) throw createNoSuchPostError()
  if (!isMemberViewer(viewer)) return { ...found.post, liked_by_me: false, bookmarked_by_me: false }
  return {
    ...found.post,
    liked_by_me: await hasLikedPost(viewer, id),
    bookmarked_by_me: await hasBookmarkedPost(viewer, id),
  }
}

/** Returns whether the post exists and the viewer may see it and its author. */
export const isVisiblePost = (viewer: ViewerContext, id: number) =>
  hasMatchingRow(
    buildVisibleMembersQuery(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .select('posts.id')
      .where('posts.id', '=', id)
      .where(buildPostAudienceAndNotHiddenCondition(viewer, 'posts')),
  )

/**
 * Returns the id of the author of a post; undefined if there is no such post or the viewer may not see it.
 */
export async function findAuthorIdOfVisiblePost(viewer: ViewerContext, id: number) {
  const row = await buildVisibleMembersQuery(viewer)
    .innerJoin('posts', 'posts.user_id', 'users.id')
    .select('posts.user_id')
    .where('posts.id', '=', id)
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'posts'))
    .executeTakeFirst()
  return row?.user_id
}

const hasLikedPost = ({ db, me }: Pick<MemberViewerContext, 'db' | 'me'>, id: number) =>
  hasMatchingRow(
    db.selectFrom('likes').select('post_id').where('post_id', '=', id).where('user_id', '=', me.id),
  )

const hasBookmarkedPost = ({ db, me }: MemberViewerContext, id: number) =>
  hasMatchingRow(
    db.selectFrom('bookmarks').select('id').where('post_id', '=', id).where('user_id', '=', me.id),
  )

/**
 * Returns one page of the people who like a post and whom the viewer may see, ordered by their ids. Throws
 * 404 if the viewer may not see the post.
 */
export async function listPostLikers(
  viewer: MemberViewerContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  if (!(await readVisibleViewerIndependentPostsAndRevisions(viewer, [id])).length)
    throw createNoSuchPostError()
  const found = buildVisibleListedUsersQuery(viewer)
    .innerJoin('likes', 'likes.user_id', 'users.id')
    .where('likes.post_id', '=', id)
    .where(buildNotApartCondition(viewer, 'users.id'))
  return toPagedListedUsersResponse(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, 'likes.user_id', page).execute(),
    page,
  )
}

/**
 * Returns whether the viewer may see a picture that is not public: the picture must belong to a post that the
 * viewer may see. Pictures are not public if their post is hidden or not for everybody.
 */
export const maySeePostImage = (viewer: ViewerContext, picture: string) =>
  hasMatchingRow(
    buildVisibleMembersQuery(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .innerJoin('post_images', 'post_images.post_id', 'posts.id')
      .select('posts.id')
      .where('post_images.media', '=', picture)
      .where(buildPostAudienceAndNotHiddenCondition(viewer, 'posts')),
  )

/**
 * Returns a member's profile, with the number of the member's posts that the viewer may see. For moderators
 * and admins, the profile also says whether the limits for new members apply to the member.
 */
export async function readProfileWithPostsCount(
  viewer: MemberContext,
  id: number,
): Promise<ProfileWithPostsCount> {
  const profile = await readProfile(viewer, id)
  const { count } = await viewer.db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'posts'))
    .executeTakeFirstOrThrow()
  const isNew =
    viewer.me.is_moderator &&
    (await readMillisecondsLeftAsNewMember(viewer, viewer.db, id)) > 0 &&
    ({ is_new: true } as const)
  return { ...profile, posts_count: Number(count), ...isNew }
}

/**
 * Creates the function that returns which of the first steps a member has done. The function caches its
 * results.
 */
export function createCachedFirstStepsReader(context: Pick<AppContext, 'groups' | 'queryCaches'>) {
  const steps = context.queryCaches<FirstStepsProgress>(listPostVisibilityCacheDependencies(context), 5000)
  return (viewer: MemberViewerContext) => steps(String(viewer.me.id), () => readFirstSteps(viewer))
}

async function readFirstSteps(viewer: MemberViewerContext): Promise<FirstStepsProgress> {
  const { db, me } = viewer
  const [others, follows, posted] = await Promise.all([
    hasOtherVisibleMembers(viewer),
    isFollowingAnyone(viewer),
    hasMatchingRow(db.selectFrom('posts').select('id').where('user_id', '=', me.id).limit(1)),
  ])
  return { others, follows, posted }
}
