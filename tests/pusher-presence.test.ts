import { createConnection } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import {
  authFields,
  connectPusher,
  connectSubscribed,
  expectNotSubscribed,
  realtimeApp,
} from '#tests/sockets.ts'

const SECRET = 'a secret of some length'
const create = () => realtimeApp({ env: { PUSHER_APP_SECRET: SECRET } })

test('a numeric user_id stays a number in every message', async () => {
  const { url } = await create()
  const enter = (data: string) =>
    connectSubscribed(url, 'presence-x', (id) => authFields(SECRET, id, 'presence-x', data))
  const ann = await enter('{"user_id":"ann"}')
  const ben = await connectPusher(url)
  const signed = authFields(SECRET, ben.id, 'presence-x', '{"user_id":7,"user_info":{"name":"Ben"}}')
  ben.subscribe('presence-x', signed)
  expect((await ben.nextMessage('pusher_internal:subscription_succeeded')).data.presence).toEqual({
    ids: ['ann', 7],
    hash: { ann: {}, 7: { name: 'Ben' } },
    count: 2,
  })
  expect((await ann.nextMessage('pusher_internal:member_added')).data.user_id).toBe(7)
  ben.send('client-wave', {}, 'presence-x')
  expect((await ann.nextMessage('client-wave')).user_id).toBe(7)
  await enter('{"user_id":"7"}')
  await ann.sync()
  expect(ann.received('pusher_internal:member_added'), '7 and "7" are the same').toEqual([])
})

test('the signature of a private subscription with channel_data covers channel_data', async () => {
  const { url } = await create()
  const client = await connectPusher(url)
  const room = 'private-x'
  for (const signed of [
    {
      ...authFields(SECRET, client.id, room),
      channel_data: '{"user_id":"1"}',
    },
    {
      ...authFields(SECRET, client.id, room, '{"user_id":"1"}'),
      channel_data: '{"user_id":"2"}',
    },
    { auth: authFields(SECRET, client.id, room, '{"user_id":"1"}').auth },
  ]) {
    client.subscribe(room, signed)
    await expectNotSubscribed(client, room, [401])
  }
  client.subscribe(room, authFields(SECRET, client.id, room, '{"user_id":"1"}'))
  expect((await client.nextMessage('pusher_internal:subscription_succeeded')).channel).toBe(room)
})

test('a member is removed at the close frame, although the TCP connection stays open', async () => {
  const { url, realtime } = await create()
  const ann = await connectSubscribed(url, 'presence-x', (id) =>
    authFields(SECRET, id, 'presence-x', '{"user_id":"ann"}'),
  )
  const { port, hostname, host } = new URL(url)
  const socket = createConnection({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (data) => (text += data.toString('latin1')))
  socket.write(
    `GET /app/engawa?protocol=7 HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await eventually(() => expect(text).toContain('socket_id'))
  const id = /\d+\.\d+(?=\\")/.exec(text)![0]
  const data = {
    channel: 'presence-x',
    ...authFields(SECRET, id, 'presence-x', '{"user_id":"ben"}'),
  }
  const frame = Buffer.from(JSON.stringify({ event: 'pusher:subscribe', data }))
  // Sends the frame with a mask of zeros, which leaves the payload unchanged, so that the test need not mask
  // the payload.
  socket.write(
    Buffer.concat([Buffer.from([0x81, 0xfe, frame.length >> 8, frame.length & 255, 0, 0, 0, 0]), frame]),
  )
  await ann.nextMessage('pusher_internal:member_added')
  expect(realtime.memberIds('presence-x')).toEqual(['ann', 'ben'])
  socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
  await eventually(() => expect(realtime.memberIds('presence-x')).toEqual(['ann']))
  expect(socket.destroyed).toBe(false)
  expect((await ann.nextMessage('pusher_internal:member_removed')).data).toEqual({ user_id: 'ben' })
})
