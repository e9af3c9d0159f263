import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import {
  connectPusherWebSocketTestClient,
  connectSubscribedPusherWebSocketTestClient,
  createAuthFieldsOfTestChannelSubscription,
} from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  connectPresenceChannelWebSocketTestClient,
  createPusherHttpApiTestClient,
  createUniqueTestChannelName,
  expectPusherHttpApiErrorAndReturnStatus,
  expectPusherHttpApiSuccessAndReturnJson,
  expectPusherWebSocketTestClientGotNoEvent,
  fetchPusherHttpApiJsonInTest,
  pusherHttpApiTestServer,
  pusherPublisher,
  startPusher,
  stopPusher,
  TEST_PUSHER_SECRET,
} from '#tests/pusher-http-api.ts'

beforeAll(startPusher)
afterAll(stopPusher)

describe('an event from a server', () => {
  test('is sent to one channel, with unchanged data', async () => {
    const name = createUniqueTestChannelName()
    const [one, two, other] = [
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, name),
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, name),
      await connectSubscribedPusherWebSocketTestClient(
        pusherHttpApiTestServer.url,
        createUniqueTestChannelName(),
      ),
    ]
    const data = { message: 'こんにちは 🌿', list: [1, null, { a: '"' }] }
    expect(
      await expectPusherHttpApiSuccessAndReturnJson(pusherPublisher.trigger(name, 'Said', data)),
    ).toEqual({})
    for (const client of [one, two])
      expect(await client.nextMessage('Said')).toEqual({ event: 'Said', channel: name, data })
    await pusherPublisher.trigger(name, 'App\\Events\\Said', 'plain words')
    expect((await one.nextMessage('App\\Events\\Said')).data).toBe('plain words')
    await expectPusherWebSocketTestClientGotNoEvent(other)
  })

  test('is sent to several channels, except to the excluded socket', async () => {
    const [a, b] = [createUniqueTestChannelName(), createUniqueTestChannelName()]
    const [one, two, left] = [
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, a),
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, b),
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, a),
    ]
    await pusherPublisher.trigger(
      [a, b, createUniqueTestChannelName()],
      'Said',
      { n: 1 },
      { socket_id: left.id },
    )
    expect((await one.nextMessage('Said')).channel).toBe(a)
    expect((await two.nextMessage('Said')).channel).toBe(b)
    for (const client of [one, two, left]) await expectPusherWebSocketTestClientGotNoEvent(client)
  })

  test('is answered with counts if the server requests them', async () => {
    const [name, empty] = [createUniqueTestChannelName('presence-'), createUniqueTestChannelName('presence-')]
    await connectPresenceChannelWebSocketTestClient(name, 'a')
    await connectPresenceChannelWebSocketTestClient(name, 'a')
    await connectPresenceChannelWebSocketTestClient(name, 'b')
    const open = createUniqueTestChannelName()
    expect(
      await expectPusherHttpApiSuccessAndReturnJson(
        pusherPublisher.trigger([open], 'Said', {}, { info: 'user_count,subscription_count' }),
      ),
    ).toEqual({
      channels: { [open]: { subscription_count: 0 } },
    })
    expect(
      await expectPusherHttpApiSuccessAndReturnJson(
        pusherPublisher.trigger([name, empty], 'Said', {}, { info: 'user_count,subscription_count' }),
      ),
    ).toEqual({
      channels: {
        [name]: { user_count: 2, subscription_count: 3 },
        [empty]: { user_count: 0, subscription_count: 0 },
      },
    })
  })

  test('can be part of a batch, and keeps its order', async () => {
    const [a, b] = [createUniqueTestChannelName(), createUniqueTestChannelName('presence-')]
    const [one, two, left] = [
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, a),
      await connectPresenceChannelWebSocketTestClient(b, 'x'),
      await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, a),
    ]
    const batch = [
      { channel: a, name: 'Said', data: { n: 1 } },
      { channel: b, name: 'Said', data: { n: 2 } },
      { channel: a, name: 'Said', data: { n: 3 }, socket_id: left.id },
    ]
    expect(await expectPusherHttpApiSuccessAndReturnJson(pusherPublisher.triggerBatch(batch))).toEqual({})
    expect([(await one.nextMessage('Said')).data, (await one.nextMessage('Said')).data]).toEqual([
      { n: 1 },
      { n: 3 },
    ])
    expect((await two.nextMessage('Said')).data).toEqual({ n: 2 })
    expect((await left.nextMessage('Said')).data).toEqual({ n: 1 })
    for (const client of [one, two, left]) await expectPusherWebSocketTestClientGotNoEvent(client)
    expect(
      await expectPusherHttpApiSuccessAndReturnJson(
        pusherPublisher.triggerBatch([{ channel: b, name: 'Said', data: {}, info: 'user_count' }]),
      ),
    ).toEqual({
      batch: [{ user_count: 1 }],
    })
  })

  test('is received in the order of sending, for fifty events of Pusher’s own library', async () => {
    const name = createUniqueTestChannelName()
    const client = await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, name)
    for (let n = 0; n < 50; n++) await pusherPublisher.trigger(name, 'Said', { n })
    for (let n = 0; n < 50; n++) expect((await client.nextMessage('Said')).data).toEqual({ n })
  })
})

describe('a server can query', () => {
  test('which channels are occupied', async () => {
    const mark = createUniqueTestChannelName('presence-mark')
    const clients = [
      await connectPresenceChannelWebSocketTestClient(`${mark}.one`, 'a'),
      await connectPresenceChannelWebSocketTestClient(`${mark}.one`, 'b'),
      await connectPresenceChannelWebSocketTestClient(`${mark}.two`, 'a'),
    ]
    const other = createUniqueTestChannelName()
    const open = await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, other)
    expect(await fetchPusherHttpApiJsonInTest('/channels', { filter_by_prefix: mark })).toEqual({
      channels: { [`${mark}.one`]: {}, [`${mark}.two`]: {} },
    })
    const counted = await fetchPusherHttpApiJsonInTest('/channels', {
      filter_by_prefix: mark,
      info: 'user_count',
    })
    expect(counted).toEqual({
      channels: { [`${mark}.one`]: { user_count: 2 }, [`${mark}.two`]: { user_count: 1 } },
    })
    expect(Object.keys((await fetchPusherHttpApiJsonInTest('/channels')).channels)).toEqual(
      expect.arrayContaining([`${mark}.one`, other]),
    )
    expect(await fetchPusherHttpApiJsonInTest('/channels', { filter_by_prefix: 'nothing-' })).toEqual({
      channels: {},
    })
    expect(
      await expectPusherHttpApiErrorAndReturnStatus(
        pusherPublisher.get({ path: '/channels', params: { info: 'user_count' } }),
      ),
    ).toBe(400)
    for (const client of [...clients, open]) client.ws.close()
    await eventually(async () =>
      expect(await fetchPusherHttpApiJsonInTest('/channels', { filter_by_prefix: mark })).toEqual({
        channels: {},
      }),
    )
  })

  test('the state of a channel', async () => {
    const [club, open] = [createUniqueTestChannelName('presence-'), createUniqueTestChannelName()]
    await connectPresenceChannelWebSocketTestClient(club, 'a')
    await connectPresenceChannelWebSocketTestClient(club, 'a')
    await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, open)
    expect(await fetchPusherHttpApiJsonInTest(`/channels/${club}`)).toEqual({ occupied: true })
    const both = { info: 'user_count,subscription_count' }
    expect(await fetchPusherHttpApiJsonInTest(`/channels/${club}`, both)).toEqual({
      occupied: true,
      user_count: 1,
      subscription_count: 2,
    })
    expect(await fetchPusherHttpApiJsonInTest(`/channels/${open}`, { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    })
    expect(await fetchPusherHttpApiJsonInTest('/channels/nowhere')).toEqual({ occupied: false })
    expect(await fetchPusherHttpApiJsonInTest(`/channels/${open}`, both)).toEqual({
      occupied: true,
      subscription_count: 1,
    })
  })

  test('the users of a presence channel', async () => {
    const name = createUniqueTestChannelName('presence-')
    await connectPresenceChannelWebSocketTestClient(name, 'ann')
    const ben = await connectPresenceChannelWebSocketTestClient(name, '7')
    await connectPresenceChannelWebSocketTestClient(name, 'ann')
    expect(await fetchPusherHttpApiJsonInTest(`/channels/${name}/users`)).toEqual({
      users: [{ id: 'ann' }, { id: '7' }],
    })
    ben.ws.close()
    await eventually(async () =>
      expect(await fetchPusherHttpApiJsonInTest(`/channels/${name}/users`)).toEqual({
        users: [{ id: 'ann' }],
      }),
    )
    expect(await fetchPusherHttpApiJsonInTest('/channels/presence-nowhere/users')).toEqual({ users: [] })
    expect(
      await expectPusherHttpApiErrorAndReturnStatus(
        pusherPublisher.get({ path: `/channels/${createUniqueTestChannelName()}/users` }),
      ),
    ).toBe(400)
  })
})

describe('a server’s own signature', () => {
  test('opens private and presence channels that no feature declares', async () => {
    const [room, club] = [createUniqueTestChannelName('private-'), createUniqueTestChannelName('presence-')]
    const inside = await connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, room, (id) =>
      pusherPublisher.authorizeChannel(id, room),
    )
    await pusherPublisher.trigger(room, 'Said', { n: 1 })
    expect((await inside.nextMessage('Said')).data).toEqual({ n: 1 })
    const ann = await connectPresenceChannelWebSocketTestClient(club, 'ann', { name: 'Ann' })
    const ben = await connectPresenceChannelWebSocketTestClient(club, 'ben', { name: 'Ben' })
    expect((await ann.nextMessage('pusher_internal:member_added')).data).toEqual({
      user_id: 'ben',
      user_info: { name: 'Ben' },
    })
    ben.send('client-typing', { n: 2 }, club)
    expect(await ann.nextMessage('client-typing')).toMatchObject({ data: { n: 2 }, user_id: 'ben' })
  })

  test('is refused when it was made with another secret, or for another socket or channel', async () => {
    const [room, client] = [
      createUniqueTestChannelName('private-'),
      await connectPusherWebSocketTestClient(pusherHttpApiTestServer.url),
    ]
    const wrong = [
      createPusherHttpApiTestClient({ secret: 'another' }).authorizeChannel(client.id, room),
      pusherPublisher.authorizeChannel('1.1', room),
      pusherPublisher.authorizeChannel(client.id, `${room}0`),
    ]
    for (const signed of [
      ...wrong,
      createAuthFieldsOfTestChannelSubscription(TEST_PUSHER_SECRET, client.id, `${room}:x`),
      {},
    ]) {
      client.subscribe(room, signed)
      expect((await client.nextMessage('pusher:subscription_error')).data.status).toBe(401)
    }
    await pusherPublisher.trigger(room, 'Said', {})
    await expectPusherWebSocketTestClientGotNoEvent(client)
  })
})
