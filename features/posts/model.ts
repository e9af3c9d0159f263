import { type Db, isPostgres, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import type { Media } from '#core/media/media.ts'
import { avatarUrl, isAdmin, profile } from '#features/people/model.ts'
import type { Author, FirstSteps, Image, Post } from './contract.ts'
import { byOwner } from './images.ts'

// ── Reading ───────────────────────────────────────────────────────────────────

export async function author(db: Db, media: Media, me: number, id: number): Promise<Author> {
  const person = await profile(db, media, me, id)
  const { n } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...person, posts_count: Number(n) }
}

export async function firstSteps(db: Db, me: number): Promise<FirstSteps> {
  const [other, followed, post] = await Promise.all([
    db.selectFrom('users').select('id').where('id', '!=', me).limit(1).executeTakeFirst(),
    db.selectFrom('follows').select('followed_id').where('follower_id', '=', me).limit(1).executeTakeFirst(),
    db.selectFrom('posts').select('id').where('user_id', '=', me).limit(1).executeTakeFirst(),
  ])
  return { others: other !== undefined, follows: followed !== undefined, posted: post !== undefined }
}

export async function one(db: Db, media: Media, me: number | null, id: number): Promise<Post> {
  const [post] = await shown(db, media, [id])
  if (!post) throw gone()
  return { ...post, liked_by_me: me !== null && (await isLiked(db, me, id)) }
}

/** What a post shows to everybody. */
export type Shown = Omit<Post, 'liked_by_me'>

export async function shown(db: Db, media: Media, ids: readonly number[]): Promise<Shown[]> {
  const posts = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'p.likes_count', 'u.id as author_id', 'u.name', 'u.image'])
    .where('p.id', 'in', ids)
    .execute()
  const images = await imagesOf(db, media, ids)
  return posts.map(({ id, body, created_at, likes_count, author_id, name, image }) => ({
    id,
    body,
    created_at,
    user: { id: author_id, name, profile_image: avatarUrl(media, image) },
    images: images.get(id) ?? [],
    likes_count,
  }))
}

/** Images of some posts, by post, in upload order. */
async function imagesOf(db: Db, media: Media, posts: readonly number[]): Promise<Map<number, Image[]>> {
  const rows = await db
    .selectFrom('post_images as i')
    .innerJoin('media as m', 'm.name', 'i.media')
    .select([
      'i.post_id as owner',
      'i.id',
      'i.alt',
      'm.name',
      'm.widths',
      'm.width',
      'm.height',
      'm.placeholder',
      'm.animated',
    ])
    .where('i.post_id', 'in', posts)
    .orderBy('i.post_id')
    .orderBy('i.position')
    .execute()
  return byOwner(media, rows)
}

// ── Writing ─────────────────────────────────────────────────────────────────

export interface NewPost {
  body: string | null
  pictures: readonly Picture[]
  /** Descriptions, in the order of the pictures. */
  alt: readonly (string | null)[]
  client_id?: string | null
}

/** The post with its images, or nothing of it; one that was stored before under its client's id stays as it is. Returns its id. */
export const create = (
  db: Db,
  me: number,
  { body, pictures, alt, client_id = null }: NewPost,
  created_at = now(),
) =>
  transaction(db, async (tx) => {
    const made = await tx
      .insertInto('posts')
      .values({ user_id: me, client_id, body, created_at })
      .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return (await madeBefore(tx, me, client_id!)).id
    const { id } = made
    for (const [position, picture] of pictures.entries()) {
      await attach(tx, picture)
      await tx
        .insertInto('post_images')
        .values({ post_id: id, position, media: picture.name, alt: alt[position] ?? null })
        .execute()
    }
    return id
  })

const madeBefore = (tx: Tx, me: number, client_id: string) =>
  tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', me)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()

/** By its author, or by an admin. Returns the names of the pictures that it showed. */
export const remove = (db: Db, me: number, id: number) =>
  transaction(db, async (tx) => {
    const post = await tx
      .selectFrom('posts')
      .select('user_id')
      .where('id', '=', id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw gone()
    const may = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', me)
      .where((q) => q.or([q('id', '=', post.user_id), isAdmin(q)]))
      .executeTakeFirst()
    if (!may)
      throw new HttpError(403, {
        en: 'Only its author or an admin may delete a post.',
        ja: '投稿を削除できるのは、投稿した人と管理者だけです。',
      })
    const images = await tx.deleteFrom('post_images').where('post_id', '=', id).returning('media').execute()
    await tx.deleteFrom('posts').where('id', '=', id).execute()
    const names = images.map(({ media }) => media)
    await detach(tx, names)
    return names
  })

// ── Likes ───────────────────────────────────────────────────────────────────

export const toggleLike = (db: Db, me: number, id: number) =>
  changingLikes(db, id, async (tx) => ((await isLiked(tx, me, id)) ? unlike(tx, me, id) : like(tx, me, id)))

/** Inserted through the post's row: a missing post is a missing row. The count moves by what really changed. */
export const like = (db: Db, me: number, id: number) =>
  changingLikes(db, id, async (tx) => {
    const post = tx
      .selectFrom('posts')
      .where('id', '=', id)
      .select((q) => ['id', q.val(me).as('user_id'), q.val(now()).as('created_at')] as const)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('likes')
      .columns(['post_id', 'user_id', 'created_at'])
      .expression(post)
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    return { liked: true, likes_count: await count(tx, id, Number(numInsertedOrUpdatedRows ?? 0)) }
  })

export const unlike = (db: Db, me: number, id: number) =>
  changingLikes(db, id, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('likes')
      .where('post_id', '=', id)
      .where('user_id', '=', me)
      .executeTakeFirstOrThrow()
    return { liked: false, likes_count: await count(tx, id, -Number(numDeletedRows)) }
  })

/** Changes to one post's likes follow each other; SQLite's transactions do so by themselves. */
const changingLikes = <T>(db: Db, id: number, work: (tx: Tx) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('posts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    return work(tx)
  })

const isLiked = async (db: Db, me: number, id: number) =>
  (await db
    .selectFrom('likes')
    .select('post_id')
    .where('post_id', '=', id)
    .where('user_id', '=', me)
    .executeTakeFirst()) !== undefined

async function count(tx: Tx, id: number, change: number) {
  const row = await tx
    .updateTable('posts')
    .set((q) => ({ likes_count: q('likes_count', '+', change) }))
    .where('id', '=', id)
    .returning('likes_count')
    .executeTakeFirst()
  if (!row) throw gone()
  return row.likes_count
}

const gone = () => new HttpError(404, { en: 'There is no such post.', ja: 'その投稿は見つかりません。' })
