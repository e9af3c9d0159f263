import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isPostgres, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import { isAdminMember } from '#features/people/read.ts'
import { visiblePeople } from '#features/people/visibility.ts'
import { isLiked, isVisiblePost, noSuchPost } from './read.ts'

export interface NewPost {
  body: string | null
  pictures: readonly Picture[]
  /** Descriptions, in the order of the pictures. */
  alt: readonly (string | null)[]
  client_id?: string | null
}

/** Stores a post with its images and returns its id. A `client_id` that the author used before returns the first post. */
export const create = (
  { db, me, emit }: MemberContext,
  { body, pictures, alt, client_id = null }: NewPost,
  created_at = now(),
) =>
  transaction(db, async (tx) => {
    const created = await tx
      .insertInto('posts')
      .values({ user_id: me.id, client_id, body, created_at })
      .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) return existingPost(tx, me.id, client_id!)
    const { id } = created
    for (const [position, picture] of pictures.entries()) {
      await attach(tx, picture)
      const image = { post_id: id, position, media: picture.name, alt: alt[position] ?? null }
      await tx.insertInto('post_images').values(image).execute()
    }
    await emit(tx, 'post.created', { id, user_id: me.id })
    return id
  })

async function existingPost(tx: Tx, author: number, client_id: string) {
  const { id } = await tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes a post, for its author or an admin. Returns the names of its pictures, whose files may then go. */
export const remove = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const post = await tx
      .selectFrom('posts')
      .select('user_id')
      .where('id', '=', id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw noSuchPost()
    if (post.user_id !== me.id && !(await isAdminMember(tx, me.id)))
      throw (await isVisiblePost({ ...context, db: tx }, id)) ? notYours() : noSuchPost()
    const images = await tx.deleteFrom('post_images').where('post_id', '=', id).returning('media').execute()
    await tx.deleteFrom('posts').where('id', '=', id).execute()
    const names = images.map(({ media }) => media)
    await detach(tx, names)
    await emit(tx, 'post.deleted', { id, user_id: post.user_id })
    return names
  })

const notYours = () =>
  new HttpError(403, {
    en: 'Only its author or an admin may delete a post.',
    ja: '投稿を削除できるのは、投稿した人と管理者だけです。',
  })

// ── Likes ───────────────────────────────────────────────────────────────────

/** A post's likes after a change by the member. */
export interface Likes {
  liked: boolean
  likes_count: number
  /** The id of the post's author. */
  author: number
}

export const like = (context: MemberContext, id: number) =>
  changeLikes(context, id, (tx) => addLike(context, tx, id))

export const unlike = (context: MemberContext, id: number) =>
  changeLikes(context, id, (tx) => removeLike(context, tx, id))

export const toggleLike = (context: MemberContext, id: number) =>
  changeLikes(context, id, async (tx) =>
    (await isLiked({ db: tx, me: context.me }, id)) ? removeLike(context, tx, id) : addLike(context, tx, id),
  )

/**
 * PostgreSQL locks the post, so that changes to its likes follow each other. SQLite's transactions do so
 * anyway.
 */
const changeLikes = <T>({ db }: MemberContext, id: number, change: (tx: Tx) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('posts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    return change(tx)
  })

/**
 * Inserts through the rows of the post and its author, so that nobody likes a post that is missing or hidden.
 */
async function addLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const viewer = { ...context, db: tx }
  const { numAffectedRows } = await sql`insert into likes (post_id, user_id, created_at)
    select p.id, ${me.id}, ${now()} from posts p join ${visiblePeople(viewer).select('id')} u on u.id = p.user_id
    where p.id = ${id} on conflict do nothing`.execute(tx)
  const added = Number(numAffectedRows)
  if (added) await emit(tx, 'post.liked', { id, user_id: me.id })
  else if (!(await isLiked(viewer, id))) throw noSuchPost()
  return { liked: true, ...(await changeCount(tx, id, added)) }
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
  else if (!(await isVisiblePost({ ...context, db: tx }, id))) throw noSuchPost()
  return { liked: false, ...(await changeCount(tx, id, -removed)) }
}

/** Moves the count by what really changed. The revision moves with it, since lists show the count. */
async function changeCount(tx: Tx, id: number, change: number) {
  const { rows } = await sql<{ likes_count: number; author: number }>`update posts
    set likes_count = likes_count + ${change}, revision = revision + ${Math.abs(change)}
    where id = ${id} returning likes_count, user_id as author`.execute(tx)
  if (!rows[0]) throw noSuchPost()
  return rows[0]
}
