import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { authFields, connectPusher, connectSubscribed } from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  connectPresence,
  createPublisher,
  expectJson,
  expectNoEvent,
  expectPusherError,
  fetchPusherJson,
  PUSHER_SECRET,
  publisher,
  pusherServer,
  startPusher,
  stopPusher,
  uniqueChannel,
} from '#tests/pusher-http-api.ts'

beforeAll(startPusher)
afterAll(stopPusher)

describe('an event from a server', () => {
  test('is sent to one channel, with unchanged data', async () => {
    const name = uniqueChannel()
    const [one, two, other] = [
      await connectSubscribed(pusherServer.url, name),
      await connectSubscribed(pusherServer.url, name),
      await connectSubscribed(pusherServer.url, uniqueChannel()),
    ]
    const data = { message: 'こんにちは 🌿', list: [1, null, { a: '"' }] }
    expect(await expectJson(publisher.trigger(name, 'Said', data))).toEqual({})
    for (const client of [one, two])
      expect(await client.nextMessage('Said')).toEqual({ event: 'Said', channel: name, data })
    await publisher.trigger(name, 'App\\Events\\Said', 'plain words')
    expect((await one.nextMessage('App\\Events\\Said')).data).toBe('plain words')
    await expectNoEvent(other)
  })

  test('is sent to several channels, except to the excluded socket', async () => {
    const [a, b] = [uniqueChannel(), uniqueChannel()]
    const [one, two, left] = [
      await connectSubscribed(pusherServer.url, a),
      await connectSubscribed(pusherServer.url, b),
      await connectSubscribed(pusherServer.url, a),
    ]
    await publisher.trigger([a, b, uniqueChannel()], 'Said', { n: 1 }, { socket_id: left.id })
    expect((await one.nextMessage('Said')).channel).toBe(a)
    expect((await two.nextMessage('Said')).channel).toBe(b)
    for (const client of [one, two, left]) await expectNoEvent(client)
  })

  test('is answered with counts if the server requests them', async () => {
    const [name, empty] = [uniqueChannel('presence-'), uniqueChannel('presence-')]
    await connectPresence(name, 'a')
    await connectPresence(name, 'a')
    await connectPresence(name, 'b')
    const open = uniqueChannel()
    expect(
      await expectJson(publisher.trigger([open], 'Said', {}, { info: 'user_count,subscription_count' })),
    ).toEqual({
      channels: { [open]: { subscription_count: 0 } },
    })
    expect(
      await expectJson(
        publisher.trigger([name, empty], 'Said', {}, { info: 'user_count,subscription_count' }),
      ),
    ).toEqual({
      channels: {
        [name]: { user_count: 2, subscription_count: 3 },
        [empty]: { user_count: 0, subscription_count: 0 },
      },
    })
  })

  test('can be part of a batch, and keeps its order', async () => {
    const [a, b] = [uniqueChannel(), uniqueChannel('presence-')]
    const [one, two, left] = [
      await connectSubscribed(pusherServer.url, a),
      await connectPresence(b, 'x'),
      await connectSubscribed(pusherServer.url, a),
    ]
    const batch = [
      { channel: a, name: 'Said', data: { n: 1 } },
      { channel: b, name: 'Said', data: { n: 2 } },
      { channel: a, name: 'Said', data: { n: 3 }, socket_id: left.id },
    ]
    expect(await expectJson(publisher.triggerBatch(batch))).toEqual({})
    expect([(await one.nextMessage('Said')).data, (await one.nextMessage('Said')).data]).toEqual([
      { n: 1 },
      { n: 3 },
    ])
    expect((await two.nextMessage('Said')).data).toEqual({ n: 2 })
    expect((await left.nextMessage('Said')).data).toEqual({ n: 1 })
    for (const client of [one, two, left]) await expectNoEvent(client)
    expect(
      await expectJson(publisher.triggerBatch([{ channel: b, name: 'Said', data: {}, info: 'user_count' }])),
    ).toEqual({
      batch: [{ user_count: 1 }],
    })
  })

  test('is received in the order of sending, for fifty events of Pusher’s own library', async () => {
    const name = uniqueChannel()
    const client = await connectSubscribed(pusherServer.url, name)
    for (let n = 0; n < 50; n++) await publisher.trigger(name, 'Said', { n })
    for (let n = 0; n < 50; n++) expect((await client.nextMessage('Said')).data).toEqual({ n })
  })
})

describe('a server can query', () => {
  test('which channels are occupied', async () => {
    const mark = uniqueChannel('presence-mark')
    const clients = [
      await connectPresence(`${mark}.one`, 'a'),
      await connectPresence(`${mark}.one`, 'b'),
      await connectPresence(`${mark}.two`, 'a'),
    ]
    const other = uniqueChannel()
    const open = await connectSubscribed(pusherServer.url, other)
    expect(await fetchPusherJson('/channels', { filter_by_prefix: mark })).toEqual({
      channels: { [`${mark}.one`]: {}, [`${mark}.two`]: {} },
    })
    const counted = await fetchPusherJson('/channels', {
      filter_by_prefix: mark,
      info: 'user_count',
    })
    expect(counted).toEqual({
      channels: { [`${mark}.one`]: { user_count: 2 }, [`${mark}.two`]: { user_count: 1 } },
    })
    expect(Object.keys((await fetchPusherJson('/channels')).channels)).toEqual(
      expect.arrayContaining([`${mark}.one`, other]),
    )
    expect(await fetchPusherJson('/channels', { filter_by_prefix: 'nothing-' })).toEqual({
      channels: {},
    })
    expect(
      await expectPusherError(publisher.get({ path: '/channels', params: { info: 'user_count' } })),
    ).toBe(400)
    for (const client of [...clients, open]) client.ws.close()
    await eventually(async () =>
      expect(await fetchPusherJson('/channels', { filter_by_prefix: mark })).toEqual({
        channels: {},
      }),
    )
  })

  test('the state of a channel', async () => {
    const [club, open] = [uniqueChannel('presence-'), uniqueChannel()]
    await connectPresence(club, 'a')
    await connectPresence(club, 'a')
    await connectSubscribed(pusherServer.url, open)
    expect(await fetchPusherJson(`/channels/${club}`)).toEqual({ occupied: true })
    const both = { info: 'user_count,subscription_count' }
    expect(await fetchPusherJson(`/channels/${club}`, both)).toEqual({
      occupied: true,
      user_count: 1,
      subscription_count: 2,
    })
    expect(await fetchPusherJson(`/channels/${open}`, { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    })
    expect(await fetchPusherJson('/channels/nowhere')).toEqual({ occupied: false })
    expect(await fetchPusherJson(`/channels/${open}`, both)).toEqual({
      occupied: true,
      subscription_count: 1,
    })
  })

  test('the users of a presence channel', async () => {
    const name = uniqueChannel('presence-')
    await connectPresence(name, 'ann')
    const ben = await connectPresence(name, '7')
    await connectPresence(name, 'ann')
    expect(await fetchPusherJson(`/channels/${name}/users`)).toEqual({
      users: [{ id: 'ann' }, { id: '7' }],
    })
    ben.ws.close()
    await eventually(async () =>
      expect(await fetchPusherJson(`/channels/${name}/users`)).toEqual({
        users: [{ id: 'ann' }],
      }),
    )
    expect(await fetchPusherJson('/channels/presence-nowhere/users')).toEqual({ users: [] })
    expect(await expectPusherError(publisher.get({ path: `/channels/${uniqueChannel()}/users` }))).toBe(400)
  })
})

describe('a server’s own signature', () => {
  test('opens private and presence channels that no feature declares', async () => {
    const [room, club] = [uniqueChannel('private-'), uniqueChannel('presence-')]
    const inside = await connectSubscribed(pusherServer.url, room, (id) =>
      publisher.authorizeChannel(id, room),
    )
    await publisher.trigger(room, 'Said', { n: 1 })
    expect((await inside.nextMessage('Said')).data).toEqual({ n: 1 })
    const ann = await connectPresence(club, 'ann', { name: 'Ann' })
    const ben = await connectPresence(club, 'ben', { name: 'Ben' })
    expect((await ann.nextMessage('pusher_internal:member_added')).data).toEqual({
      user_id: 'ben',
      user_info: { name: 'Ben' },
    })
    ben.send('client-typing', { n: 2 }, club)
    expect(await ann.nextMessage('client-typing')).toMatchObject({ data: { n: 2 }, user_id: 'ben' })
  })

  test('is refused when it was made with another secret, or for another socket or channel', async () => {
    const [room, client] = [uniqueChannel('private-'), await connectPusher(pusherServer.url)]
    const wrong = [
      createPublisher({ secret: 'another' }).authorizeChannel(client.id, room),
      publisher.authorizeChannel('1.1', room),
      publisher.authorizeChannel(client.id, `${room}0`),
    ]
    for (const signed of [...wrong, authFields(PUSHER_SECRET, client.id, `${room}:x`), {}]) {
      client.subscribe(room, signed)
      expect((await client.nextMessage('pusher:subscription_error')).data.status).toBe(401)
    }
    await publisher.trigger(room, 'Said', {})
    await expectNoEvent(client)
  })
})
