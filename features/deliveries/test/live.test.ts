import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { announced, pinAndTell } from '#features/notifications/test/announcement-helpers.ts'
import { befriend, createGroup, openGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, dialectsInTurn, readRows } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { connectPusher, realtimeApp } from '#tests/sockets.ts'
import type { Delivery } from '../contract.ts'

import { deliveryApp, deliverySteps, lastStepMatches, newestNotification } from './delivery-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(dialectsInTurn())('the trace of a live event on %s', (dialect) => {
  test('counts the open windows of the member', async () => {
    const { Ann, Ben, Cleo, subscribeAs } = await deliveryApp(dialect)
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    for (const who of [Ben, Cleo]) await openGroup(who, group)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    const second = await subscribeAs(Ben, `presence-user.${Ben.id}`)
    // The window `second` is subscribed to the channel of the chat too, but counts only once.
    await subscribeAs(Ben, `private-group-chat.${group}`, second)
    const { id } = await sendToGroup(Ann, group, 'One')
    await lastStepMatches(Ben, id, 'live', {
      outcome: 'shown',
      windows: 2,
      at: expect.any(String),
    })
    await lastStepMatches(Cleo, id, 'live', { outcome: 'no_window', windows: null })
    const own = await sendPrivate(Ann, Ben, 'Two')
    await lastStepMatches(Ben, own.id, 'live', { outcome: 'shown', windows: 2 })
    await Ann.post(`/api/posts/${(await Ben.post('/api/posts', { text: 'x' })).body.post.id}/like`)
    const like = await newestNotification(Ben, 'like')
    await lastStepMatches(Ben, like, 'live', { outcome: 'shown', windows: 2 }, 'notifications')
  })

  test('of an announcement counts the windows of each member', async () => {
    const { Ann, Ben, Cleo, db, subscribeAs } = await deliveryApp(dialect)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    const { id: post } = (await Ann.post('/api/posts', { text: 'x' })).body.post
    await pinAndTell(Ann, post)
    await announced(db)
    for (const [who, expected] of [
      [Ben, { outcome: 'shown', windows: 2, at: expect.any(String) }],
      [Cleo, { outcome: 'no_window', windows: null }],
    ] as const) {
      const id = await newestNotification(who, 'announcement')
      await lastStepMatches(who, id, 'live', expected, 'notifications')
    }
  })

  test('of a notification counts the newest act, and that of a muted author says so', async () => {
    const { Ann, Ben, Cleo, subscribeAs } = await deliveryApp(dialect)
    await befriend(Ben, Cleo)
    const { id: post } = (await Ben.post('/api/posts', { text: 'x' })).body.post
    const first = await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await Ann.post(`/api/posts/${post}/like`)
    const like = await newestNotification(Ben, 'like')
    await lastStepMatches(Ben, like, 'live', { outcome: 'shown', windows: 2 }, 'notifications')
    first.ws.close()
    await first.whenClosed
    await Cleo.post(`/api/posts/${post}/like`)
    await lastStepMatches(Ben, like, 'live', { outcome: 'shown', windows: 1 }, 'notifications')
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    const { id } = await sendToGroup(Cleo, group, 'Muted')
    await lastStepMatches(Ben, id, 'live', { outcome: 'muted', windows: null })
  })

  test('is that of the newest act of a person whom the member may see and has not muted', async () => {
    const { Ann, Ben, Cleo, subscribeAs, db, ...app } = await deliveryApp(dialect)
    const { Dora } = await app.members('Dora')
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    const { id: post } = (await Ben.post('/api/posts', { text: 'x' })).body.post
    for (const who of [Ann, Cleo, Dora]) {
      await who.post(`/api/posts/${post}/like`)
      // Waits, so that the likes have different times.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const like = await newestNotification(Ben, 'like')
    const traces = db.selectFrom('live_deliveries').selectAll().where('subject_id', '=', like)
    const ofLikes = traces.where('subject_kind', '=', 'notification')
    await eventually(async () => expect(await ofLikes.execute()).toHaveLength(3))
    const acts = await db
      .selectFrom('notification_events')
      .selectAll()
      .where('notification_id', '=', like)
      .execute()
    const timeOf = ({ id }: { id: number }) => acts.find(({ actor_id }) => actor_id === id)!.created_at
    const expectTimeOf = async (who: { id: number }) =>
      expect(await deliverySteps(Ben, like, 'live', 'notifications')).toMatchObject([
        { outcome: 'shown', windows: 1, at: timeOf(who) },
      ])
    await expectTimeOf(Dora)
    await Dora.post(`/api/users/${Ben.id}/block`)
    await expectTimeOf(Cleo)
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    await expectTimeOf(Ann)
  })

  test('is stored once for an act that is undone and repeated, and not for acts of muted people', async () => {
    const { Ann, Ben, Cleo, db } = await deliveryApp(dialect)
    const { id: post } = (await Ben.post('/api/posts', { text: 'x' })).body.post
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    const count = async () =>
      (await readRows(db, 'live_deliveries')).filter((row) => row.subject_kind === 'notification').length
    // Waits for the first delivery step of this message. By then, the rows about the follows at the start of
    // the test are stored too.
    const { id: first } = await sendPrivate(Ann, Ben, 'One')
    await lastStepMatches(Ben, first, 'live', { outcome: 'no_window' })
    const before = await count()
    for (let n = 0; n < 5; n++)
      for (const who of [Ann, Cleo]) {
        await who.post(`/api/posts/${post}/like`)
        await who.delete(`/api/posts/${post}/like`)
      }
    const { id: last } = await sendPrivate(Ann, Ben, 'Two')
    await lastStepMatches(Ben, last, 'live', { outcome: 'no_window' })
    expect((await count()) - before).toBe(1)
  })

  test('is not hidden by many acts in another notification', async () => {
    const { Ann, Ben, db, subscribeAs } = await deliveryApp(dialect)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    const { id: message } = await sendPrivate(Ann, Ben, 'One')
    const posts: number[] = []
    for (const text of ['Quiet', 'Busy']) {
      const { id } = (await Ben.post('/api/posts', { text })).body.post
      await Ann.post(`/api/posts/${id}/like`)
      posts.push(id)
    }
    const listed = (await Ben.get('/api/notifications')).body as { id: number; post: { id: number } | null }[]
    const [quiet, busy] = posts.map((post) => listed.find((one) => one.post?.id === post)!.id)
    await lastStepMatches(Ben, busy!, 'live', { outcome: 'shown' }, 'notifications')
    await addRows(db, { user_id: Ben.id, subject_id: quiet!, count: 1 })
    await addRows(db, { user_id: Ben.id, subject_id: busy!, count: 2100 })
    const { body } = await Ben.get('/api/deliveries?limit=50')
    const stepsOf = (kind: string, id: number, channel: string) =>
      (body as Delivery[])
        .find((row) => row.kind === kind && row.id === id)!
        .steps.filter((step) => step.channel === channel)
    for (const [kind, id] of [
      ['message', message],
      ['notification', quiet!],
      ['notification', busy!],
    ] as const)
      expect(stepsOf(kind, id, 'live')).toMatchObject([{ outcome: 'shown', windows: 1 }])
    expect(stepsOf('notification', quiet!, 'push')).toMatchObject([{ outcome: 'accepted', reason: '1' }])
    expect(stepsOf('notification', busy!, 'push').map(({ reason }) => reason)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(2081 + index)),
    )
  })
})

/** Inserts as many rows about live events and push messages of a notification as many likes would cause. */
const addRows = (
  db: Db,
  { user_id, subject_id, count }: { user_id: number; subject_id: number; count: number },
) =>
  transaction(db, async (tx) => {
    const subject = { subject_kind: 'notification' as const, subject_id }
    for (let n = 1; n <= count; n++) {
      const at = new Date(Date.now() + n).toISOString()
      await tx
        .insertInto('live_deliveries')
        .values({ ...subject, broadcast_at: at, windows: '{}' })
        .execute()
      const step = { channel: 'push' as const, outcome: 'accepted' as const, reason: String(n) }
      await tx
        .insertInto('delivery_steps')
        .values({ ...subject, ...step, user_id, until_time: null, device: null, created_at: at })
        .execute()
    }
  })

test.skipIf(!databases.includes('postgres') || !findRedis())(
  'the trace of a live event adds up the windows of all processes',
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const env = {
      DATABASE_URL: inject('postgres')!,
      REDIS_URL: redis.url,
      SECRET: 'the secret of both processes: cookies and sessions',
      PUSHER_APP_SECRET: 'the secret of both processes',
    }
    const first = await realtimeApp({ dialect: 'postgres', env })
    const second = await realtimeApp({ dialect: 'postgres', env, sameDataAs: first.sameData })
    const { Ann, Ben } = await first.members('Ann', 'Ben')
    await befriend(Ann, Ben)
    const channel = `presence-user.${Ben.id}`
    await first.subscribeAs(Ben, channel)
    for (let n = 0; n < 2; n++) {
      const client = await connectPusher(second.url)
      const { body } = await first.sign(Ben, client.id, channel)
      client.subscribe(channel, body)
      await client.nextMessage('pusher_internal:subscription_succeeded')
    }
    const { id } = await sendPrivate(Ann, Ben, 'One')
    await lastStepMatches(Ben, id, 'live', { outcome: 'shown', windows: 3 })
  },
)
