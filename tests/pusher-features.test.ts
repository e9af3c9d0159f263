import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { dialects } from '#tests/harness.ts'
import { api, fresh, publisher, read, refused, SECRET, server } from '#tests/publishers.ts'
import { startRedis } from '#tests/redis.ts'
import { findRedis } from '#tests/services.ts'
import { connect, createTestServer, expectShut, listener, settle, signature } from '#tests/sockets.ts'
import '#tests/sanctum.ts'

const SUCCEEDED = 'pusher_internal:subscription_succeeded'
const COUNT = 'pusher_internal:subscription_count'

/** A connection of a user whom a server has signed in. */
async function signedIn(user: string) {
  const client = await connect(server.url)
  const signed = api.authenticateUser(client.id, { id: user, user_info: { name: 'N' } })
  client.say('pusher:signin', signed)
  expect((await client.take('pusher:signin_success')).data).toEqual({ user_data: signed.user_data })
  const channel = `#server-to-user-${user}`
  client.subscribe(channel, { auth: '' })
  expect((await client.take(SUCCEEDED)).channel).toBe(channel)
  return { ...client, channel }
}

describe('a user who has signed in', () => {
  test('gets the events that servers send to the user, on every connection', async () => {
    const [one, two, other] = [await signedIn('ann'), await signedIn('ann'), await signedIn('ben')]
    await api.sendToUser('ann', 'Said', { n: 1 })
    for (const client of [one, two])
      expect(await client.take('Said')).toEqual({ event: 'Said', channel: one.channel, data: { n: 1 } })
    await settle(other)
    expect(other.inbox).toEqual([])
    expect(Object.keys((await read('/channels')).channels).filter((name) => name.startsWith('#'))).toEqual([])
    one.say('client-x', {}, one.channel)
    expect((await one.take('pusher:error')).data.code).toBe(4301)
  })

  test('has all connections closed by terminate_connections', async () => {
    const [one, two, other] = [await signedIn('cleo'), await signedIn('cleo'), await signedIn('dan')]
    expect((await api.terminateUserConnections('cleo')).status).toBe(200)
    for (const client of [one, two]) expect((await client.gone).code).toBe(4009)
    await other.sync()
    expect(await refused(publisher({ secret: 'another' }).terminateUserConnections('dan'))).toBe(401)
    await other.sync()
  })

  test('is nobody else: a wrong sign-in closes the connection', async () => {
    const wrong = [
      (id: string) => ({ ...api.authenticateUser(id, { id: 'ann' }), user_data: '{"id":"ben"}' }),
      () => api.authenticateUser('1.1', { id: 'ann' }),
      (id: string) => publisher({ secret: 'another' }).authenticateUser(id, { id: 'ann' }),
      (id: string) => ({ ...signature(SECRET, id, '', 'user::{}'), user_data: '{}' }),
      (id: string) => ({ ...signature(SECRET, id, '', 'user::x'), user_data: 'x' }),
      () => ({}),
    ]
    for (const signed of wrong) {
      const client = await connect(server.url)
      client.say('pusher:signin', signed(client.id))
      expect((await client.gone).code).toBe(4009)
      expect(client.heard('pusher:signin_success')).toEqual([])
    }
    const ann = await signedIn('ann')
    ann.subscribe('#server-to-user-ben', { auth: '' })
    await expectShut(ann, '#server-to-user-ben', [401])
    ann.say('pusher:signin', api.authenticateUser(ann.id, { id: 'ben' }))
    expect((await ann.gone).code).toBe(4009)
    const nobody = await connect(server.url)
    nobody.subscribe('#server-to-user-ann', {
      auth: signature(SECRET, nobody.id, '#server-to-user-ann').auth,
    })
    await expectShut(nobody, '#server-to-user-ann', [401])
  })

  test('is a member by the session, until the log-out', async () => {
    const { members, url, visitor, realtime } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connect(url)
    expect((await visitor().post('/broadcasting/user-auth', { socket_id: client.id })).status).toBe(419)
    expect((await Ann.post('/broadcasting/user-auth', { socket_id: 'x' })).status).toBe(422)
    const { status, body } = await Ann.post('/broadcasting/user-auth', { socket_id: client.id })
    expect([status, JSON.parse(body.user_data)]).toEqual([200, { id: String(Ann.id) }])
    client.say('pusher:signin', body)
    await client.take('pusher:signin_success')
    client.subscribe(`#server-to-user-${Ann.id}`)
    await client.take(SUCCEEDED)
    realtime.broadcast([`#server-to-user-${Ann.id}`], 'Said', { n: 1 })
    await client.take('Said')
    // Another member asks for the same connection, as after a log-in in the same page.
    expect((await Ben.post('/broadcasting/user-auth', { socket_id: client.id })).status).toBe(200)
    expect((await client.take('pusher:subscription_error')).channel).toBe(`#server-to-user-${Ann.id}`)
    client.say('pusher:signin', (await Ben.post('/broadcasting/user-auth', { socket_id: client.id })).body)
    await client.take('pusher:signin_success')
    await Ben.post('/logout')
    expect((await client.gone).code).toBe(4009)
  })
})

describe('a cache channel', () => {
  const MISS = 'pusher:cache_miss'
  test.each(['cache-', 'private-cache-', 'presence-cache-'])(
    '%s begins with its last event',
    async (kind) => {
      const name = fresh(kind)
      const enter = (user: string) =>
        listener(server.url, name, (id) => {
          const data = kind.startsWith('presence') && `{"user_id":"${user}"}`
          return kind === 'cache-' ? {} : signature(SECRET, id, name, data || undefined)
        })
      const first = await enter('a')
      expect(await first.take(MISS)).toEqual({ event: MISS, channel: name, data: {} })
      await api.trigger(name, 'Said', { n: 1 })
      await api.trigger(name, 'Told', { n: 2 })
      expect((await first.take('Told')).data).toEqual({ n: 2 })
      if (kind !== 'cache-') first.say('client-wave', {}, name)
      const second = await enter('b')
      expect(await second.take('Told')).toEqual({ event: 'Told', channel: name, data: { n: 2 } })
      await settle(first, second)
      expect([...second.heard('Said'), ...second.heard(MISS), ...first.heard('Told')]).toEqual([])
      for (const { ws } of [first, second]) ws.close()
      expect((await (await enter('c')).take('Told')).data, 'also when nobody is there').toEqual({ n: 2 })
    },
  )

  test('is the only kind that keeps an event', async () => {
    const name = fresh('a-cache-')
    await api.trigger(name, 'Said', {})
    const client = await listener(server.url, name)
    await client.sync()
    expect([...client.heard('Said'), ...client.heard(MISS)]).toEqual([])
  })

  test.skipIf(!findRedis() || !dialects.includes('postgres'))('is the same in all processes', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const env = {
      DATABASE_URL: inject('postgres')!,
      REDIS_URL: redis.url,
      SECRET: 'the secret of both processes: cookies and sessions',
    }
    const first = await createTestServer({ dialect: 'postgres', env })
    const second = await createTestServer({ dialect: 'postgres', env, beside: first.beside })
    await (await listener(first.url, 'cache-x')).take(MISS)
    first.realtime.broadcast(['cache-x'], 'Said', { n: 1 })
    await first.realtime.flushed()
    expect((await (await listener(second.url, 'cache-x')).take('Said')).data).toEqual({ n: 1 })
  })
})

describe('the subscribers of a channel', () => {
  test('are told how many they are, where it has no list of members', async () => {
    for (const name of [fresh(), fresh('private-')]) {
      const enter = () => listener(server.url, name, (id) => signature(SECRET, id, name))
      const [one, two] = [await enter(), await enter()]
      await vi.waitFor(() => expect(one.heard(COUNT).at(-1)?.data).toEqual({ subscription_count: 2 }))
      expect(two.heard(COUNT).at(-1)).toEqual({
        event: COUNT,
        channel: name,
        data: { subscription_count: 2 },
      })
      two.ws.close()
      await vi.waitFor(() => expect(one.heard(COUNT).at(-1)?.data).toEqual({ subscription_count: 1 }))
    }
  })

  test('are not told of comings and goings one by one, nor on channels of the app', async () => {
    const { enter, members, url } = await createTestServer()
    const { Ann } = await members('Ann')
    const [room, posts] = [await enter(Ann, 'private-room.1'), await listener(url, 'posts')]
    const open = await listener(url, 'open')
    for (let n = 0; n < 40; n++) {
      open.subscribe('other')
      open.unsubscribe('other')
    }
    open.subscribe('other')
    await vi.waitFor(() => expect(open.heard(COUNT)).toHaveLength(2))
    await settle(open, room, posts)
    expect([...room.heard(COUNT), ...posts.heard(COUNT)]).toEqual([])
  })
})
