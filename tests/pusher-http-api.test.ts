import { describe, expect, test, vi } from 'vitest'
import { connectClient, connectSubscribedClient, signSubscription } from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  connectToPresenceChannel,
  createPusherApiClient,
  createUniqueChannelName,
  expectJsonResponse,
  expectNoEvent,
  getPublisherApiJson,
  getPublisherErrorStatus,
  PUSHER_SECRET,
  pusherPublisher,
  server,
} from '#tests/pusher-http-api.ts'

describe('an event from a server', () => {
  test('is sent to one channel, with unchanged data', async () => {
    const name = createUniqueChannelName()
    const [one, two, other] = [
      await connectSubscribedClient(server.url, name),
      await connectSubscribedClient(server.url, name),
      await connectSubscribedClient(server.url, createUniqueChannelName()),
    ]
    const data = { message: 'こんにちは 🌿', list: [1, null, { a: '"' }] }
    expect(await expectJsonResponse(pusherPublisher.trigger(name, 'Said', data))).toEqual({})
    for (const client of [one, two])
      expect(await client.nextMessage('Said')).toEqual({ event: 'Said', channel: name, data })
    await pusherPublisher.trigger(name, 'App\\Events\\Said', 'plain words')
    expect((await one.nextMessage('App\\Events\\Said')).data).toBe('plain words')
    await expectNoEvent(other)
  })

  test('is sent to several channels, except to the excluded socket', async () => {
    const [a, b] = [createUniqueChannelName(), createUniqueChannelName()]
    const [one, two, left] = [
      await connectSubscribedClient(server.url, a),
      await connectSubscribedClient(server.url, b),
      await connectSubscribedClient(server.url, a),
    ]
    await pusherPublisher.trigger([a, b, createUniqueChannelName()], 'Said', { n: 1 }, { socket_id: left.id })
    expect((await one.nextMessage('Said')).channel).toBe(a)
    expect((await two.nextMessage('Said')).channel).toBe(b)
    for (const client of [one, two, left]) await expectNoEvent(client)
  })

  test('is answered with counts if the server requests them', async () => {
    const [name, empty] = [createUniqueChannelName('presence-'), createUniqueChannelName('presence-')]
    await connectToPresenceChannel(name, 'a')
    await connectToPresenceChannel(name, 'a')
    await connectToPresenceChannel(name, 'b')
    const open = createUniqueChannelName()
    expect(
      await expectJsonResponse(
        pusherPublisher.trigger([open], 'Said', {}, { info: 'user_count,subscription_count' }),
      ),
    ).toEqual({
      channels: { [open]: { subscription_count: 0 } },
    })
    expect(
      await expectJsonResponse(
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
    const [a, b] = [createUniqueChannelName(), createUniqueChannelName('presence-')]
    const [one, two, left] = [
      await connectSubscribedClient(server.url, a),
      await connectToPresenceChannel(b, 'x'),
      await connectSubscribedClient(server.url, a),
    ]
    const batch = [
      { channel: a, name: 'Said', data: { n: 1 } },
      { channel: b, name: 'Said', data: { n: 2 } },
      { channel: a, name: 'Said', data: { n: 3 }, socket_id: left.id },
    ]
    expect(await expectJsonResponse(pusherPublisher.triggerBatch(batch))).toEqual({})
    expect([(await one.nextMessage('Said')).data, (await one.nextMessage('Said')).data]).toEqual([
      { n: 1 },
      { n: 3 },
    ])
    expect((await two.nextMessage('Said')).data).toEqual({ n: 2 })
    expect((await left.nextMessage('Said')).data).toEqual({ n: 1 })
    for (const client of [one, two, left]) await expectNoEvent(client)
    expect(
      await expectJsonResponse(
        pusherPublisher.triggerBatch([{ channel: b, name: 'Said', data: {}, info: 'user_count' }]),
      ),
    ).toEqual({
      batch: [{ user_count: 1 }],
    })
  })

  test('is received in the order of sending, for fifty events of Pusher’s own library', async () => {
    const name = createUniqueChannelName()
    const client = await connectSubscribedClient(server.url, name)
    for (let n = 0; n < 50; n++) await pusherPublisher.trigger(name, 'Said', { n })
    for (let n = 0; n < 50; n++) expect((await client.nextMessage('Said')).data).toEqual({ n })
  })
})

describe('a server can query', () => {
  test('which channels are occupied', async () => {
    const mark = createUniqueChannelName('presence-mark')
    const clients = [
      await connectToPresenceChannel(`${mark}.one`, 'a'),
      await connectToPresenceChannel(`${mark}.one`, 'b'),
      await connectToPresenceChannel(`${mark}.two`, 'a'),
    ]
    const other = createUniqueChannelName()
    const open = await connectSubscribedClient(server.url, other)
    expect(await getPublisherApiJson('/channels', { filter_by_prefix: mark })).toEqual({
      channels: { [`${mark}.one`]: {}, [`${mark}.two`]: {} },
    })
    const counted = await getPublisherApiJson('/channels', { filter_by_prefix: mark, info: 'user_count' })
    expect(counted).toEqual({
      channels: { [`${mark}.one`]: { user_count: 2 }, [`${mark}.two`]: { user_count: 1 } },
    })
    expect(Object.keys((await getPublisherApiJson('/channels')).channels)).toEqual(
      expect.arrayContaining([`${mark}.one`, other]),
    )
    expect(await getPublisherApiJson('/channels', { filter_by_prefix: 'nothing-' })).toEqual({ channels: {} })
    expect(
      await getPublisherErrorStatus(
        pusherPublisher.get({ path: '/channels', params: { info: 'user_count' } }),
      ),
    ).toBe(400)
    for (const client of [...clients, open]) client.ws.close()
    await vi.waitFor(async () =>
      expect(await getPublisherApiJson('/channels', { filter_by_prefix: mark })).toEqual({ channels: {} }),
    )
  })

  test('the state of a channel', async () => {
    const [club, open] = [createUniqueChannelName('presence-'), createUniqueChannelName()]
    await connectToPresenceChannel(club, 'a')
    await connectToPresenceChannel(club, 'a')
    await connectSubscribedClient(server.url, open)
    expect(await getPublisherApiJson(`/channels/${club}`)).toEqual({ occupied: true })
    const both = { info: 'user_count,subscription_count' }
    expect(await getPublisherApiJson(`/channels/${club}`, both)).toEqual({
      occupied: true,
      user_count: 1,
      subscription_count: 2,
    })
    expect(await getPublisherApiJson(`/channels/${open}`, { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    })
    expect(await getPublisherApiJson('/channels/nowhere')).toEqual({ occupied: false })
    expect(await getPublisherApiJson(`/channels/${open}`, both)).toEqual({
      occupied: true,
      subscription_count: 1,
    })
  })

  test('the users of a presence channel', async () => {
    const name = createUniqueChannelName('presence-')
    await connectToPresenceChannel(name, 'ann')
    const ben = await connectToPresenceChannel(name, '7')
    await connectToPresenceChannel(name, 'ann')
    expect(await getPublisherApiJson(`/channels/${name}/users`)).toEqual({
      users: [{ id: 'ann' }, { id: '7' }],
    })
    ben.ws.close()
    await vi.waitFor(async () =>
      expect(await getPublisherApiJson(`/channels/${name}/users`)).toEqual({ users: [{ id: 'ann' }] }),
    )
    expect(await getPublisherApiJson('/channels/presence-nowhere/users')).toEqual({ users: [] })
    expect(
      await getPublisherErrorStatus(
        pusherPublisher.get({ path: `/channels/${createUniqueChannelName()}/users` }),
      ),
    ).toBe(400)
  })
})

describe('a server’s own signature', () => {
  test('opens private and presence channels that no feature declares', async () => {
    const [room, club] = [createUniqueChannelName('private-'), createUniqueChannelName('presence-')]
    const inside = await connectSubscribedClient(server.url, room, (id) =>
      pusherPublisher.authorizeChannel(id, room),
    )
    await pusherPublisher.trigger(room, 'Said', { n: 1 })
    expect((await inside.nextMessage('Said')).data).toEqual({ n: 1 })
    const ann = await connectToPresenceChannel(club, 'ann', { name: 'Ann' })
    const ben = await connectToPresenceChannel(club, 'ben', { name: 'Ben' })
    expect((await ann.nextMessage('pusher_internal:member_added')).data).toEqual({
      user_id: 'ben',
      user_info: { name: 'Ben' },
    })
    ben.send('client-typing', { n: 2 }, club)
    expect(await ann.nextMessage('client-typing')).toMatchObject({ data: { n: 2 }, user_id: 'ben' })
  })

  test('is refused when it was made with another secret, or for another socket or channel', async () => {
    const [room, client] = [createUniqueChannelName('private-'), await connectClient(server.url)]
    const wrong = [
      createPusherApiClient({ secret: 'another' }).authorizeChannel(client.id, room),
      pusherPublisher.authorizeChannel('1.1', room),
      pusherPublisher.authorizeChannel(client.id, `${room}0`),
    ]
    for (const signed of [...wrong, signSubscription(PUSHER_SECRET, client.id, `${room}:x`), {}]) {
      client.subscribe(room, signed)
      expect((await client.nextMessage('pusher:subscription_error')).data.status).toBe(401)
    }
    await pusherPublisher.trigger(room, 'Said', {})
    await expectNoEvent(client)
  })
})
