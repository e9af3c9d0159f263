import { describe, expect, test, vi } from 'vitest'
import { connect, listener, signature } from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  api,
  fresh,
  jsonOf,
  presence,
  publisher,
  read,
  refused,
  SECRET,
  server,
  silence,
} from '#tests/publishers.ts'

describe('an event from a server', () => {
  test('goes to one channel, with its data as it was', async () => {
    const name = fresh()
    const [one, two, other] = [
      await listener(server.url, name),
      await listener(server.url, name),
      await listener(server.url, fresh()),
    ]
    const data = { message: 'こんにちは 🌿', list: [1, null, { a: '"' }] }
    expect(await jsonOf(api.trigger(name, 'Said', data))).toEqual({})
    for (const client of [one, two])
      expect(await client.take('Said')).toEqual({ event: 'Said', channel: name, data })
    await api.trigger(name, 'App\\Events\\Said', 'plain words')
    expect((await one.take('App\\Events\\Said')).data).toBe('plain words')
    await silence(other)
  })

  test('goes to several channels, and to nobody on the socket that is left out', async () => {
    const [a, b] = [fresh(), fresh()]
    const [one, two, left] = [
      await listener(server.url, a),
      await listener(server.url, b),
      await listener(server.url, a),
    ]
    await api.trigger([a, b, fresh()], 'Said', { n: 1 }, { socket_id: left.id })
    expect((await one.take('Said')).channel).toBe(a)
    expect((await two.take('Said')).channel).toBe(b)
    for (const client of [one, two, left]) await silence(client)
  })

  test('answers with counts where they are asked for', async () => {
    const [name, empty] = [fresh('presence-'), fresh('presence-')]
    await presence(name, 'a')
    await presence(name, 'a')
    await presence(name, 'b')
    const open = fresh()
    expect(await jsonOf(api.trigger([open], 'Said', {}, { info: 'user_count,subscription_count' }))).toEqual({
      channels: { [open]: { subscription_count: 0 } },
    })
    expect(
      await jsonOf(api.trigger([name, empty], 'Said', {}, { info: 'user_count,subscription_count' })),
    ).toEqual({
      channels: {
        [name]: { user_count: 2, subscription_count: 3 },
        [empty]: { user_count: 0, subscription_count: 0 },
      },
    })
  })

  test('may be one of a batch, in order', async () => {
    const [a, b] = [fresh(), fresh('presence-')]
    const [one, two, left] = [
      await listener(server.url, a),
      await presence(b, 'x'),
      await listener(server.url, a),
    ]
    const batch = [
      { channel: a, name: 'Said', data: { n: 1 } },
      { channel: b, name: 'Said', data: { n: 2 } },
      { channel: a, name: 'Said', data: { n: 3 }, socket_id: left.id },
    ]
    expect(await jsonOf(api.triggerBatch(batch))).toEqual({})
    expect([(await one.take('Said')).data, (await one.take('Said')).data]).toEqual([{ n: 1 }, { n: 3 }])
    expect((await two.take('Said')).data).toEqual({ n: 2 })
    expect((await left.take('Said')).data).toEqual({ n: 1 })
    for (const client of [one, two, left]) await silence(client)
    expect(
      await jsonOf(api.triggerBatch([{ channel: b, name: 'Said', data: {}, info: 'user_count' }])),
    ).toEqual({
      batch: [{ user_count: 1 }],
    })
  })

  test('is heard by Pusher’s own subscribers in the order it was sent, fifty times over', async () => {
    const name = fresh()
    const client = await listener(server.url, name)
    for (let n = 0; n < 50; n++) await api.trigger(name, 'Said', { n })
    for (let n = 0; n < 50; n++) expect((await client.take('Said')).data).toEqual({ n })
  })
})

describe('what servers may ask', () => {
  test('which channels are occupied', async () => {
    const mark = fresh('presence-mark')
    const clients = [
      await presence(`${mark}.one`, 'a'),
      await presence(`${mark}.one`, 'b'),
      await presence(`${mark}.two`, 'a'),
    ]
    const other = fresh()
    const open = await listener(server.url, other)
    expect(await read('/channels', { filter_by_prefix: mark })).toEqual({
      channels: { [`${mark}.one`]: {}, [`${mark}.two`]: {} },
    })
    const counted = await read('/channels', { filter_by_prefix: mark, info: 'user_count' })
    expect(counted).toEqual({
      channels: { [`${mark}.one`]: { user_count: 2 }, [`${mark}.two`]: { user_count: 1 } },
    })
    expect(Object.keys((await read('/channels')).channels)).toEqual(
      expect.arrayContaining([`${mark}.one`, other]),
    )
    expect(await read('/channels', { filter_by_prefix: 'nothing-' })).toEqual({ channels: {} })
    expect(await refused(api.get({ path: '/channels', params: { info: 'user_count' } }))).toBe(400)
    for (const client of [...clients, open]) client.ws.close()
    await vi.waitFor(async () =>
      expect(await read('/channels', { filter_by_prefix: mark })).toEqual({ channels: {} }),
    )
  })

  test('how one channel is', async () => {
    const [club, open] = [fresh('presence-'), fresh()]
    await presence(club, 'a')
    await presence(club, 'a')
    await listener(server.url, open)
    expect(await read(`/channels/${club}`)).toEqual({ occupied: true })
    const both = { info: 'user_count,subscription_count' }
    expect(await read(`/channels/${club}`, both)).toEqual({
      occupied: true,
      user_count: 1,
      subscription_count: 2,
    })
    expect(await read(`/channels/${open}`, { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    })
    expect(await read('/channels/nowhere')).toEqual({ occupied: false })
    expect(await read(`/channels/${open}`, both)).toEqual({ occupied: true, subscription_count: 1 })
  })

  test('who is on a presence channel', async () => {
    const name = fresh('presence-')
    await presence(name, 'ann')
    const ben = await presence(name, '7')
    await presence(name, 'ann')
    expect(await read(`/channels/${name}/users`)).toEqual({ users: [{ id: 'ann' }, { id: '7' }] })
    ben.ws.close()
    await vi.waitFor(async () =>
      expect(await read(`/channels/${name}/users`)).toEqual({ users: [{ id: 'ann' }] }),
    )
    expect(await read('/channels/presence-nowhere/users')).toEqual({ users: [] })
    expect(await refused(api.get({ path: `/channels/${fresh()}/users` }))).toBe(400)
  })
})

describe('a server’s own signature', () => {
  test('opens private and presence channels that the app does not know', async () => {
    const [room, club] = [fresh('private-'), fresh('presence-')]
    const inside = await listener(server.url, room, (id) => api.authorizeChannel(id, room))
    await api.trigger(room, 'Said', { n: 1 })
    expect((await inside.take('Said')).data).toEqual({ n: 1 })
    const ann = await presence(club, 'ann', { name: 'Ann' })
    const ben = await presence(club, 'ben', { name: 'Ben' })
    expect((await ann.take('pusher_internal:member_added')).data).toEqual({
      user_id: 'ben',
      user_info: { name: 'Ben' },
    })
    ben.say('client-typing', { n: 2 }, club)
    expect(await ann.take('client-typing')).toMatchObject({ data: { n: 2 }, user_id: 'ben' })
  })

  test('opens nothing when it is of another secret, socket or channel', async () => {
    const [room, client] = [fresh('private-'), await connect(server.url)]
    const wrong = [
      publisher({ secret: 'another' }).authorizeChannel(client.id, room),
      api.authorizeChannel('1.1', room),
      api.authorizeChannel(client.id, `${room}0`),
    ]
    for (const signed of [...wrong, signature(SECRET, client.id, `${room}:x`), {}]) {
      client.subscribe(room, signed)
      expect((await client.take('pusher:subscription_error')).data.status).toBe(401)
    }
    await api.trigger(room, 'Said', {})
    await silence(client)
  })
})
