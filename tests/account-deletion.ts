import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, formData, readRows, type TestApp, type TestAppOptions } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/**
 * The name of the member whose account these tests delete. It is a rare word, so that a test that finds it
 * in the database or in a file has found a trace of this member.
 */
export const DELETED_NAME = 'Zaphira'
export const DELETED_BIO = 'Collects lighthouses in Yonaguni'

const picture = async (name: string) => uploadFile(await fourColours().png().toBuffer(), name, 'image/png')

/**
 * Creates a test app with the admin ann, the member ben, and the member DELETED_NAME (returned
 * as `leaver`), who has a profile with a picture, a post with a picture, likes, follows, private chats and a
 * group with messages, and a cart.
 */
export async function deletionScene(options: TestAppOptions = {}) {
  const app = await createTestApp(options)
  const people = await app.members('ann', 'ben', DELETED_NAME)
  const { ann, ben, [DELETED_NAME]: leaver } = people
  expect((await leaver.post('/api/profile', { name: DELETED_NAME, bio: DELETED_BIO })).status).toBe(200)
  await leaver.post('/api/profile-image', formData({}, { image: [await picture('me.png')] }))
  const post = async (who: typeof ann, text: string) =>
    (await who.post('/api/posts', formData({ text }, { 'images[]': [await picture('post.png')] }))).body.post
  const posts = {
    ann: await post(ann, 'from ann'),
    leaver: await post(leaver, `from ${DELETED_NAME}`),
  }
  for (const who of [ben, leaver]) await who.put(`/api/posts/${posts.ann.id}/like`)
  await ben.put(`/api/posts/${posts.leaver.id}/like`)
  await befriend(ann, leaver)
  await befriend(ben, leaver)
  const group = await createGroup(ann, 'Club', ben, leaver)
  await sendToGroup(leaver, group, 'to the club')
  await sendToGroup(ann, group, 'welcome')
  await sendPrivate(ann, leaver, 'hello')
  await sendPrivate(leaver, ann, 'hello ann')
  const form = formData(
    { input: 'with a picture', targetUserId: String(ann.id) },
    { 'images[]': [await picture('chat.png')] },
  )
  expect((await leaver.post('/api/send-private-message', form)).status).toBe(200)
  await sendPrivate(leaver, ben, 'hello ben')
  await leaver.post('/api/cart/add/1', { quantity: 2 })
  return { ...app, ann, ben, leaver, group, posts }
}

/**
 * Runs the waiting jobs that delete accounts at once, although they are due only a week after the request.
 * Then runs the jobs that empty the write-ahead log of SQLite. Waits until all these jobs have ended, and
 * expects that none has failed.
 */
export async function runDeletions(app: Pick<TestApp, 'context' | 'db'>) {
  await runJobsOf(app, 'delete_account')
  await runJobsOf(app, 'truncate_wal')
}

async function runJobsOf({ context, db }: Pick<TestApp, 'context' | 'db'>, kind: string) {
  await transaction(db, (tx) =>
    tx.updateTable('jobs').set({ run_at: new Date().toISOString() }).where('kind', '=', kind).execute(),
  )
  context.jobs.wake()
  await context.jobs.idle()
  const failed = (await readRows(db, 'jobs')).filter(({ last_error }) => last_error)
  expect(failed).toEqual([])
}
