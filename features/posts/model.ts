import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { attachPicture, detachPictures } from '#core/media/lifecycle.ts'
import { lockAgainstBlocks } from '#features/people/blocks.ts'
import { isAdmin } from '#features/people/read.ts'
import { visiblePeopleQuery } from '#features/people/visibility.ts'
import { hasLikedPost, isVisiblePost, noSuchPostError } from './read.ts'

export interface NewPost {
  body: string | null
  pictures: readonly PictureMetadata[]
  /** Descriptions, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
}

/**
 * Stores a post with its images and returns its id. If the author has used the `client_id` before, it stores
 * nothing and returns the id of that post.
 */
export const createPost = (
  { db, me, emit }: MemberContext,
  { body, pictures, descriptions, client_id = null }: NewPost,
  created_at = currentIsoTime(),
) =>
  transaction(db, async (tx) => {
    const created = await tx
      .insertInto('posts')
      .values({ user_id: me.id, client_id, body, created_at })
      .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) return findPostByClientId(tx, me.id, client_id!)
    const { id } = created
    for (const [position, picture] of pictures.entries()) {
      await attachPicture(tx, picture)
      const image = { post_id: id, position, media: picture.name, alt: descriptions[position] ?? null }
      await tx.insertInto('post_images').values(image).execute()
    }
    await emit(tx, 'post.created', { id, user_id: me.id })
    return id
  })

async function findPostByClientId(tx: Tx, author: number, client_id: string) {
  const { id } = await tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Deletes a post; only its author or an admin may. Returns the names of its pictures, so that the caller can
 * delete the files.
 */
export const deletePost = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const post = await tx
      .selectFrom('posts')
      .select('user_id')
      .where('id', '=', id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw noSuchPostError()
    if (post.user_id !== me.id && !(me.is_admin && (await isAdmin(tx, me.id))))
      throw (await isVisiblePost({ ...context, db: tx }, id)) ? notAuthorError() : noSuchPostError()
    const images = await tx.deleteFrom('post_images').where('post_id', '=', id).returning('media').execute()
    await tx.deleteFrom('posts').where('id', '=', id).execute()
    const names = images.map(({ media }) => media)
    await detachPictures(tx, names)
    await emit(tx, 'post.deleted', { id, user_id: post.user_id, actor_id: me.id })
    return names
  })

const notAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author or an admin can delete a post.',
    ja: '投稿を削除できるのは、投稿した人と管理者だけです。',
  })

// ── Likes ───────────────────────────────────────────────────────────────────

/** The like state of a post after a member changed it. */
export interface LikeState {
  liked: boolean
  likes_count: number
  /** The id of the post's author. */
  author: number
}

export const likePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, (tx) => addLike(context, tx, id))

export const unlikePost = (context: MemberContext, id: number) =>
  withLockedPost(context, id, (tx) => removeLike(context, tx, id))

export const togglePostLike = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) =>
    (await hasLikedPost({ db: tx, me: context.me }, id))
      ? removeLike(context, tx, id)
      : addLike(context, tx, id),
  )

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
 * or if the member may not see its author.
 */
async function addLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const viewer = { ...context, db: tx }
  await lockAgainstBlocks(tx, [me.id])
  const { numAffectedRows } = await sql`insert into likes (post_id, user_id, created_at)
    select p.id, ${me.id}, ${currentIsoTime()} from posts p
      join ${visiblePeopleQuery(viewer).select('id')} u on u.id = p.user_id
    where p.id = ${id} on conflict do nothing`.execute(tx)
  const added = Number(numAffectedRows)
  if (added) await emit(tx, 'post.liked', { id, user_id: me.id })
  else if (!(await hasLikedPost(viewer, id))) throw noSuchPostError()
  return { liked: true, ...(await addToLikesCount(tx, id, added)) }
}

async function removeLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const { numDeletedRows } = await tx
    .deleteFrom('likes')
    .where('post_id', '=', id)
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  const removed = Number(numDeletedRows)
  if (removed) await emit(tx, 'post.unliked', { id, user_id: me.id })
  else if (!(await isVisiblePost({ ...context, db: tx }, id))) throw noSuchPostError()
  return { liked: false, ...(await addToLikesCount(tx, id, -removed)) }
}

/**
 * Adds `change` to the number of likes of a post. `change` counts only likes that were really added or
 * removed. Raises the revision of the post too, because lists show the number.
 */
async function addToLikesCount(tx: Tx, id: number, change: number) {
  const { rows } = await sql<{ likes_count: number; author: number }>`update posts
    set likes_count = likes_count + ${change}, revision = revision + ${Math.abs(change)}
    where id = ${id} returning likes_count, user_id as author`.execute(tx)
  if (!rows[0]) throw noSuchPostError()
  return rows[0]
}
