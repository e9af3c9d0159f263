import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { databases } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import {
  createPublisher,
  expectPusherError,
  fetchPusherJson,
  PUSHER_SECRET,
  publisher,
  pusherServer,
  startPusher,
  stopPusher,
  uniqueChannel,
} from '#tests/pusher-http-api.ts'
import { startRedis } from '#tests/redis.ts'
import {
  authFields,
  connectPusher,
  connectSubscribed,
  expectNotSubscribed,
  messagesArrived,
  realtimeApp,
} from '#tests/sockets.ts'
import '#tests/sanctum.ts'

beforeAll(startPusher)
afterAll(stopPusher)

const SUCCEEDED = 'pusher_internal:subscription_succeeded'
const COUNT = 'pusher_internal:subscription_count'

/**
 * Connects a client, and signs it in as a user with a signature that Pusher's server library makes. Returns
 * the client with the name of the user's channel.
 */
async function signedIn(user: string) {
  const client = await connectPusher(pusherServer.url)
  const signed = publisher.authenticateUser(client.id, { id: user, user_info: { name: 'N' } })
  client.send('pusher:signin', signed)
  expect((await client.nextMessage('pusher:signin_success')).data).toEqual({ user_data: signed.user_data })
  const channel = `#server-to-user-${user}`
  client.subscribe(channel, { auth: '' })
  expect((await client.nextMessage(SUCCEEDED)).channel).toBe(channel)
  return { ...client, channel }
}

describe('a user who has signed in', () => {
  test('receives the user’s events from servers, on every connection', async () => {
    const [one, two, other] = [await signedIn('ann'), await signedIn('ann'), await signedIn('ben')]
    await publisher.sendToUser('ann', 'Said', { n: 1 })
    for (const client of [one, two])
      expect(await client.nextMessage('Said')).toEqual({
        event: 'Said',
        channel: one.channel,
        data: { n: 1 },
      })
    await messagesArrived(other)
    expect(other.inbox).toEqual([])
    expect(
      Object.keys((await fetchPusherJson('/channels')).channels).filter((name) => name.startsWith('#')),
    ).toEqual([])
    one.send('client-x', {}, one.channel)
    expect((await one.nextMessage('pusher:error')).data.code).toBe(4301)
  })

  test('has all connections closed by terminate_connections', async () => {
    const [one, two, other] = [await signedIn('cleo'), await signedIn('cleo'), await signedIn('dan')]
    expect((await publisher.terminateUserConnections('cleo')).status).toBe(200)
    for (const client of [one, two]) expect((await client.whenClosed).code).toBe(4009)
    await other.sync()
    expect(
      await expectPusherError(createPublisher({ secret: 'another' }).terminateUserConnections('dan')),
    ).toBe(401)
    await other.sync()
  })

  test('cannot be another user: a wrong sign-in closes the connection', async () => {
    const wrong = [
      (id: string) => ({ ...publisher.authenticateUser(id, { id: 'ann' }), user_data: '{"id":"ben"}' }),
      () => publisher.authenticateUser('1.1', { id: 'ann' }),
      (id: string) => createPublisher({ secret: 'another' }).authenticateUser(id, { id: 'ann' }),
      (id: string) => ({
        ...authFields(PUSHER_SECRET, id, '', 'user::{}'),
        user_data: '{}',
      }),
      (id: string) => ({
        ...authFields(PUSHER_SECRET, id, '', 'user::x'),
        user_data: 'x',
      }),
      () => ({}),
    ]
    for (const signed of wrong) {
      const client = await connectPusher(pusherServer.url)
      client.send('pusher:signin', signed(client.id))
      expect((await client.whenClosed).code).toBe(4009)
      expect(client.received('pusher:signin_success')).toEqual([])
    }
    const ann = await signedIn('ann')
    ann.subscribe('#server-to-user-ben', { auth: '' })
    await expectNotSubscribed(ann, '#server-to-user-ben', [401])
    ann.send('pusher:signin', publisher.authenticateUser(ann.id, { id: 'ben' }))
    expect((await ann.whenClosed).code).toBe(4009)
    const nobody = await connectPusher(pusherServer.url)
    nobody.subscribe('#server-to-user-ann', {
      auth: authFields(PUSHER_SECRET, nobody.id, '#server-to-user-ann').auth,
    })
    await expectNotSubscribed(nobody, '#server-to-user-ann', [401])
  })

  test('is identified by the session, until another member uses the connection or the session ends', async () => {
    const { members, url, visitor, realtime } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connectPusher(url)
    expect((await visitor().post('/broadcasting/user-auth', { socket_id: client.id })).status).toBe(419)
    expect((await Ann.post('/broadcasting/user-auth', { socket_id: 'x' })).status).toBe(422)
    const { status, body } = await Ann.post('/broadcasting/user-auth', { socket_id: client.id })
    expect([status, JSON.parse(body.user_data)]).toEqual([200, { id: String(Ann.id) }])
    client.send('pusher:signin', body)
    await client.nextMessage('pusher:signin_success')
    client.subscribe(`#server-to-user-${Ann.id}`)
    await client.nextMessage(SUCCEEDED)
    realtime.broadcast([`#server-to-user-${Ann.id}`], 'Said', { n: 1 })
    await client.nextMessage('Said')
    // Ben requests the signature of a sign-in for the connection on which Ann is signed in, as if Ben had
    // logged in on the same page after Ann.
    expect((await Ben.post('/broadcasting/user-auth', { socket_id: client.id })).status).toBe(200)
    expect((await client.nextMessage('pusher:subscription_error')).channel).toBe(`#server-to-user-${Ann.id}`)
    client.send('pusher:signin', (await Ben.post('/broadcasting/user-auth', { socket_id: client.id })).body)
    await client.nextMessage('pusher:signin_success')
    await Ben.post('/logout')
    expect((await client.whenClosed).code).toBe(4009)
  })
})

describe('a cache channel', () => {
  const MISS = 'pusher:cache_miss'
  test.each(['cache-', 'private-cache-', 'presence-cache-'])(
    'of kind %s sends its last event to a new subscriber',
    async (kind) => {
      const name = uniqueChannel(kind)
      const openChannel = (user: string) =>
        connectSubscribed(pusherServer.url, name, (id) => {
          const data = kind.startsWith('presence') && `{"user_id":"${user}"}`
          return kind === 'cache-' ? {} : authFields(PUSHER_SECRET, id, name, data || undefined)
        })
      const first = await openChannel('a')
      expect(await first.nextMessage(MISS)).toEqual({ event: MISS, channel: name, data: {} })
      await publisher.trigger(name, 'Said', { n: 1 })
      await publisher.trigger(name, 'Told', { n: 2 })
      expect((await first.nextMessage('Told')).data).toEqual({ n: 2 })
      if (kind !== 'cache-') first.send('client-wave', {}, name)
      const second = await openChannel('b')
      expect(await second.nextMessage('Told')).toEqual({ event: 'Told', channel: name, data: { n: 2 } })
      await messagesArrived(first, second)
      expect([...second.received('Said'), ...second.received(MISS), ...first.received('Told')]).toEqual([])
      for (const { ws } of [first, second]) ws.close()
      expect((await (await openChannel('c')).nextMessage('Told')).data, 'also when nobody is there').toEqual({
        n: 2,
      })
    },
  )

  test('is the only kind of channel that stores an event', async () => {
    const name = uniqueChannel('a-cache-')
    await publisher.trigger(name, 'Said', {})
    const client = await connectSubscribed(pusherServer.url, name)
    await client.sync()
    expect([...client.received('Said'), ...client.received(MISS)]).toEqual([])
  })

  test.skipIf(!findRedis() || !databases.includes('postgres'))(
    'has the same event in all processes',
    async () => {
      const redis = await startRedis()
      onTestFinished(() => redis.stop())
      const env = {
        DATABASE_URL: inject('postgres')!,
        REDIS_URL: redis.url,
        SECRET: 'the secret of both processes: cookies and sessions',
      }
      const first = await realtimeApp({ dialect: 'postgres', env })
      const second = await realtimeApp({ dialect: 'postgres', env, sameDataAs: first.sameData })
      await (await connectSubscribed(first.url, 'cache-x')).nextMessage(MISS)
      first.realtime.broadcast(['cache-x'], 'Said', { n: 1 })
      await first.realtime.flushed()
      expect((await (await connectSubscribed(second.url, 'cache-x')).nextMessage('Said')).data).toEqual({
        n: 1,
      })
    },
  )
})

describe('the subscribers of a channel', () => {
  test('receive their number, where the channel has no member list', async () => {
    for (const name of [uniqueChannel(), uniqueChannel('private-')]) {
      const openChannel = () =>
        connectSubscribed(pusherServer.url, name, (id) => authFields(PUSHER_SECRET, id, name))
      const [one, two] = [await openChannel(), await openChannel()]
      await eventually(() => expect(one.received(COUNT).at(-1)?.data).toEqual({ subscription_count: 2 }))
      expect(two.received(COUNT).at(-1)).toEqual({
        event: COUNT,
        channel: name,
        data: { subscription_count: 2 },
      })
      two.ws.close()
      await eventually(() => expect(one.received(COUNT).at(-1)?.data).toEqual({ subscription_count: 1 }))
    }
  })

  test('receive fewer counts than changes, and no counts on channels of the app', async () => {
    const { subscribeAs, members, url } = await realtimeApp()
    const { Ann } = await members('Ann')
    const [room, posts] = [await subscribeAs(Ann, 'private-room.1'), await connectSubscribed(url, 'posts')]
    const open = await connectSubscribed(url, 'open')
    for (let n = 0; n < 40; n++) {
      open.subscribe('other')
      open.unsubscribe('other')
    }
    open.subscribe('other')
    await eventually(() => expect(open.received(COUNT)).toHaveLength(2))
    await messagesArrived(open, room, posts)
    expect([...room.received(COUNT), ...posts.received(COUNT)]).toEqual([])
  })
})
