import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import {
  createGroup,
  followEachOther,
  markGroupOpened,
  sendGroupMessage,
  sendPrivateMessage,
} from '#tests/conversations.ts'
import { dialects } from '#tests/harness.ts'
import { startRedis } from '#tests/redis.ts'
import { findRedis } from '#tests/services.ts'
import { connectClient, startRealtimeTestApp } from '#tests/sockets.ts'

import { expectLastStep, findNotification, openDeliveries } from './delivery-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(dialects)('the trace of a live event on %s', (dialect) => {
  test('counts the open windows of the member', async () => {
    const { Ann, Ben, Cleo, subscribeAs } = await openDeliveries(dialect)
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    for (const who of [Ben, Cleo]) await markGroupOpened(who, group)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    const second = await subscribeAs(Ben, `presence-user.${Ben.id}`)
    // A window that shows the chat is subscribed to its channel too, and counts once.
    await subscribeAs(Ben, `private-group-chat.${group}`, second)
    const { id } = await sendGroupMessage(Ann, group, 'One')
    await expectLastStep(Ben, id, 'live', { outcome: 'shown', windows: 2, at: expect.any(String) })
    await expectLastStep(Cleo, id, 'live', { outcome: 'no_window', windows: null })
    const own = await sendPrivateMessage(Ann, Ben, 'Two')
    await expectLastStep(Ben, own.id, 'live', { outcome: 'shown', windows: 2 })
    await Ann.post(`/api/posts/${(await Ben.post('/api/posts', { text: 'x' })).body.post.id}/like`)
    const like = await findNotification(Ben, 'like')
    await expectLastStep(Ben, like, 'live', { outcome: 'shown', windows: 2 }, 'notifications')
  })

  test('of a notification counts the newest act, and that of a muted author says so', async () => {
    const { Ann, Ben, Cleo, subscribeAs } = await openDeliveries(dialect)
    await followEachOther(Ben, Cleo)
    const { id: post } = (await Ben.post('/api/posts', { text: 'x' })).body.post
    const first = await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await Ann.post(`/api/posts/${post}/like`)
    const like = await findNotification(Ben, 'like')
    await expectLastStep(Ben, like, 'live', { outcome: 'shown', windows: 2 }, 'notifications')
    first.ws.close()
    await first.whenClosed
    await Cleo.post(`/api/posts/${post}/like`)
    await expectLastStep(Ben, like, 'live', { outcome: 'shown', windows: 1 }, 'notifications')
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    const { id } = await sendGroupMessage(Cleo, group, 'Muted')
    await expectLastStep(Ben, id, 'live', { outcome: 'muted', windows: null })
  })
})

test.skipIf(!dialects.includes('postgres') || !findRedis())(
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
    const first = await startRealtimeTestApp({ dialect: 'postgres', env })
    const second = await startRealtimeTestApp({ dialect: 'postgres', env, sameDataAs: first.sameData })
    const { Ann, Ben } = await first.members('Ann', 'Ben')
    await followEachOther(Ann, Ben)
    const channel = `presence-user.${Ben.id}`
    await first.subscribeAs(Ben, channel)
    for (let n = 0; n < 2; n++) {
      const client = await connectClient(second.url)
      const { body } = await first.sign(Ben, client.id, channel)
      client.subscribe(channel, body)
      await client.nextMessage('pusher_internal:subscription_succeeded')
    }
    const { id } = await sendPrivateMessage(Ann, Ben, 'One')
    await expectLastStep(Ben, id, 'live', { outcome: 'shown', windows: 3 })
  },
)
