import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { detachPictures } from '#core/media/lifecycle.ts'
import { postChannelDefinitions } from './contract.ts'

/** After so many broadcasts, other work gets a turn of the event loop. */
const BROADCAST_BATCH = 100

/**
 * Deletes the posts and the likes of a member, in the transaction that deletes the account. The counts of
 * likes stay right. Tells open windows after the commit.
 */
export async function deletePostsAndLikes(context: AppContext, tx: Tx, user: number) {
  const { emit, media, realtime } = context
  const images = await tx
    .selectFrom('post_images')
    .innerJoin('posts', 'posts.id', 'post_images.post_id')
    .select('post_images.media')
    .where('posts.user_id', '=', user)
    .execute()
  const posts = await tx.deleteFrom('posts').where('user_id', '=', user).returning('id').execute()
  const pictures = images.map((image) => image.media)
  await detachPictures(tx, pictures)
  for (const { id } of posts) await emit(tx, 'post.deleted', { id, user_id: user, actor_id: user })
  const unliked = await deleteLikes(tx, user)
  for (const { id } of unliked) await emit(tx, 'post.unliked', { id, user_id: user })

  tx.afterCommit(async () => {
    const send = (event: string, data: object, aboutUsers: number[]) =>
      realtime.broadcast([postChannelDefinitions.posts.name], event, data, { aboutUsers })
    for (const [index, { id }] of posts.entries()) {
      send('PostDeleted', { id }, [])
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
    await broadcastLikesCounts(context, unliked)
  })
  tx.afterCommit(() => media.deleteUnreferenced(pictures))
}

/** A post that lost a like, with its new count. */
export interface UnlikedPost {
  id: number
  likes_count: number
  author: number
}

/** Sends the new counts of likes to open windows. */
export async function broadcastLikesCounts({ realtime }: AppContext, unliked: readonly UnlikedPost[]) {
  for (const [index, { id, likes_count, author }] of unliked.entries()) {
    realtime.broadcast(
      [postChannelDefinitions.posts.name],
      'PostLiked',
      { id, likes_count },
      { aboutUsers: [author] },
    )
    if (index % BROADCAST_BATCH === 0) await nextTurn()
  }
}

/** Deletes the likes of a member. Returns the posts that they liked, with the new counts. */
async function deleteLikes(tx: Tx, user: number) {
  const { rows } = await sql<UnlikedPost>`update posts
    set likes_count = likes_count - 1, revision = revision + 1
    where id in (select post_id from likes where user_id = ${user})
    returning id, likes_count, user_id as author`.execute(tx)
  await tx.deleteFrom('likes').where('user_id', '=', user).execute()
  return rows
}

/** Counts the posts of a member, and the pictures in them. */
export async function countPostsAndPictures(db: Db, user: number) {
  const { rows } = await sql<{ posts: number; pictures: number }>`select
    (select count(*) from posts where user_id = ${user}) as posts,
    (select count(*) from post_images i join posts p on p.id = i.post_id where p.user_id = ${user}) as pictures`.execute(
    db,
  )
  return { posts: Number(rows[0]!.posts), pictures: Number(rows[0]!.pictures) }
}
