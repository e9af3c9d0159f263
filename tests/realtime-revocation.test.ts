import { describe, expect, test } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import {
  connectPusher,
  connectSubscribed,
  expectNotSubscribed,
  messagesArrived,
  occupiedChannels,
  type PusherClient,
  realtimeApp,
} from '#tests/sockets.ts'

const REMOVED = 'pusher_internal:member_removed'

describe('a revocation', () => {
  const subscribeBoth = async (
    subscribeAs: (who: TestClient, name: string, at?: PusherClient) => Promise<PusherClient>,
    who: TestClient,
  ) => {
    const client = await subscribeAs(who, 'private-room.1')
    return subscribeAs(who, 'presence-club.1', client)
  }

  test('of a channel and a member ends that subscription on all of the member’s sockets', async () => {
    const { members, subscribeAs, realtime, guard, sign } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben, second] = [
      await subscribeBoth(subscribeAs, Ann),
      await subscribeBoth(subscribeAs, Ben),
      await subscribeBoth(subscribeAs, Ben),
    ]
    guard.allows = (me) => me !== Ben.id
    realtime.revoke({ channel: 'presence-club.1', user: Ben.id })
    expect((await ann.nextMessage(REMOVED)).data).toEqual({ user_id: String(Ben.id) })
    for (const one of [ben, second]) await expectNotSubscribed(one, 'presence-club.1', [403])
    realtime.broadcast(['presence-club.1'], 'Said', {})
    realtime.broadcast(['private-room.1'], 'Elsewhere', {})
    await messagesArrived(ann, ben, second)
    expect(
      [ann, ben, second].map((one) => [one.received('Said').length, one.received('Elsewhere').length]),
    ).toEqual([
      [1, 1],
      [0, 1],
      [0, 1],
    ])
    ben.send('client-typing', {}, 'presence-club.1')
    expect((await ben.nextMessage('pusher:error')).data.code).toBe(4301)
    expect((await sign(Ben, ben.id, 'presence-club.1')).status).toBe(403)
    guard.allows = () => true
    expect((await subscribeAs(Ben, 'presence-club.1', ben)).presence.count).toBe(2)
  })

  test('of a channel ends everybody’s subscription', async () => {
    const { members, subscribeAs, realtime } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const people = [await subscribeBoth(subscribeAs, Ann), await subscribeBoth(subscribeAs, Ben)]
    realtime.revoke({ channel: 'private-room.1' })
    for (const one of people) await expectNotSubscribed(one, 'private-room.1', [403])
    expect(await occupiedChannels(realtime)).toEqual(['presence-club.1'])
  })

  test('of a member or a session closes their sockets with 4009', async () => {
    const { members, visitor, subscribeAs, realtime, url } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    expect(
      (await phone.post('/login', { email: 'ben@engawa.example', password: 'correct horse' })).status,
    ).toBe(204)
    const [ann, desk, pocket] = [
      await subscribeBoth(subscribeAs, Ann),
      await subscribeBoth(subscribeAs, Ben),
      await subscribeBoth(subscribeAs, phone),
    ]
    const guest = await connectSubscribed(url, 'chat')
    expect((await Ben.post('/logout')).status).toBe(204)
    expect(await desk.whenClosed).toEqual({ code: 4009, reason: expect.stringMatching(/\S/) })
    await messagesArrived(ann, pocket)
    expect(ann.received(REMOVED), 'Ben is still there with his phone').toEqual([])
    realtime.revoke({ user: Ben.id })
    expect((await pocket.whenClosed).code).toBe(4009)
    expect((await ann.nextMessage(REMOVED)).data).toEqual({ user_id: String(Ben.id) })
    await messagesArrived(ann, guest)
    expect([ann.ws.readyState, guest.ws.readyState]).toEqual([1, 1])
  })

  test('takes effect at once, even for messages that are already on their way', async () => {
    const { members, subscribeAs, realtime } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben] = [await subscribeAs(Ann, 'presence-club.1'), await subscribeAs(Ben, 'presence-club.1')]
    realtime.revoke({ user: Ben.id })
    // Sends an event from Ben's client, which does not know that its subscription has ended.
    expect(realtime.memberIds('presence-club.1')).toEqual([String(Ann.id)])
    ben.send('client-late', {}, 'presence-club.1')
    await ben.whenClosed
    await messagesArrived(ann)
    expect(ann.received('client-late')).toEqual([])
  })

  test('also ends subscriptions that the session requested just before it ended', async () => {
    const { members, holdGuard, sign, url, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    const client = await connectPusher(url)
    const { asked, answer } = holdGuard()
    const signed = sign(Ann, client.id, 'private-room.1')
    await asked
    expect((await Ann.post('/logout')).status).toBe(204)
    answer(true)
    const { status, body } = await signed
    if (status === 200) client.subscribe('private-room.1', body)
    await Promise.race([client.whenClosed, messagesArrived(client)])
    expect(await occupiedChannels(realtime)).toEqual([])
  })

  test('ends all subscriptions of a member when another member uses the same socket', async () => {
    const { members, subscribeAs, realtime, sign } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await subscribeAs(Ann, 'private-room.1')
    await subscribeAs(Ben, 'private-room.2', client)
    realtime.broadcast(['private-room.1'], 'Said', { to: 'Ann' })
    realtime.broadcast(['private-room.2'], 'Said', { to: 'Ben' })
    await client.sync()
    expect(client.received('Said').map(({ data }) => data.to)).toEqual(['Ben'])
    expect((await sign(Ben, client.id, 'private-room.1')).status).toBe(200)
  })

  test('also ends subscriptions of the previous member that are still being authorised', async () => {
    const { members, holdGuard, sign, url, realtime, guard } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connectPusher(url)
    const { body } = await sign(Ann, client.id, 'private-room.1')
    const { asked, answer } = holdGuard()
    client.subscribe('private-room.1', body)
    await asked
    guard.allows = (me) => me === Ben.id
    expect((await sign(Ben, client.id, 'private-room.2')).status).toBe(200)
    answer(true)
    await messagesArrived(client)
    expect(await occupiedChannels(realtime)).toEqual([])
  })
})
