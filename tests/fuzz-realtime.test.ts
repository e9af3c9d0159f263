import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { expectValidAnswer, fuzz } from '#tests/fuzz.ts'
import { unusualJson } from '#tests/fuzz-json.ts'
import { messagesArrived, realtimeApp } from '#tests/sockets.ts'

vi.setConfig({ testTimeout: 600_000 })

const channelNames = fc.oneof(
  fc.constantFrom(
    'posts',
    'chat',
    'presence-here',
    'private-room.1',
    'presence-club.1',
    'private-chat.1.2',
    'presence-user.1',
    'private-',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    ' ',
    'private-chat.2.1',
    'private-chat.1.1',
    `private-chat.1.${'9'.repeat(30)}`,
    'presence-user.0',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'x'.repeat(201),
    'a\nb',
    'a b',
    'presence-user.1\n',
    'private-encrypted-x',
    '#server-to-user-1',
    '👍',
  ),
)
/**
 * Generates names of Pusher events. `pusher:signin` is not among them, because an invalid sign-in closes the
 * connection.
 */
const events = fc.oneof(
  fc.constantFrom(
    'pusher:ping',
    'pusher:pong',
    'pusher:subscribe',
    'pusher:subscribe',
    'pusher:unsubscribe',
    'pusher:error',
  ),
  fc.constantFrom(
    'client-typing',
    'client-',
    'client-x'.repeat(100),
    'pusher_internal:subscription_succeeded',
    'MessageSent',
    '',
    '__proto__',
  ),
)
const quoted = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((text) => JSON.stringify(text))
const orHostile = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: unusualJson })
const object = (fields: Record<string, fc.Arbitrary<string>>) =>
  fc
    .record(fields, { requiredKeys: [] })
    .map((given) => `{${Object.entries(given).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`)
const data = object({
  channel: orHostile(quoted(channelNames)),
  auth: orHostile(fc.constantFrom('"engawa:00"', '""', '":"')),
  channel_data: orHostile(fc.constantFrom('"{\\"user_id\\":\\"1\\"}"', '"{"', '"null"')),
})
const frames = fc.oneof(
  object({
    event: orHostile(quoted(events)),
    data: orHostile(fc.oneof(data, quoted(data))),
    channel: orHostile(quoted(channelNames)),
  }),
  unusualJson,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    'null',
    '[]',
    '{',
    `{"event":"client-x","channel":"presence-club.1","data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  ),
)

describe('random messages on a socket', () => {
  test('are answered according to the protocol, and other clients still receive everything', async () => {
    const testApp = await realtimeApp()
    const { Ann, Ben } = await testApp.members('Ann', 'Ben')
    const faults = vi.spyOn(testApp.app.log, 'error')
    const witness = await testApp.subscribeAs(Ben, 'presence-club.1')
    await fuzz(
      fc.asyncProperty(
        fc.array(fc.tuple(frames, fc.boolean()), { minLength: 1, maxLength: 10 }),
        async (said) => {
          const client = await testApp.subscribeAs(Ann, 'presence-club.1')
          for (const [frame, binary] of said) client.ws.send(frame, { binary })
          await client.sync()
          for (const { event, data } of client.inbox.splice(0)) {
            expect(event).toMatch(
              /^(pusher:(error|pong|subscription_error)|pusher_internal:(subscription_(succeeded|count)|member_(added|removed)))$/,
            )
            if (event === 'pusher:error')
              expect(data).toEqual({ code: expect.any(Number), message: expect.stringMatching(/\S/) })
          }
          client.ws.close()
          await messagesArrived(witness)
          expect(faults.mock.calls.splice(0)).toEqual([])
        },
      ),
      { share: 4 },
    )
    testApp.realtime.broadcast(['presence-club.1'], 'Said', { still: 'here' })
    expect(await witness.nextMessage('Said')).toMatchObject({ data: { still: 'here' } })
  })
})

describe('random requests of another server', () => {
  const key = 'engawa'
  const paths = fc.oneof(
    fc.constantFrom(
      '/events',
      '/events',
      '/batch_events',
      '/batch_events',
      '/channels',
      '/channels/posts',
      '/channels/presence-here/users',
    ),
    fc.constantFrom(
      '/channels/%ff',
      '/channels/__proto__',
      `/channels/${'x'.repeat(300)}`,
      '/channels//users',
      '/channels/presence-%00/users',
    ),
  )
  const event = object({
    name: orHostile(quoted(events)),
    data: orHostile(quoted(fc.string())),
    channel: orHostile(quoted(channelNames)),
    channels: orHostile(fc.array(quoted(channelNames), { maxLength: 4 }).map((list) => `[${list}]`)),
    socket_id: orHostile(fc.constant('"1.1"')),
    info: orHostile(fc.constantFrom('"user_count"', '"subscription_count,user_count"', '"x"')),
  })
  const bodies = fc.oneof(
    event,
    fc.array(event, { maxLength: 12 }).map((list) => `{"batch":[${list}]}`),
    unusualJson,
    fc.string({ maxLength: 30 }),
  )
  const info = (value: string): [string, string] => ['info', value]
  const queries = fc.array(
    fc.tuple(
      fc.constantFrom('info', 'info', 'filter_by_prefix', 'auth_key', 'AUTH_TIMESTAMP', '__proto__', 'x'),
      fc.constantFrom(
        'user_count',
        'presence-',
        'subscription_count,user_count',
        '',
        '%',
        'a=b&c',
        'x'.repeat(300),
      ),
    ),
    { maxLength: 4 },
  )

  test('get a valid response or a standard error, signed and unsigned', async () => {
    const { app, config } = await realtimeApp()
    const faults = vi.spyOn(app.log, 'error')
    const ask = fc.record({
      method: fc.constantFrom('GET', 'POST'),
      path: paths,
      body: bodies,
      more: queries,
      signed: fc.boolean(),
    })
    const twice = {
      method: 'GET',
      path: '/channels/posts',
      body: '',
      more: [info('user_count'), info('x')],
      signed: true,
    }
    await fuzz(
      fc.asyncProperty(ask, async ({ method, path, body: given, more, signed }) => {
        const body = method === 'POST' ? given : ''
        const url = `/apps/engawa${path}`
        const md5 = createHash('md5').update(body).digest('hex')
        const query = [
          ...more,
          ['auth_key', key],
          ['auth_timestamp', String(Math.floor(Date.now() / 1000))],
          ['auth_version', '1.0'],
          ['body_md5', md5],
        ]
        const merged = new Map<string, string[]>()
        for (const [name, value] of query as [string, string][])
          merged.set(name, [...(merged.get(name) ?? []), value])
        // Signs the query as the server does: if a name occurs twice, its values are joined with commas.
        const pairs = [...merged].map(([name, list]) => [name.toLowerCase(), list.join(',')] as const)
        const text = pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join('='))
        const signature = createHmac('sha256', config.PUSHER_APP_SECRET)
          .update([method, url, text.join('&')].join('\n'))
          .digest('hex')
        const asked = new URLSearchParams([
          ...(query as [string, string][]),
          ['auth_signature', signed ? signature : '00'],
        ])
        const answer = await app.inject({
          method: method as 'GET',
          url: `${url}?${asked}`,
          ...(body && { payload: body, headers: { 'content-type': 'application/json' } }),
        })
        expectValidAnswer({ status: answer.statusCode, body: answer.json() })
        expect(faults.mock.calls.splice(0)).toEqual([])
      }),
      { share: 10, examples: [[twice]] },
    )
  })

  test('are limited only when they are not signed', async () => {
    const { app, config } = await realtimeApp({ env: { RATE_LIMIT: 'on' } })
    const post = (query: string) =>
      app.inject({ method: 'POST', url: `/apps/engawa/events${query}`, payload: '{}' })
    const first = await Promise.all(Array.from({ length: 100 }, () => post('')))
    expect(new Set(first.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
    for (let sent = 0; sent < 6000; sent += 500)
      await Promise.all(Array.from({ length: 500 }, () => post('')))
    const refused = await post('')
    expectValidAnswer({ status: refused.statusCode, body: refused.json() })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])

    const query = `auth_key=engawa&auth_timestamp=${Math.floor(Date.now() / 1000)}&auth_version=1.0&body_md5=${createHash('md5').update('{}').digest('hex')}`
    const signature = createHmac('sha256', config.PUSHER_APP_SECRET)
      .update(['POST', '/apps/engawa/events', query].join('\n'))
      .digest('hex')
    expect((await post(`?${query}&auth_signature=${signature}`)).statusCode).toBe(400)
  })
})
