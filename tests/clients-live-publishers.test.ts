import { createHash, createHmac } from 'node:crypto'
import Publisher from 'pusher'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Server, startServer } from '#tests/server.ts'
import { type Client, connect, listener, signature } from '#tests/sockets.ts'
import '#tests/sanctum.ts'

const SECRET = 'a secret of some length'
const APP = { PUSHER_APP_ID: '42', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
let server: Server
let api: Publisher
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', ...APP })
  api = publisher()
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

function publisher(more: Partial<Publisher.BaseOptions> = {}) {
  const { hostname, port } = new URL(server.url)
  return new Publisher({
    appId: '42',
    key: 'engawa',
    secret: SECRET,
    host: hostname,
    port,
    useTLS: false,
    ...more,
  })
}
/** Each test has channels of its own on the one server. */
let places = 0
const fresh = (name = '') => `${name}place.${++places}`

const presence = (name: string, user: string, info: object = {}) =>
  listener(server.url, name, (id) =>
    api.authorizeChannel(id, name, { user_id: user, user_info: info as Record<string, unknown> }),
  )
const jsonOf = async (answer: Promise<Publisher.Response>) => {
  const got = await answer
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toMatch(/^application\/json/)
  return got.json()
}
const read = (path: string, params: Publisher.Params = {}) => jsonOf(api.get({ path, params }))
/** What the library makes of a refusal: its status and body. */
const refused = async (answer: Promise<unknown>) => {
  const error = (await answer.then(
    () => expect.unreachable('It was accepted'),
    (given: unknown) => given,
  )) as Publisher.RequestError
  expectNoLeak(error.body!)
  return error.status
}
function expectNoLeak(body: string) {
  expect(JSON.parse(body).message).toMatch(/\S/)
  expect(body).not.toMatch(/node_modules|\.ts\b|FST_|sqlite|\/work\/|Error:|\bat \S+ \(/i)
}
const silence = async (client: Client, event = 'Said') => {
  await client.sync()
  expect(client.heard(event)).toEqual([])
}

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
    const mark = `presence-mark${++places}`
    const clients = [
      await presence(`${mark}.one`, 'a'),
      await presence(`${mark}.one`, 'b'),
      await presence(`${mark}.two`, 'a'),
    ]
    const open = await listener(server.url, fresh())
    expect(await read('/channels', { filter_by_prefix: mark })).toEqual({
      channels: { [`${mark}.one`]: {}, [`${mark}.two`]: {} },
    })
    const counted = await read('/channels', { filter_by_prefix: mark, info: 'user_count' })
    expect(counted).toEqual({
      channels: { [`${mark}.one`]: { user_count: 2 }, [`${mark}.two`]: { user_count: 1 } },
    })
    expect(Object.keys((await read('/channels')).channels)).toEqual(
      expect.arrayContaining([`${mark}.one`, `place.${places}`]),
    )
    expect(await read('/channels', { filter_by_prefix: 'nothing-' })).toEqual({ channels: {} })
    expect(await refused(api.get({ path: '/channels', params: { info: 'user_count' } }))).toBe(422)
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
    expect(await refused(api.get({ path: `/channels/${open}`, params: { info: 'user_count' } }))).toBe(422)
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
    expect(await refused(api.get({ path: `/channels/${fresh()}/users` }))).toBe(422)
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

describe('a server is refused', () => {
  const signed = (
    method: string,
    path: string,
    body: string,
    { secret = SECRET, ago = 0, ...more }: Record<string, string | number> = {},
  ) => {
    const now = Math.floor(Date.now() / 1000) - Number(ago)
    const query: Record<string, string | number> = {
      auth_key: 'engawa',
      auth_timestamp: now,
      auth_version: '1.0',
      ...more,
    }
    if (body && !('body_md5' in query)) query.body_md5 = createHash('md5').update(body).digest('hex')
    const text = Object.keys(query)
      .sort()
      .map((key) => `${key}=${query[key]}`)
      .join('&')
    const by = createHmac('sha256', String(secret)).update([method, path, text].join('\n')).digest('hex')
    return `${server.url}${path}?${text}&auth_signature=${by}`
  }
  const EVENTS = '/apps/42/events'
  const post = async (url: string, body: string) => {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    if (!answer.ok) expectNoLeak(text)
    return answer.status
  }
  const event = (channel: string, more: object = {}) =>
    JSON.stringify({ name: 'Said', data: '{}', channel, ...more })

  test('with 401 where its signature is not right, or old, or of another body', async () => {
    const name = fresh()
    const client = await listener(server.url, name)
    const body = event(name)
    const good = signed('POST', EVENTS, body)
    const wrong = [
      signed('POST', EVENTS, body, { secret: 'another' }),
      signed('POST', EVENTS, body, { ago: 3600 }),
      signed('POST', EVENTS, body, { ago: -3600 }),
      signed('POST', EVENTS, body, { auth_timestamp: 'now' }),
      signed('POST', EVENTS, body, { auth_key: 'other' }),
      signed('POST', EVENTS, body, { body_md5: '0'.repeat(32) }),
      signed('POST', EVENTS, ''),
      signed('GET', EVENTS, body),
      signed('POST', '/apps/42/batch_events', body).replace('batch_events', 'events'),
      good.slice(0, -1),
      good.replace(/auth_signature=.*/, ''),
      good.replace(/auth_signature=.*/, 'auth_signature=zz'),
      `${good}&more=1`,
      `${good}&auth_signature=${'0'.repeat(64)}`,
      server.url + EVENTS,
    ]
    for (const url of wrong) expect(await post(url, body), url).toBe(401)
    expect(await post(good, event(fresh()))).toBe(401)
    expect(await refused(publisher({ secret: 'another' }).trigger(name, 'Said', {}))).toBe(401)
    expect(await refused(publisher({ secret: 'another' }).get({ path: '/channels' }))).toBe(401)
    await silence(client)
    expect(await post(good, body)).toBe(200)
    await client.take('Said')
  })

  test('with 404 where it names another app', async () => {
    expect(await refused(publisher({ appId: '43' }).trigger('chat', 'Said', {}))).toBe(404)
    expect(await refused(publisher({ appId: 'engawa' }).get({ path: '/channels' }))).toBe(404)
    expect(await refused(api.get({ path: '/nothing' }))).toBe(404)
  })

  test('with 413 beyond 10 kB of data', async () => {
    const name = fresh()
    const client = await listener(server.url, name)
    expect(await refused(api.trigger(name, 'Said', 'x'.repeat(10_241)))).toBe(413)
    expect(await refused(api.trigger(name, 'Said', 'あ'.repeat(3500)))).toBe(413)
    expect(
      await refused(
        api.triggerBatch([
          { channel: name, name: 'Said', data: {} },
          { channel: name, name: 'Said', data: 'x'.repeat(10_241) },
        ]),
      ),
    ).toBe(413)
    expect(await refused(api.trigger(name, 'Said', 'x'.repeat(2 ** 21)))).toBe(413)
    await silence(client)
    await api.trigger(name, 'Said', 'x'.repeat(10_240))
    expect((await client.take('Said')).data).toHaveLength(10_240)
  })

  test('with 422 where its body is not an event, and then nothing leaves', async () => {
    const name = fresh()
    const client = await listener(server.url, name)
    const wrong = [
      '{',
      '[]',
      'null',
      '5',
      '{}',
      event(name, { name: undefined }),
      event(name, { name: 5 }),
      event(name, { data: { a: 1 } }),
    ]
    const more = [
      event(name, { channel: undefined }),
      event('a b'),
      event(''),
      event('x'.repeat(201)),
      event(name, { socket_id: 'abc' }),
    ]
    const lists = [
      event(name, { channels: 'x' }),
      event(name, { channels: [name, 'a b'] }),
      event(name, { channel: undefined, channels: [] }),
    ]
    const many = event(name, { channels: Array.from({ length: 101 }, (_, n) => `c${n}`) })
    for (const body of [...wrong, ...more, ...lists, many, event(name, { info: 'user_count' })])
      expect(await post(signed('POST', EVENTS, body), body), body.slice(0, 80)).toBe(422)
    const BATCH = '/apps/42/batch_events'
    const one = { name: 'Said', data: '{}', channel: name }
    const batches = [
      {},
      { batch: one },
      { batch: [one, { ...one, channel: 'a b' }] },
      { batch: [one, { ...one, info: 'user_count' }] },
      { batch: Array(11).fill(one) },
    ]
    for (const batch of batches) {
      const body = JSON.stringify(batch)
      expect(await post(signed('POST', BATCH, body), body), body.slice(0, 80)).toBe(422)
    }
    await silence(client)
  })

  test('with a sentence that says why', async () => {
    for (const body of [
      '{',
      '{}',
      event(fresh(), { name: 5 }),
      event(fresh(), { name: '' }),
      event('a b'),
      event(fresh(), { socket_id: 'x' }),
    ]) {
      const answer = await fetch(signed('POST', EVENTS, body), { method: 'POST', body })
      const { message, errors } = (await answer.json()) as {
        message: string
        errors: Record<string, string[]>
      }
      expect([message], body).toEqual(Object.values(errors)[0])
      expect(message, body).toMatch(/^[A-Z].* .*\.$/)
    }
  })

  test('but needs no cookie and no token, and is given none', async () => {
    const answer = await fetch(signed('GET', '/apps/42/channels', ''))
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
  })
})
