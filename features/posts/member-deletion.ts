import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import { deleteBookmarks } from './bookmarks.ts'
import { postChannels } from './contract.ts'

/** After so many broadcasts, other work gets a turn of the event loop. */
const BROADCAST_BATCH = 100

/** Belongs to the transaction that deletes the account. Broadcasts and deletes files after the commit. */
export async function deleteOfMember(context: AppContext, tx: Tx, user: number) {
  const { emit, media, realtime } = context
  const images = await tx
    .selectFrom('post_attachments')
    .innerJoin('posts', 'posts.id', 'post_attachments.post_id')
    .select('post_attachments.media')
    .where('posts.user_id', '=', user)
    .execute()
  const posts = await tx
    .deleteFrom('posts')
    .where('user_id', '=', user)
    .returning(['id', 'user_id as author', 'audience', 'group_id'])
    .execute()
  const pictures = images.map((image) => image.media)
  await lifecycle.detach(tx, pictures)
  for (const { id } of posts)
    await emit(tx, 'post.deleted', { id, user_id: user, actor_id: user, with_account: true })
  const unliked = await deleteLikes(tx, user)
  await deleteBookmarks(tx, user)
  for (const { id } of unliked) await emit(tx, 'post.unliked', { id, user_id: user, with_account: true })

  // Read before the commit, because the deletion of the account also deletes the follows of the member.
  const viewersOf = await audiences.viewersLookup({ ...context, db: tx }, posts)

  tx.afterCommit(async () => {
    for (const [index, post] of posts.entries()) {
      const options = { aboutUsers: [], onlyFor: viewersOf(post) }
      realtime.broadcast([postChannels.posts.name], 'PostDeleted', { id: post.id }, options)
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
    await broadcastLikes(context, unliked)
  })
  tx.afterCommit(() => media.deleteUnreferenced(pictures))
}

/** `likes_count` is the new number. `hidden` is truthy if a moderator has hidden the post. */
export interface UnlikedPost extends AuthorAudience {
  id: number
  likes_count: number
  hidden: unknown
}

/**
 * Must be called after the commit; leaves out hidden posts. Reads the viewers once for all posts with the
 * same author and audience, and broadcasts these before it reads others: all together may be millions.
 */
export async function broadcastLikes(context: AppContext, unliked: readonly UnlikedPost[]) {
  const byViewers = Map.groupBy(
    unliked.filter(({ hidden }) => !hidden),
    ({ author, audience, group_id }) => `${author} ${audience} ${group_id}`,
  )
  for (const posts of byViewers.values()) {
    const onlyFor = await audiences.viewers(context, posts[0]!)
    for (const [index, { id, likes_count, author }] of posts.entries()) {
      const options = { aboutUsers: [author], onlyFor }
      context.realtime.broadcast([postChannels.posts.name], 'PostLiked', { id, likes_count }, options)
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
  }
}

/** Posts that one SQL statement changes. */
const COUNT_BATCH = 1000

/**
 * With `author`, only the likes of posts of that author. Lowers a number only if this transaction has deleted
 * the like, because the member may remove a like at the same moment.
 */
export async function deleteLikes(tx: Tx, user: number, author?: number) {
  const ofAuthor =
    author === undefined ? sql`` : sql`and post_id in (select id from posts where user_id = ${author})`
  const { rows: deleted } = await sql<{ post_id: number }>`delete from likes
    where user_id = ${user} ${ofAuthor} returning post_id`.execute(tx)
  const unliked: UnlikedPost[] = []
  for (let first = 0; first < deleted.length; first += COUNT_BATCH) {
    const ids = deleted.slice(first, first + COUNT_BATCH).map(({ post_id }) => post_id)
    const { rows } = await sql<UnlikedPost>`update posts
      set likes_count = likes_count - 1, revision = revision + 1 where id in (${sql.join(ids)})
      returning id, likes_count, user_id as author, audience, group_id,
        id in (select post_id from hidden_posts) as hidden`.execute(tx)
    unliked.push(...rows)
  }
  return unliked
}

export async function countPosts(db: Db, user: number) {
  const { rows } = await sql<{ posts: number; pictures: number }>`select
    (select count(*) from posts where user_id = ${user}) as posts,
    (select count(*) from post_attachments a
      join posts p on p.id = a.post_id join media m on m.name = a.media
      where p.user_id = ${user} and (a.file is null or m.file_name is not null)) as pictures`.execute(db)
  return { posts: Number(rows[0]!.posts), pictures: Number(rows[0]!.pictures) }
}
