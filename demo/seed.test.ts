import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import type { MediaService } from '#core/media/media.ts'
import { createTestApp, readRows, type TestApp } from '#tests/harness.ts'
import { groupChats, privateChats } from './chats.ts'
import { demoMembers, followPairs } from './members.ts'
import { demoPosts } from './posts.ts'
import { demoReplyThreads } from './replies.ts'
import { seedDemoCommunityIfEmpty } from './seed.ts'

const chats = [...privateChats, ...groupChats]
const messages = chats.flatMap((chat) => chat.messages)
const withoutPictures: MediaService['store'] = async (_, __, work) => work([], [], [])
const countPictures = (owners: readonly { pictures: readonly unknown[] }[]) =>
  owners.reduce((sum, { pictures }) => sum + pictures.length, 0)

test('the demo has all members, posts, chats and pictures, once', async () => {
  const { context, db, mediaFiles } = await createTestApp()
  const count = async (table: string) => (await readRows(db, table)).length
  // Stores the pictures in small sizes only, because making the large sizes would take ten seconds.
  const store: MediaService['store'] = (uploads, sizes, work) =>
    context.media.store(
      uploads,
      'squares' in sizes ? { squares: [32] } : { widths: [32], standard: 32 },
      work,
    )
  await seedDemoCommunityIfEmpty(withMedia(context, store))
  await seedDemoCommunityIfEmpty(withMedia(context, store))

  expect(await db.selectFrom('users').select(['id', 'name']).orderBy('id').execute()).toEqual(
    demoMembers.map(({ name }, index) => ({ id: index + 1, name })),
  )
  expect(await db.selectFrom('admins').select('user_id').execute()).toEqual([{ user_id: 1 }])
  const withFace = db.selectFrom('users').select('id').where('image', 'is not', null)
  expect(await withFace.execute()).toHaveLength(demoMembers.filter(({ face }) => face).length)
  expect(await count('follows')).toBe(followPairs.length)
  expect(await count('posts')).toBe(demoPosts.length)
  expect(await count('likes')).toBe(demoPosts.reduce((sum, { likes }) => sum + likes.length, 0))
  expect(await count('replies')).toBe(demoReplyThreads.flatMap(({ replies }) => replies).length)
  expect(await count('conversations')).toBe(chats.length)
  expect(await count('messages')).toBe(messages.length)
  expect(await count('post_attachments')).toBe(countPictures(demoPosts))
  expect(await count('message_attachments')).toBe(countPictures(messages.filter(({ deleted }) => !deleted)))
  expect(await count('pending_media')).toBe(0)

  const media = await db.selectFrom('media').select(['name', 'widths']).execute()
  const files = media.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`))
  expect(await mediaFiles()).toEqual(files.sort())
})

test('ids of posts, replies and messages follow their times', async () => {
  const { context, db } = await createTestApp()
  await seedDemoCommunityIfEmpty(withMedia(context, withoutPictures))
  for (const table of ['posts', 'replies', 'messages'] as const) {
    const times = (await db.selectFrom(table).select('created_at').orderBy('id').execute()).map(
      (row) => row.created_at,
    )
    expect(times).toEqual(times.toSorted())
    expect(times.at(-1)! <= new Date().toISOString()).toBe(true)
  }
})

test('no rows are left when a picture cannot be stored', async () => {
  const { context, db } = await createTestApp()
  let uploads = 0
  const failing: MediaService['store'] = async (_, __, work) => {
    if (++uploads === 3) throw new Error('The disk is full.')
    return work([], [], [])
  }
  await expect(seedDemoCommunityIfEmpty(withMedia(context, failing))).rejects.toThrow('The disk is full.')
  expect(await readRows(db, 'users')).toEqual([])
})

test('no rows are left when the last step fails', async () => {
  const { context, db } = await createTestApp()
  await transaction(db, (tx) => sql`alter table messages rename to other_messages`.execute(tx))
  await expect(seedDemoCommunityIfEmpty(withMedia(context, withoutPictures))).rejects.toThrow('messages')
  expect(await readRows(db, 'users')).toEqual([])
  expect(await readRows(db, 'posts')).toEqual([])
})

/** Returns a copy of the app context whose `media.store` is the given function. */
const withMedia = (context: TestApp['context'], store: MediaService['store']) => ({
  ...context,
  media: { ...context.media, store },
})

test('notifications have the times of what they are about, in the order of their ids', async () => {
  const { context, db } = await createTestApp()
  await seedDemoCommunityIfEmpty(withMedia(context, withoutPictures))
  const events = await db.selectFrom('notification_events').select('created_at').orderBy('id').execute()
  const times = events.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
  const unread = db.selectFrom('notifications').select('id').whereRef('last_event_id', '>', 'read_event_id')
  expect((await unread.execute()).length).toBeLessThan(events.length / 2)
})
