import { describe, expect, test } from 'vitest'
import {
  connectPusher,
  connectSubscribed,
  expectNotSubscribed,
  messagesArrived,
  realtimeApp,
} from '#tests/sockets.ts'

const _SUCCEEDED = 'pusher_internal:subscription_succeeded'
const ADDED = 'pusher_internal:member_added'
const REMOVED = 'pusher_internal:member_removed'

describe('a presence channel', () => {
  test('announces its members: a member joins with the first socket and leaves with the last', async () => {
    const { members, subscribeAs, realtime } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [a, b] = [String(Ann.id), String(Ben.id)]
    const info = (id: string) => ({ name: `Member ${id}` })
    const ann = await subscribeAs(Ann, 'presence-club.1')
    expect(ann.presence).toEqual({ ids: [a], hash: { [a]: info(a) }, count: 1 })
    const ben = await subscribeAs(Ben, 'presence-club.1')
    expect(ben.presence).toEqual({ ids: [a, b], hash: { [a]: info(a), [b]: info(b) }, count: 2 })
    expect(await ann.nextMessage(ADDED)).toEqual({
      event: ADDED,
      channel: 'presence-club.1',
      data: { user_id: b, user_info: info(b) },
    })
    const second = await subscribeAs(Ben, 'presence-club.1')
    expect(second.presence.count).toBe(2)
    ben.ws.terminate()
    await ben.whenClosed
    await messagesArrived(ann, second)
    for (const one of [ann, second]) expect([...one.received(ADDED), ...one.received(REMOVED)]).toEqual([])
    expect(realtime.memberIds('presence-club.1')).toEqual([a, b])
    second.unsubscribe('presence-club.1')
    expect(await ann.nextMessage(REMOVED)).toEqual({
      event: REMOVED,
      channel: 'presence-club.1',
      data: { user_id: b },
    })
    await messagesArrived(ann, second)
    expect(ann.inbox).toEqual([])
    expect(second.inbox).toEqual([])
  })

  test('rejects a subscription whose signature belongs to another user or another channel', async () => {
    const { members, sign, url, realtime } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connectPusher(url)
    const { auth, channel_data } = (await sign(Ben, client.id, 'presence-club.1')).body
    const posing = channel_data.replace(`"${Ben.id}"`, `"${Ann.id}"`)
    for (const data of [posing, undefined, '', '{}', JSON.parse(channel_data), `${channel_data} `]) {
      client.subscribe('presence-club.1', { auth, channel_data: data })
      await expectNotSubscribed(client, 'presence-club.1', [401, 403])
    }
    const room = (await sign(Ben, client.id, 'private-room.1')).body
    client.subscribe('presence-club.1', room)
    await expectNotSubscribed(client, 'presence-club.1', [401, 403])
    expect(realtime.memberIds('presence-club.1')).toEqual([])
  })
})

describe('a client event', () => {
  test('is sent to the other subscribers of a private or presence channel, unchanged', async () => {
    const { members, subscribeAs, url } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const name of ['private-room.1', 'presence-club.1']) {
      const [ann, ben, second] = [
        await subscribeAs(Ann, name),
        await subscribeAs(Ben, name),
        await subscribeAs(Ben, name),
      ]
      const outside = await connectPusher(url)
      const data = { to: '縁側 🌿', list: [1, null] }
      ben.send('client-typing', data, name)
      for (const one of [ann, second]) {
        const message = await one.nextMessage('client-typing')
        expect(message).toMatchObject({ event: 'client-typing', channel: name, data })
        if (name.startsWith('presence-')) expect(message.user_id).toBe(String(Ben.id))
      }
      await messagesArrived(ann, ben, second, outside)
      for (const one of [ann, ben, second, outside]) expect(one.received('client-typing')).toEqual([])
      expect(ben.received('pusher:error')).toEqual([])
    }
  })

  test('gets error 4301 without a subscription, and on public channels', async () => {
    const { members, subscribeAs, url } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [room, open] = [await subscribeAs(Ann, 'private-room.1'), await connectSubscribed(url, 'chat')]
    const ben = await connectSubscribed(url, 'chat')
    await subscribeAs(Ben, 'private-room.2', ben)
    for (const name of ['private-room.1', 'presence-club.1', 'chat', 'nowhere', '', null]) {
      ben.send('client-typing', {}, name)
      expect((await ben.nextMessage('pusher:error')).data, String(name)).toEqual({
        code: 4301,
        message: expect.stringMatching(/\S/),
      })
    }
    ben.unsubscribe('private-room.2')
    ben.send('client-typing', {}, 'private-room.2')
    expect((await ben.nextMessage('pusher:error')).data.code).toBe(4301)
    await messagesArrived(room, open)
    expect([...room.inbox, ...open.inbox]).toEqual([])
  })

  test('gets error 4301 beyond ten per second and beyond 10 kB', async () => {
    const { members, subscribeAs } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben] = [await subscribeAs(Ann, 'private-room.1'), await subscribeAs(Ben, 'private-room.1')]
    for (let n = 0; n < 40; n++) ben.send('client-many', { n }, 'private-room.1')
    await messagesArrived(ben, ann)
    const [came, refused] = [ann.received('client-many'), ben.received('pusher:error')]
    expect(came.length + refused.length).toBe(40)
    expect(came.length).toBeGreaterThanOrEqual(10)
    expect(came.length, 'the burst may lie across two seconds').toBeLessThanOrEqual(20)
    expect(came.slice(0, 10).map(({ data }) => data.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const { data } of refused) expect(data.code).toBe(4301)

    const cleo = await subscribeAs(Ben, 'private-room.1')
    for (const large of ['x'.repeat(10_241), 'あ'.repeat(4000), { x: 'x'.repeat(10_240) }]) {
      cleo.send('client-large', large, 'private-room.1')
      expect((await cleo.nextMessage('pusher:error')).data.code).toBe(4301)
    }
    cleo.send('client-large', 'x'.repeat(10_000), 'private-room.1')
    expect((await ann.nextMessage('client-large')).data).toHaveLength(10_000)
    await messagesArrived(ann)
    expect(ann.received('client-large')).toEqual([])
  })
})
