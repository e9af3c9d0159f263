import { type RawBuilder, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markMediaUnreferenced, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireMemberWithinStorageQuota } from '#core/media/storage-quota.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import type { Person } from '#features/people/contract.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isAdmin, readPerson } from '#features/people/read.ts'
import {
  requireRecentIdentityConfirmation,
  type SessionContext,
} from '#features/people/session-confirmation.ts'
import { buildVisibleMemberIdsQuery } from '#features/people/visibility.ts'
import type { Post, PostAudience } from './contract.ts'
import { requireAllowedPictureCount, requirePostOrReplyNotTooLong } from './limits.ts'
import { sendSetNewestPostStatement } from './newest-posts.ts'
import { createNoSuchPostError, isVisiblePost } from './read.ts'
import { POST_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'
import {
  buildPostAudienceAndNotHiddenCondition,
  buildPostAudienceCondition,
  checkPostAudienceAndReturnColumns,
  type PostAuthorAndAudience,
  readPostEventViewers,
} from './visible-posts.ts'

export interface NewPost {
  body: string | null
  pictures: readonly PictureMetadata[]
  /** The descriptions of the post's pictures, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
  /** The audience of the post. Default: `everyone`. */
  audience?: PostAudience
  /** The id of the group that may see the post, if the audience is `group`. */
  group_id?: number | undefined
}

/**
 * Stores a post with its images. Returns the id of the post, and the post as its author sees it, without the
 * images. If the author has used the same `client_id` before, stores nothing, and returns the id of the
 * earlier post, and null as the post. Throws 422 beyond the limits of the settings or if the author is not in
 * the group of the audience, and 429 beyond the limits for new members.
 */
export const createPost = (
  context: MemberContext,
  { body, pictures, descriptions, client_id = null, audience = 'everyone', group_id }: NewPost,
  created_at = currentIsoTime(),
) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const viewer = { ...context, db: tx }
    if (audience === 'group') {
      // Looks for an earlier post with the same `client_id` before it checks the audience, because the author
      // may have left the group since the first request.
      const earlier = await findPostByClientId(tx, me.id, client_id)
      if (earlier !== undefined) return { id: earlier, post: null }
    }
    const columns = await checkPostAudienceAndReturnColumns(viewer, audience, group_id)
    const [created, author] = await Promise.all([
      tx
        .insertInto('posts')
        .values({ user_id: me.id, client_id, body, created_at, ...columns })
        .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
        .returning('id')
        .executeTakeFirst(),
      readPerson(viewer, me.id),
    ])
    if (!created) return { id: (await findPostByClientId(tx, me.id, client_id))!, post: null }
    requirePostOrReplyNotTooLong(context, body, 'text')
    requireAllowedPictureCount(context, pictures.length)
    await countAndLimitNewMemberAction(context, tx, 'post')
    await countAndLimitNewMemberAction(context, tx, 'picture', pictures.length)
    const { id } = created
    sendSetNewestPostStatement(tx, me.id, id)
    for (const [position, picture] of pictures.entries()) {
      await markPictureAttached(
        tx,
        picture,
        me.id,
        audience === 'everyone' ? null : POST_IMAGE_ACCESS_GUARD_NAME,
      )
      const image = { post_id: id, position, media: picture.name, alt: descriptions[position] ?? null }
      await tx.insertInto('post_images').values(image).execute()
    }
    if (pictures.length) await requireMemberWithinStorageQuota(context, tx, me.id, 'images')
    await emit(tx, 'post.created', { id, user_id: me.id, body, ...columns })
    return { id, post: toNewPostWithoutImages({ id, body, created_at, ...columns }, author) }
  })

/** Returns a post that was just created, as its author sees it, without its images. */
const toNewPostWithoutImages = (
  { id, body, created_at, audience, group_id }: Pick<NewPost, 'body'> & NewPostColumns,
  user: Person,
): Post => ({
  ...{ id, body, created_at, user, images: [], likes_count: 0, replies_count: 0 },
  ...(audience !== 'everyone' && { audience }),
  ...(group_id !== null && { group_id }),
  ...{ liked_by_me: false, bookmarked_by_me: false },
})

interface NewPostColumns {
  id: number
  created_at: string
  audience: PostAudience
  group_id: number | null
}

/** Returns the id of the post that the author created with this `client_id`; undefined if there is none. */
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
 * Deletes a post for its author or for an admin; throws 403 for other members, and 404 if there is no such
 * post or the member may not see it. An admin outside of the audience of the post can delete it only as a
 * moderator, through a report, and needs a recent confirmation (423). Returns the names of the post's pictures, so that the caller can delete their
 * files, and the members who may get the live event.
 */
export const deletePostAsAuthorOrAdmin = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, session, emit } = context
    const post = await tx
      .selectFrom('posts')
      .select(['user_id', 'audience', 'group_id'])
      .where('id', '=', id)
      .where(buildPostAudienceCondition({ ...context, db: tx }, 'posts'))
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw createNoSuchPostError()
    if (post.user_id !== me.id && !(me.is_admin && (await isAdmin(tx, me.id))))
      throw (await isVisiblePost({ ...context, db: tx }, id))
        ? createNotAuthorError()
        : createNoSuchPostError()
    if (post.user_id !== me.id) await requireRecentIdentityConfirmation(tx, session.token)
    const pictures = await deletePostRowAndDetachPictures(tx, id)
    await emit(tx, 'post.deleted', { id, user_id: post.user_id, actor_id: me.id })
    return {
      pictures,
      viewers: await readPostEventViewers({ ...context, db: tx }, { ...post, author: post.user_id }),
    }
  })

/**
 * Deletes the database row of a post, and marks its pictures as unreferenced. Returns the names of the
 * pictures.
 */
export async function deletePostRowAndDetachPictures(tx: Tx, id: number) {
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

/**
 * The like state of a post after a member has changed it: whether the member likes the post, and its
 * number of likes.
 */
export interface PostLikeChangeResult {
  liked: boolean
  likes_count: number
  /** The id of the post's author. */
  author: number
  /** Whether a moderator has hidden the post. */
  is_hidden: boolean
  /** The viewers who may get the live event about the like: see `readPostEventViewers`. */
  viewers: AllowedEventViewers | undefined
}

export const likePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const added = await addLike(context, tx, id)
    if (added) return added
    const [isVisible, likes] = await Promise.all([
      isVisiblePost({ ...context, db: tx }, id),
      readLikesOfPost(context, tx, id),
    ])
    if (!isVisible) throw createNoSuchPostError()
    return { liked: true, ...likes }
  })

/**
 * Removes the member's like of a post, even if the member may no longer see the post. The result `isVisible`
 * is false if the member may not see the post; the caller must then not tell whether there was a like. Throws
 * 404 if the member neither sees nor likes the post.
 */
export const unlikePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const [isVisible, removed] = await Promise.all([
      isVisiblePost({ ...context, db: tx }, id),
      removeLike(context, tx, id),
    ])
    if (removed) return { isVisible, likes: removed }
    if (!isVisible) throw createNoSuchPostError()
    return { isVisible, likes: { liked: false, ...(await readLikesOfPost(context, tx, id)) } }
  })

export const togglePostLike = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const added = await addLike(context, tx, id)
    if (added) return added
    const [isVisible, removed] = await Promise.all([
      isVisiblePost({ ...context, db: tx }, id),
      removeLike(context, tx, id),
    ])
    if (!isVisible || !removed) throw createNoSuchPostError()
    return removed
  })

/**
 * Runs `change` in a transaction that locks the post until the commit, so that changes of the likes of one
 * post run one after the other. SQLite needs no lock, because it runs one transaction at a time.
 */
const withLockedPost = <T>({ db }: MemberContext, id: number, change: (tx: Tx) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx)) tx.sendStatement(sql`select id from posts where id = ${id} for no key update`)
    return change(tx)
  })

/**
 * Adds the member's like to a post, and returns the new like state. Returns undefined if the member likes the
 * post already or may not see it, or if there is no such post.
 */
async function addLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const viewer = { ...context, db: tx }
  await lockMemberRowsShared(tx, [me.id])
  const insert = sql`insert into likes (post_id, user_id, created_at)
    select p.id, ${me.id}, ${currentIsoTime()} from posts p
      join (${buildVisibleMemberIdsQuery(viewer)}) u on u.id = p.user_id
    where p.id = ${id} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')} on conflict do nothing`
  const row = await changeLikes(tx, id, insert, 1)
  if (!row) return undefined
  await emit(tx, 'post.liked', { id, user_id: me.id, author_id: row.author })
  return { liked: true, ...(await toLikeChangeResult(context, tx, row)) }
}

/**
 * Removes the member's like of a post, and returns the new like state. Returns undefined if there was no
 * like.
 */
async function removeLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const deletion = sql`delete from likes where post_id = ${id} and user_id = ${me.id}`
  const row = await changeLikes(tx, id, deletion, -1)
  if (!row) return undefined
  await emit(tx, 'post.unliked', { id, user_id: me.id })
  return { liked: false, ...(await toLikeChangeResult(context, tx, row)) }
}

interface LikesRow extends PostAuthorAndAudience {
  likes_count: number
  hidden: unknown
}

const likesColumns = sql`likes_count, user_id as author, audience, group_id,
  id in (select post_id from hidden_posts) as hidden`

/**
 * Runs a statement that inserts or deletes one like of a post, and then adds `change` to the post's number of
 * likes. Raises the revision of the post too, because lists show the number. Returns the post's new number of
 * likes, author and audience; undefined if the statement changed nothing. PostgreSQL does both in one
 * statement, which SQLite cannot do.
 */
async function changeLikes(tx: Tx, id: number, statement: RawBuilder<unknown>, change: 1 | -1) {
  const update = sql`update posts set likes_count = likes_count + ${sql.lit(change)}, revision = revision + 1
    where id = ${id}`
  if (isPostgres(tx)) {
    const { rows } = await sql<LikesRow>`with changed as (${statement} returning post_id)
      ${update} and exists (select 1 from changed) returning ${likesColumns}`.execute(tx)
    return rows[0]
  }
  const { numAffectedRows } = await statement.execute(tx)
  if (!numAffectedRows) return undefined
  return (await sql<LikesRow>`${update} returning ${likesColumns}`.execute(tx)).rows[0]
}

/**
 * Returns the number of likes of a post that this request has not changed. Throws 404 if there is no such
 * post.
 */
async function readLikesOfPost(context: MemberContext, tx: Tx, id: number) {
  const { rows } = await sql<LikesRow>`select ${likesColumns} from posts where id = ${id}`.execute(tx)
  if (!rows[0]) throw createNoSuchPostError()
  return toLikeChangeResult(context, tx, rows[0])
}

async function toLikeChangeResult(
  context: MemberContext,
  tx: Tx,
  { hidden, likes_count, ...post }: LikesRow,
) {
  return {
    likes_count,
    author: post.author,
    is_hidden: Boolean(hidden),
    viewers: await readPostEventViewers({ ...context, db: tx }, post),
  }
}
