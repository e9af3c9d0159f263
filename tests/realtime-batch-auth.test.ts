import { describe, expect, test } from 'vitest'
import { connectPusher, realtimeApp } from '#tests/sockets.ts'

const SUCCEEDED = 'pusher_internal:subscription_succeeded'
const ID = '123.456'

describe('/my-broadcast-auth with several channels', () => {
  test('signs several channels in one request, and null for those of others', async () => {
    const { members, guard, url } = await realtimeApp()
    const { Ann } = await members('Ann')
    guard.allows = (_, n) => n === 7
    const client = await connectPusher(url)
    const channel_name = ['private-room.7', 'private-room.8', 'presence-club.7', 'private-unknown']
    const sent = await Ann.post('/my-broadcast-auth', { socket_id: client.id, channel_name })
    expect(sent).toMatchObject({
      status: 200,
      body: [{ auth: expect.any(String) }, null, { channel_data: expect.any(String) }, null],
    })
    for (const index of [0, 2]) {
      client.subscribe(channel_name[index]!, sent.body[index])
      expect(await client.nextMessage(SUCCEEDED)).toMatchObject({ channel: channel_name[index] })
    }
    client.subscribe('private-room.8', sent.body[0])
    expect(await client.nextMessage('pusher:subscription_error')).toMatchObject({ data: { status: 401 } })
  })

  test('binds no connection if no channel of a request is open to the member', async () => {
    const { members, guard, url, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    guard.allows = () => false
    const client = await connectPusher(url)
    const input = { socket_id: client.id, channel_name: ['private-room.7', 'private-unknown'] }
    expect(await Ann.post('/my-broadcast-auth', input)).toMatchObject({ status: 200, body: [null, null] })
    realtime.revoke({ user: Ann.id })
    client.subscribe('posts')
    expect(await client.nextMessage(SUCCEEDED)).toMatchObject({ channel: 'posts' })
  })

  test('rejects lists of channels that are empty, too long or not names', async () => {
    const { members } = await realtimeApp()
    const { Ann } = await members('Ann')
    const many = (count: number) => Array.from({ length: count }, (_, n) => `private-room.${n + 1}`)
    expect((await Ann.post('/my-broadcast-auth', { socket_id: ID, channel_name: many(10) })).status).toBe(200)
    for (const channel_name of [[], many(11), [7], [null], [['private-room.7']], ['a'.repeat(201)]])
      expect(await Ann.post('/my-broadcast-auth', { socket_id: ID, channel_name })).toMatchObject({
        status: 422,
        body: { errors: { channel_name: [expect.any(String)] } },
      })
  })
})
