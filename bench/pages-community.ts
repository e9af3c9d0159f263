import { sql } from 'kysely'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { getDemoMemberIndexByEmailLocalPart } from '#demo/members.ts'
import { demoPosts as written } from '#demo/posts.ts'
import { requireReadablePrivateChat } from '#features/chat/read.ts'
import { fillNewestPostsSql } from '#features/posts/tables.ts'

export const PAGES_BENCH_POST_COUNT = 520
export const PAGES_BENCH_MESSAGE_COUNT = 10_000
const [ben, tomas] = [
  getDemoMemberIndexByEmailLocalPart('ben') + 1,
  getDemoMemberIndexByEmailLocalPart('tomas') + 1,
]
/** The path of the page with the long private chat of the bench, as Ben opens it. */
export const PAGES_BENCH_LONG_CHAT_PATH = `/privatechat/${tomas}`

/**
 * Adds posts and messages to the database of the demo community, so that `npm run pages` measures long lists.
 */
export async function insertPagesBenchPostsAndMessages(context: AppContext) {
  await addPosts(context)
  await addMessages(context)
}

/**
 * Adds copies of the demo's posts, with their pictures, until the database has as many posts as are wanted.
 */
async function addPosts({ db }: AppContext) {
  const there = await db.selectFrom('posts').selectAll().orderBy('id').execute()
  const shown = Map.groupBy(
    await db.selectFrom('post_images').selectAll().orderBy('id').execute(),
    ({ post_id }) => post_id,
  )
  for (let count = there.length; count < PAGES_BENCH_POST_COUNT; count++) {
    const { id, client_id: _, ...post } = there[count % there.length]!
    const copy = await transaction(db, (tx) =>
      tx.insertInto('posts').values(post).returning('id').executeTakeFirstOrThrow(),
    )
    const pictures = shown.get(id)?.map(({ id: _, ...picture }) => ({ ...picture, post_id: copy.id })) ?? []
    if (pictures.length)
      await transaction(db, (tx) => tx.insertInto('post_images').values(pictures).execute())
  }
  await transaction(db, (tx) => sql.raw(fillNewestPostsSql).execute(tx))
}

/**
 * Adds a year of messages between two members: a few in a row by one member, then by the other, sometimes
 * with a picture.
 */
async function addMessages(context: AppContext) {
  const { db } = context
  const { conversation } = await requireReadablePrivateChat(
    createMemberContextWithoutRoles(context, ben),
    tomas,
  )
  const pictures = await db.selectFrom('post_images').select('media').distinct().execute()
  const texts = written.map(({ text }) => text?.slice(0, 200) ?? '👍')
  const start = Date.now() - 365 * 24 * 3600_000
  const rows = Array.from({ length: PAGES_BENCH_MESSAGE_COUNT }, (_, n) => ({
    conversation_id: conversation!,
    user_id: [ben, tomas, tomas, ben, ben, ben, tomas][Math.floor(n / 2) % 7]!,
    client_id: null,
    body: texts[(n * 7) % texts.length]!,
    created_at: new Date(start + n * 3_000_000).toISOString(),
    edited_at: null,
    deleted_at: null,
  }))
  for (let n = 0; n < PAGES_BENCH_MESSAGE_COUNT; n += 500) {
    const messages = await transaction(db, (tx) =>
      tx
        .insertInto('messages')
        .values(rows.slice(n, n + 500))
        .returning('id')
        .execute(),
    )
    const shown = messages.filter(({ id }) => id % 40 === 0)
    const images = shown.map(({ id }) => ({
      message_id: id,
      position: 0,
      media: pictures[id % pictures.length]!.media,
      alt: null,
    }))
    await transaction(db, (tx) => tx.insertInto('message_attachments').values(images).execute())
    const newest = messages.at(-1)!.id
    await transaction(db, (tx) =>
      tx
        .updateTable('conversation_members')
        .set({ last_read_id: newest })
        .where('conversation_id', '=', conversation!)
        .execute(),
    )
  }
}
