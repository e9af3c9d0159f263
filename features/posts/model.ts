import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markMediaUnreferenced, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireWithinStorageQuota } from '#core/media/storage-quota.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { lockMembersShared } from '#features/people/blocks.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isAdmin } from '#features/people/read.ts'
import { buildVisibleMembersQuery } from '#features/people/visibility.ts'
import type { PostAudience } from './contract.ts'
import { requireAllowedPictureCount, requireAllowedPostLength } from './limits.ts'
import { createNoSuchPostError, hasLikedPost, isVisiblePost } from './read.ts'
import { POST_IMAGE_ACCESS_GUARD } from './tables.ts'
import {
  buildInAudienceCondition,
  buildInAudienceNotHiddenCondition,
  checkAudienceAndReturnColumns,
  type PostAuthorAndAudience,
  readPostEventViewers,
} from './visible-posts.ts'

export interface NewPost {
  body: string | null
  pictures: readonly PictureMetadata[]
  /** The descriptions of the pictures, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
  /** Default: everyone. */
  audience?: PostAudience
  /** The group, if the audience is `group`. */
  group_id?: number | undefined
}

/**
 * Stores a post with its images and returns its id. If the author has used the `client_id` before, it
 * stores nothing, and returns the id of that post and `isNew: false`. Throws 422 beyond the limits of the
 * settings or if the author is not in the group of the audience, and 429 beyond the limits for new members.
 */
export const createPost = (
  context: MemberContext,
  { body, pictures, descriptions, client_id = null, audience = 'everyone', group_id }: NewPost,
  created_at = currentIsoTime(),
) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    // Looks for the earlier post before the check of the audience, because the author may have left the group
    // since the first request.
    const earlier = await findPostByClientId(tx, me.id, client_id)
    if (earlier !== undefined) return { id: earlier, isNew: false }
    const columns = await checkAudienceAndReturnColumns({ ...context, db: tx }, audience, group_id)
    const created = await tx
      .insertInto('posts')
      .values({ user_id: me.id, client_id, body, created_at, ...columns })
      .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) return { id: (await findPostByClientId(tx, me.id, client_id))!, isNew: false }
    requireAllowedPostLength(context, body, 'text')
    requireAllowedPictureCount(context, pictures.length)
    await countAndLimitNewMemberAction(context, tx, 'post')
    await countAndLimitNewMemberAction(context, tx, 'picture', pictures.length)
    const { id } = created
    for (const [position, picture] of pictures.entries()) {
      await markPictureAttached(tx, picture, me.id, audience === 'everyone' ? null : POST_IMAGE_ACCESS_GUARD)
      const image = { post_id: id, position, media: picture.name, alt: descriptions[position] ?? null }
      await tx.insertInto('post_images').values(image).execute()
    }
    if (pictures.length) await requireWithinStorageQuota(context, tx, me.id, 'images')
    await emit(tx, 'post.created', { id, user_id: me.id })
    return { id, isNew: true }
  })

/** Returns the id of the author's post with this `client_id`; undefined if there is none. */
async function findPostByClientId(tx: Tx, author: number, client_id: string | null) {
  if (client_id === null) return undefined
  const row = await tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row?.id
}

/**
 * Deletes a post; only its author or an admin may. An admin who is not in the audience of the post gets 404,
 * and can delete the post only as a moderator, through a report. Returns the names of its pictures, so that
 * the caller can delete the files, and the members who may get the event.
 */
export const deletePostAsAuthorOrAdmin = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const post = await tx
      .selectFrom('posts')
      .select(['user_id', 'audience', 'group_id'])
      .where('id', '=', id)
      .where(buildInAudienceCondition({ ...context, db: tx }, 'posts'))
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw createNoSuchPostError()
    if (post.user_id !== me.id && !(me.is_admin && (await isAdmin(tx, me.id))))
      throw (await isVisiblePost({ ...context, db: tx }, id))
        ? createNotAuthorError()
        : createNoSuchPostError()
    const pictures = await deletePostRow(tx, id)
    await emit(tx, 'post.deleted', { id, user_id: post.user_id, actor_id: me.id })
    return {
      pictures,
      viewers: await readPostEventViewers({ ...context, db: tx }, { ...post, author: post.user_id }),
    }
  })

/** Deletes the row of a post, and marks its pictures as unreferenced. Returns the names of the pictures. */
export async function deletePostRow(tx: Tx, id: number) {
  const images = await tx.deleteFrom('post_images').where('post_id', '=', id).returning('media').execute()
  await tx.deleteFrom('posts').where('id', '=', id).execute()
  const names = images.map(({ media }) => media)
  await markMediaUnreferenced(tx, names)
  return names
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author or an admin can delete a post.',
    ja: '投稿を削除できるのは、投稿した人と管理者だけです。',
  })

// ── Likes ───────────────────────────────────────────────────────────────────

/** The like state of a post after a member changed it. */
export interface LikeChangeResult {
  liked: boolean
  likes_count: number
  /** The id of the post's author. */
  author: number
  /** Whether a moderator has hidden the post. */
  is_hidden: boolean
  /** The viewers who may get an event about the post: see `readPostEventViewers`. */
  viewers: AllowedEventViewers | undefined
}

export const likePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, (tx) => addLike(context, tx, id))

/**
 * Removes the member's like, even if the member may no longer see the post. The result `isVisible` says
 * whether the member may see it; if not, the caller must not tell whether there was a like. Throws 404 if the
 * member neither sees nor likes the post.
 */
export const unlikePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const isVisible = await isVisiblePost({ ...context, db: tx }, id)
    if (!isVisible && !(await hasLikedPost({ db: tx, me: context.me }, id))) throw createNoSuchPostError()
    return { isVisible, likes: await removeLike(context, tx, id) }
  })

export const togglePostLike = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    if (!(await hasLikedPost({ db: tx, me: context.me }, id))) return addLike(context, tx, id)
    if (!(await isVisiblePost({ ...context, db: tx }, id))) throw createNoSuchPostError()
    return removeLike(context, tx, id)
  })

/**
 * Runs `change` in a transaction. Locks the post until the commit, so that changes of its likes run one after
 * the other. SQLite needs no lock, because it runs one transaction at a time.
 */
const withLockedPost = <T>({ db }: MemberContext, id: number, change: (tx: Tx) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('posts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    return change(tx)
  })

/**
 * Adds the member's like to a post, if the member does not like it yet. Throws 404 if there is no such post,
 * or if the member may not see it.
 */
async function addLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const viewer = { ...context, db: tx }
  await lockMembersShared(tx, [me.id])
  const { numAffectedRows } = await sql`insert into likes (post_id, user_id, created_at)
    select p.id, ${me.id}, ${currentIsoTime()} from posts p
      join ${buildVisibleMembersQuery(viewer).select('id')} u on u.id = p.user_id
    where p.id = ${id} and ${buildInAudienceNotHiddenCondition(viewer, 'p')} on conflict do nothing`.execute(
    tx,
  )
  const added = Number(numAffectedRows)
  if (added) await emit(tx, 'post.liked', { id, user_id: me.id })
  else if (!(await isVisiblePost(viewer, id))) throw createNoSuchPostError()
  return { liked: true, ...(await addToLikesCount(context, tx, id, added)) }
}

/** Removes the member's like. Throws 404 if there is no such post. */
async function removeLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const { numDeletedRows } = await tx
    .deleteFrom('likes')
    .where('post_id', '=', id)
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  const removed = Number(numDeletedRows)
  if (removed) await emit(tx, 'post.unliked', { id, user_id: me.id })
  return { liked: false, ...(await addToLikesCount(context, tx, id, -removed)) }
}

/**
 * Adds `change` to the number of likes of a post. `change` counts only likes that were really added or
 * removed. Raises the revision of the post too, because lists show the number.
 */
async function addToLikesCount(context: MemberContext, tx: Tx, id: number, change: number) {
  const { rows } = await sql<PostAuthorAndAudience & { likes_count: number; hidden: unknown }>`update posts
    set likes_count = likes_count + ${change}, revision = revision + ${Math.abs(change)}
    where id = ${id} returning likes_count, user_id as author, audience, group_id,
      id in (select post_id from hidden_posts) as hidden`.execute(tx)
  if (!rows[0]) throw createNoSuchPostError()
  const { hidden, likes_count, ...post } = rows[0]
  return {
    likes_count,
    author: post.author,
    is_hidden: Boolean(hidden),
    viewers: await readPostEventViewers({ ...context, db: tx }, post),
  }
}
