import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSubscribed } from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  createPublisher,
  expectNoDetails,
  expectNoEvent,
  expectPusherError,
  PUSHER_SECRET,
  publisher,
  pusherServer,
  startPusher,
  stopPusher,
  uniqueChannel,
} from '#tests/pusher-http-api.ts'

beforeAll(startPusher)
afterAll(stopPusher)

describe('a server’s request is refused', () => {
  const signed = (
    method: string,
    path: string,
    body: string,
    { secret = PUSHER_SECRET, ago = 0, ...more }: Record<string, string | number> = {},
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
    return `${pusherServer.url}${path}?${text}&auth_signature=${by}`
  }
  const EVENTS = '/apps/42/events'
  const post = async (url: string, body: string) => {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    if (!answer.ok) expectNoDetails(text)
    return answer.status
  }
  const event = (channel: string, more: object = {}) =>
    JSON.stringify({ name: 'Said', data: '{}', channel, ...more })

  test('with 401 for a signature that is wrong, old, or made for another body', async () => {
    const name = uniqueChannel()
    const client = await connectSubscribed(pusherServer.url, name)
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
      pusherServer.url + EVENTS,
    ]
    for (const url of wrong) expect(await post(url, body), url).toBe(401)
    expect(await post(good, event(uniqueChannel()))).toBe(401)
    expect(await expectPusherError(createPublisher({ secret: 'another' }).trigger(name, 'Said', {}))).toBe(
      401,
    )
    expect(await expectPusherError(createPublisher({ secret: 'another' }).get({ path: '/channels' }))).toBe(
      401,
    )
    await expectNoEvent(client)
    expect(await post(good, body)).toBe(200)
    await client.nextMessage('Said')
  })

  test('with 404 for another app id or an unknown path', async () => {
    expect(await expectPusherError(createPublisher({ appId: '43' }).trigger('chat', 'Said', {}))).toBe(404)
    expect(await expectPusherError(createPublisher({ appId: 'engawa' }).get({ path: '/channels' }))).toBe(404)
    expect(await expectPusherError(publisher.get({ path: '/nothing' }))).toBe(404)
  })

  test('with 413 beyond 10 kB of data', async () => {
    const name = uniqueChannel()
    const client = await connectSubscribed(pusherServer.url, name)
    expect(await expectPusherError(publisher.trigger(name, 'Said', 'x'.repeat(10_241)))).toBe(413)
    expect(await expectPusherError(publisher.trigger(name, 'Said', 'あ'.repeat(3500)))).toBe(413)
    expect(
      await expectPusherError(
        publisher.triggerBatch([
          { channel: name, name: 'Said', data: {} },
          { channel: name, name: 'Said', data: 'x'.repeat(10_241) },
        ]),
      ),
    ).toBe(413)
    expect(await expectPusherError(publisher.trigger(name, 'Said', 'x'.repeat(2 ** 21)))).toBe(413)
    await expectNoEvent(client)
    await publisher.trigger(name, 'Said', 'x'.repeat(10_240))
    expect((await client.nextMessage('Said')).data).toHaveLength(10_240)
  })

  test('with 400 for an invalid event, and no event of the request is sent', async () => {
    const name = uniqueChannel()
    const client = await connectSubscribed(pusherServer.url, name)
    const wrong = [
      '{',
      '[]',
      'null',
      '5',
      '{}',
      event(name, { name: undefined }),
      event(name, { name: 5 }),
      event(name, { name: '' }),
      event(name, { name: 'x'.repeat(201) }),
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
    for (const body of [...wrong, ...more, ...lists, many])
      expect(await post(signed('POST', EVENTS, body), body), body.slice(0, 80)).toBe(400)
    const BATCH = '/apps/42/batch_events'
    const one = { name: 'Said', data: '{}', channel: name }
    const batches = [
      {},
      { batch: one },
      { batch: [one, { ...one, channel: 'a b' }] },
      { batch: Array(11).fill(one) },
    ]
    for (const batch of batches) {
      const body = JSON.stringify(batch)
      expect(await post(signed('POST', BATCH, body), body), body.slice(0, 80)).toBe(400)
    }
    await expectNoEvent(client)
  })

  test('with a message that gives the reason', async () => {
    for (const body of [
      '{',
      '{}',
      event(uniqueChannel(), { name: 5 }),
      event(uniqueChannel(), { name: '' }),
      event('a b'),
      event(uniqueChannel(), { socket_id: 'x' }),
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

  test('with the name of the field, also inside a list', async () => {
    for (const [field, body] of [
      ['channels', event(uniqueChannel(), { channels: ['fine', 'a b'] })],
      ['channel', event('a b')],
      ['socket_id', event(uniqueChannel(), { socket_id: 'x' })],
    ] as const) {
      const answer = await fetch(signed('POST', EVENTS, body), { method: 'POST', body })
      expect(Object.keys((await answer.json()).errors)).toEqual([field])
    }
  })

  test('not for a missing cookie or token, and the response sets no cookie', async () => {
    const answer = await fetch(signed('GET', '/apps/42/channels', ''))
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
  })
})
