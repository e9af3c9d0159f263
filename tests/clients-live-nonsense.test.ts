import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Server, startServer } from '#tests/server.ts'
import { connect, listener, signature } from '#tests/sockets.ts'

const SECRET = 'a secret of some length'
const SUCCEEDED = 'pusher_internal:subscription_succeeded'
let server: Server
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

describe('nonsense', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const odd = { toString: 1 }
  const frames: [string, (id: string) => (string | Buffer | object)[]][] = [
    [
      'what is no JSON',
      () => ['', '{', 'null', '[]', '5', '"x"', '[{"event":"pusher:ping"}]', '{"event":', '\0'],
    ],
    ['binary', () => [Buffer.from([0, 255, 254, 1]), Buffer.alloc(60_000, 7)]],
    [
      'events that are none',
      () => [{}, { event: null }, { event: 5 }, { event: {} }, { event: 'x' }, { event: 'pusher:unknown' }],
    ],
    [
      'events of the server’s',
      () => [
        { event: SUCCEEDED, channel: 'chat', data: '{}' },
        { event: 'pusher:error', data: {} },
      ],
    ],
    [
      'subscriptions without sense',
      () => [null, 5, 'x', [], true].map((data) => ({ event: 'pusher:subscribe', data })),
    ],
    [
      'leaving without sense',
      () => [null, 5, 'x', [], {}, { channel: null }].map((data) => ({ event: 'pusher:unsubscribe', data })),
    ],
    [
      'an object for a signature',
      () => [{ event: 'pusher:subscribe', data: { channel: 'private-x', auth: odd } }],
    ],
    [
      'an object for channel data',
      () => [{ event: 'pusher:subscribe', data: { channel: 'presence-x', auth: 'x', channel_data: odd } }],
    ],
    [
      'deep channel data',
      () => [
        `{"event":"pusher:subscribe","data":{"channel":"presence-x","auth":"x","channel_data":${deep}}}`,
      ],
    ],
    ['an object for a channel to leave', () => [{ event: 'pusher:unsubscribe', data: { channel: odd } }]],
    ['a deep channel to leave', () => [`{"event":"pusher:unsubscribe","data":{"channel":${deep}}}`]],
    ['an object for a client event’s channel', () => [{ event: 'client-x', channel: odd, data: {} }]],
    [
      'a deep client event',
      (id) => [
        { event: 'pusher:subscribe', data: { channel: 'private-x', ...signature(SECRET, id, 'private-x') } },
        `{"event":"client-x","channel":"private-x","data":${deep}}`,
      ],
    ],
    [
      'odd presence',
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
          data: { channel: 'presence-y', ...signature(SECRET, id, 'presence-y', data) },
        })),
    ],
    [
      'more than anybody has to say',
      () =>
        Array.from({ length: 3000 }, () => ({ event: 'pusher:subscribe', data: { channel: 'private-x' } })),
    ],
  ]
  test.each(frames)('harms nobody else: %s', async (_, framesFor) => {
    const place = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
    const [other, client] = [await listener(place.url, 'chat'), await connect(place.url)]
    for (const frame of framesFor(client.id))
      client.ws.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame))
    await Promise.race([client.gone, client.sync()])
    await other.sync()
    expect(other.inbox).toEqual([])
    await (await listener(place.url, 'chat')).sync()
    expect(place.logs()).not.toMatch(/"level":(50|60)/)
    expect(await place.stop()).toBe(0)
  })

  test('is answered with an error, on a connection that goes on', async () => {
    const client = await connect(server.url)
    for (const frame of ['{', '[]', '5', '{}', '{"event":5}', '{"event":"x"}', Buffer.from([1, 2])]) {
      client.ws.send(frame)
      expect((await client.take('pusher:error')).data).toEqual({
        code: expect.any(Number),
        message: expect.stringMatching(/\S/),
      })
    }
    await client.sync()
    expect(client.inbox).toEqual([])
  })

  test('of more than 64 kB ends the connection', async () => {
    const [other, exact, large, pieces] = [
      await listener(server.url, 'chat'),
      await connect(server.url),
      await connect(server.url),
      await connect(server.url),
    ]
    exact.ws.send('{"event":"pusher:ping"}'.padEnd(65_536))
    await exact.take('pusher:pong')
    large.ws.send('{"event":"pusher:ping"}'.padEnd(65_537))
    expect((await large.gone).code).toBe(1009)
    for (let n = 0; n < 5; n++) pieces.ws.send('x'.repeat(20_000), { fin: false })
    expect((await pieces.gone).code).toBe(1009)
    await other.sync()
  })
})
