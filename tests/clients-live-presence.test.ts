import { describe, expect, test } from 'vitest'
import { connect, createTestServer, expectShut, listener, settle } from '#tests/sockets.ts'

const _SUCCEEDED = 'pusher_internal:subscription_succeeded'
const ADDED = 'pusher_internal:member_added'
const REMOVED = 'pusher_internal:member_removed'

describe('a presence channel', () => {
  test('tells who is there, who comes with a first socket and who goes with a last', async () => {
    const { members, enter, realtime } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [a, b] = [String(Ann.id), String(Ben.id)]
    const info = (id: string) => ({ name: `Member ${id}` })
    const ann = await enter(Ann, 'presence-club.1')
    expect(ann.presence).toEqual({ ids: [a], hash: { [a]: info(a) }, count: 1 })
    const ben = await enter(Ben, 'presence-club.1')
    expect(ben.presence).toEqual({ ids: [a, b], hash: { [a]: info(a), [b]: info(b) }, count: 2 })
    expect(await ann.take(ADDED)).toEqual({
      event: ADDED,
      channel: 'presence-club.1',
      data: { user_id: b, user_info: info(b) },
    })
    const second = await enter(Ben, 'presence-club.1')
    expect(second.presence.count).toBe(2)
    ben.ws.terminate()
    await ben.gone
    await settle(ann, second)
    for (const one of [ann, second]) expect([...one.heard(ADDED), ...one.heard(REMOVED)]).toEqual([])
    expect(realtime.memberIds('presence-club.1')).toEqual([a, b])
    second.unsubscribe('presence-club.1')
    expect(await ann.take(REMOVED)).toEqual({
      event: REMOVED,
      channel: 'presence-club.1',
      data: { user_id: b },
    })
    await settle(ann, second)
    expect(ann.inbox).toEqual([])
    expect(second.inbox).toEqual([])
  })

  test('takes nobody for somebody else', async () => {
    const { members, sign, url, realtime } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connect(url)
    const { auth, channel_data } = (await sign(Ben, client.id, 'presence-club.1')).body
    const posing = channel_data.replace(`"${Ben.id}"`, `"${Ann.id}"`)
    for (const data of [posing, undefined, '', '{}', JSON.parse(channel_data), `${channel_data} `]) {
      client.subscribe('presence-club.1', { auth, channel_data: data })
      await expectShut(client, 'presence-club.1', [401, 403])
    }
    const room = (await sign(Ben, client.id, 'private-room.1')).body
    client.subscribe('presence-club.1', room)
    await expectShut(client, 'presence-club.1', [401, 403])
    expect(realtime.memberIds('presence-club.1')).toEqual([])
  })
})

describe('a client event', () => {
  test('goes to the other subscribers of a private or presence channel, as it is', async () => {
    const { members, enter, url } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const name of ['private-room.1', 'presence-club.1']) {
      const [ann, ben, second] = [await enter(Ann, name), await enter(Ben, name), await enter(Ben, name)]
      const outside = await connect(url)
      const data = { to: '縁側 🌿', list: [1, null] }
      ben.say('client-typing', data, name)
      for (const one of [ann, second]) {
        const message = await one.take('client-typing')
        expect(message).toMatchObject({ event: 'client-typing', channel: name, data })
        if (name.startsWith('presence-')) expect(message.user_id).toBe(String(Ben.id))
      }
      await settle(ann, ben, second, outside)
      for (const one of [ann, ben, second, outside]) expect(one.heard('client-typing')).toEqual([])
      expect(ben.heard('pusher:error')).toEqual([])
    }
  })

  test('is refused with 4301 from those who are not subscribed, and on public channels', async () => {
    const { members, enter, url } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [room, open] = [await enter(Ann, 'private-room.1'), await listener(url, 'chat')]
    const ben = await listener(url, 'chat')
    await enter(Ben, 'private-room.2', ben)
    for (const name of ['private-room.1', 'presence-club.1', 'chat', 'nowhere', '', null]) {
      ben.say('client-typing', {}, name)
      expect((await ben.take('pusher:error')).data, String(name)).toEqual({
        code: 4301,
        message: expect.stringMatching(/\S/),
      })
    }
    ben.unsubscribe('private-room.2')
    ben.say('client-typing', {}, 'private-room.2')
    expect((await ben.take('pusher:error')).data.code).toBe(4301)
    await settle(room, open)
    expect([...room.inbox, ...open.inbox]).toEqual([])
  })

  test('is refused with 4301 beyond ten a second and beyond 10 kB', async () => {
    const { members, enter } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben] = [await enter(Ann, 'private-room.1'), await enter(Ben, 'private-room.1')]
    for (let n = 0; n < 40; n++) ben.say('client-many', { n }, 'private-room.1')
    await settle(ben, ann)
    const [came, refused] = [ann.heard('client-many'), ben.heard('pusher:error')]
    expect(came.length + refused.length).toBe(40)
    expect(came.length).toBeGreaterThanOrEqual(10)
    expect(came.length, 'the burst may lie across two seconds').toBeLessThanOrEqual(20)
    expect(came.slice(0, 10).map(({ data }) => data.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const { data } of refused) expect(data.code).toBe(4301)

    const cleo = await enter(Ben, 'private-room.1')
    for (const large of ['x'.repeat(10_241), 'あ'.repeat(4000), { x: 'x'.repeat(10_240) }]) {
      cleo.say('client-large', large, 'private-room.1')
      expect((await cleo.take('pusher:error')).data.code).toBe(4301)
    }
    cleo.say('client-large', 'x'.repeat(10_000), 'private-room.1')
    expect((await ann.take('client-large')).data).toHaveLength(10_000)
    await settle(ann)
    expect(ann.heard('client-large')).toEqual([])
  })
})
