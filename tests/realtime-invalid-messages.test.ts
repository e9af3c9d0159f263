import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '#tests/server.ts'
import { authFields, connectPusher, connectSubscribed } from '#tests/sockets.ts'

const SECRET = 'a secret of some length'
const SUCCEEDED = 'pusher_internal:subscription_succeeded'
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

describe('invalid messages', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const notText = { toString: 1 }
  const frames: [string, (id: string) => (string | Buffer | object)[]][] = [
    [
      'invalid JSON',
      () => ['', '{', 'null', '[]', '5', '"x"', '[{"event":"pusher:ping"}]', '{"event":', '\0'],
    ],
    ['binary messages', () => [Buffer.from([0, 255, 254, 1]), Buffer.alloc(60_000, 7)]],
    [
      'missing or unknown event names',
      () => [{}, { event: null }, { event: 5 }, { event: {} }, { event: 'x' }, { event: 'pusher:unknown' }],
    ],
    [
      'events that only the server sends',
      () => [
        { event: SUCCEEDED, channel: 'chat', data: '{}' },
        { event: 'pusher:error', data: {} },
      ],
    ],
    [
      'subscriptions without a channel',
      () => [null, 5, 'x', [], true].map((data) => ({ event: 'pusher:subscribe', data })),
    ],
    [
      'unsubscriptions without a channel',
      () => [null, 5, 'x', [], {}, { channel: null }].map((data) => ({ event: 'pusher:unsubscribe', data })),
    ],
    [
      'an object as the signature',
      () => [{ event: 'pusher:subscribe', data: { channel: 'private-x', auth: notText } }],
    ],
    [
      'an object as channel_data',
      () => [
        { event: 'pusher:subscribe', data: { channel: 'presence-x', auth: 'x', channel_data: notText } },
      ],
    ],
    [
      'deeply nested channel_data',
      () => [
        `{"event":"pusher:subscribe","data":{"channel":"presence-x","auth":"x","channel_data":${deep}}}`,
      ],
    ],
    [
      'an object as the channel of an unsubscription',
      () => [{ event: 'pusher:unsubscribe', data: { channel: notText } }],
    ],
    [
      'a deeply nested channel of an unsubscription',
      () => [`{"event":"pusher:unsubscribe","data":{"channel":${deep}}}`],
    ],
    ['an object as the channel of a client event', () => [{ event: 'client-x', channel: notText, data: {} }]],
    [
      'deeply nested data of a client event',
      (id) => [
        {
          event: 'pusher:subscribe',
          data: {
            channel: 'private-x',
            ...authFields(SECRET, id, 'private-x'),
          },
        },
        `{"event":"client-x","channel":"private-x","data":${deep}}`,
      ],
    ],
    [
      'invalid user ids in channel_data',
      (id) =>
        [
          'null',
          '[]',
          '5',
          '{}',
          '{"user_id":null}',
          '{"user_id":{"toString":1}}',
          '{"user_id":"__proto__"}',
        ].map((data) => ({
          event: 'pusher:subscribe',
          data: {
            channel: 'presence-y',
            ...authFields(SECRET, id, 'presence-y', data),
          },
        })),
    ],
    [
      'three thousand invalid subscriptions',
      () =>
        Array.from({ length: 3000 }, () => ({ event: 'pusher:subscribe', data: { channel: 'private-x' } })),
    ],
  ]
  test.each(frames)('do not affect other clients: %s', async (_, framesFor) => {
    const [other, client] = [await connectSubscribed(server.url, 'chat'), await connectPusher(server.url)]
    for (const frame of framesFor(client.id))
      client.ws.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame))
    await Promise.race([client.whenClosed, client.sync()])
    await other.sync()
    expect(other.inbox).toEqual([])
    await (await connectSubscribed(server.url, 'chat')).sync()
    expect(server.logs()).not.toMatch(/"level":(50|60)/)
  })

  test('are answered with an error, and the connection stays open', async () => {
    const client = await connectPusher(server.url)
    for (const frame of ['{', '[]', '5', '{}', '{"event":5}', '{"event":"x"}', Buffer.from([1, 2])]) {
      client.ws.send(frame)
      expect((await client.nextMessage('pusher:error')).data).toEqual({
        code: expect.any(Number),
        message: expect.stringMatching(/\S/),
      })
    }
    await client.sync()
    expect(client.inbox).toEqual([])
  })

  test('of more than 64 kB close the connection', async () => {
    const [other, exact, large, pieces] = [
      await connectSubscribed(server.url, 'chat'),
      await connectPusher(server.url),
      await connectPusher(server.url),
      await connectPusher(server.url),
    ]
    exact.ws.send('{"event":"pusher:ping"}'.padEnd(65_536))
    await exact.nextMessage('pusher:pong')
    large.ws.send('{"event":"pusher:ping"}'.padEnd(65_537))
    expect((await large.whenClosed).code).toBe(1009)
    for (let n = 0; n < 5; n++) pieces.ws.send('x'.repeat(20_000), { fin: false })
    expect((await pieces.whenClosed).code).toBe(1009)
    await other.sync()
  })
})
