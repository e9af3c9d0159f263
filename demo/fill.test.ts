import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import type { Media } from '#core/media/media.ts'
import { createTestApp, rowsOf, type TestApp } from '#tests/harness.ts'
import { cast, follows } from './cast.ts'
import { groupChats, privateChats } from './chats.ts'
import { fill } from './fill.ts'
import { posts } from './posts.ts'

const chats = [...privateChats, ...groupChats]
const messages = chats.flatMap((chat) => chat.messages)
const withoutPictures: Media['store'] = async (_, __, work) => work([])
const countPictures = (owners: readonly { pictures: readonly unknown[] }[]) =>
  owners.reduce((sum, { pictures }) => sum + pictures.length, 0)

test('the demo has all members, posts, chats and pictures, once', async () => {
  const { context, db, kept } = await createTestApp()
  const count = async (table: string) => (await rowsOf(db, table)).length
  // Small files: to make large ones takes ten seconds.
  const store: Media['store'] = (uploads, sizes, work) =>
    context.media.store(
      uploads,
      'squares' in sizes ? { squares: [32] } : { widths: [32], standard: 32 },
      work,
    )
  await fill(withMedia(context, store))
  await fill(withMedia(context, store))

  expect(await db.selectFrom('users').select(['id', 'name']).orderBy('id').execute()).toEqual(
    cast.map(({ name }, index) => ({ id: index + 1, name })),
  )
  expect(await db.selectFrom('admins').select('user_id').execute()).toEqual([{ user_id: 1 }])
  const withFace = db.selectFrom('users').select('id').where('image', 'is not', null)
  expect(await withFace.execute()).toHaveLength(cast.filter(({ face }) => face).length)
  expect(await count('follows')).toBe(follows.length)
  expect(await count('posts')).toBe(posts.length)
  expect(await count('likes')).toBe(posts.reduce((sum, { likes }) => sum + likes.length, 0))
  expect(await count('conversations')).toBe(chats.length)
  expect(await count('messages')).toBe(messages.length)
  expect(await count('post_images')).toBe(countPictures(posts))
  expect(await count('message_images')).toBe(countPictures(messages.filter(({ deleted }) => !deleted)))
  expect(await count('loose_media')).toBe(0)

  const media = await db.selectFrom('media').select(['name', 'widths']).execute()
  const files = media.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`))
  expect(await kept()).toEqual(files.sort())
})

test('ids of posts and messages follow their times', async () => {
  const { context, db } = await createTestApp()
  await fill(withMedia(context, withoutPictures))
  for (const table of ['posts', 'messages'] as const) {
    const times = (await db.selectFrom(table).select('created_at').orderBy('id').execute()).map(
      (row) => row.created_at,
    )
    expect(times).toEqual(times.toSorted())
  }
})

test('nothing is left where a picture cannot be stored', async () => {
  const { context, db } = await createTestApp()
  let uploads = 0
  const failing: Media['store'] = async (_, __, work) => {
    if (++uploads === 3) throw new Error('The disk is full.')
    return work([])
  }
  await expect(fill(withMedia(context, failing))).rejects.toThrow('The disk is full.')
  expect(await rowsOf(db, 'users')).toEqual([])
})

test('nothing is left where the last step fails', async () => {
  const { context, db } = await createTestApp()
  await transaction(db, (tx) => sql`alter table messages rename to other_messages`.execute(tx))
  await expect(fill(withMedia(context, withoutPictures))).rejects.toThrow('messages')
  expect(await rowsOf(db, 'users')).toEqual([])
  expect(await rowsOf(db, 'posts')).toEqual([])
})

/** The context with another `media.store`. */
const withMedia = (context: TestApp['context'], store: Media['store']) => ({
  ...context,
  media: { ...context.media, store },
})
