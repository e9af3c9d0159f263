import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectPusher, connectSubscribed, type PusherClient } from '#tests/sockets.ts'
import '#tests/sanctum.ts'
import {
  expectJson,
  PUSHER_SECRET,
  publisher,
  pusherServer,
  startPusher,
  stopPusher,
  uniqueChannel,
} from '#tests/pusher-http-api.ts'

beforeAll(startPusher)
afterAll(stopPusher)

/** Signs a request, and returns a function that sends it. `write` changes how its query is written. */
function sign(call: string, content: object, more: Record<string, string> = {}) {
  const body = JSON.stringify(content)
  const path = `/apps/42/${call}`
  const query = Object.entries({
    auth_key: 'engawa',
    auth_timestamp: String(Math.floor(Date.now() / 1000)),
    auth_version: '1.0',
    body_md5: createHash('md5').update(body).digest('hex'),
    ...more,
  }).map((pair) => pair.join('='))
  const text = ['POST', path, query.join('&')].join('\n')
  const signature = createHmac('sha256', PUSHER_SECRET).update(text).digest('hex')
  return async (write = (pairs: string[]) => pairs) => {
    const pairs = write([...query, `auth_signature=${signature}`])
    const answer = await fetch(`${pusherServer.url}${path}?${pairs.join('&')}`, {
      method: 'POST',
      body,
    })
    return { status: answer.status, body: await answer.json() }
  }
}
const listen = (name: string) => connectSubscribed(pusherServer.url, name)

/** Returns the data of the events `Said` that the client has received. */
async function heard(client: PusherClient) {
  await client.sync()
  return client.received('Said').map(({ data }) => data)
}

describe('a signed request that is sent again', () => {
  test('gets the same answer, and its events are not delivered again', async () => {
    const name = uniqueChannel()
    const client = await listen(name)
    const event = { name: 'Said', channel: name, data: '{"n":1}', info: 'subscription_count' }
    const single = sign('events', event)
    const batch = sign('batch_events', { batch: [{ ...event, data: '{"n":2}' }] })
    for (const send of [single, batch]) {
      const first = await send()
      expect(first).toMatchObject({ status: 200, body: { [send === single ? 'channels' : 'batch']: {} } })
      for (const write of [
        undefined,
        (pairs: string[]) => pairs.toReversed(),
        (pairs: string[]) => [
          ...pairs.slice(0, -1),
          pairs.at(-1)!.replace(/=.*/, (hex) => hex.toUpperCase()),
        ],
        (pairs: string[]) => [...pairs.slice(0, -1), `${pairs.at(-1)}zz`],
      ])
        expect(await send(write)).toEqual(first)
    }
    expect(await heard(client)).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('is delivered once, also if it arrives twice at the same moment', async () => {
    const name = uniqueChannel()
    const client = await listen(name)
    const send = sign('events', { name: 'Said', channel: name, data: '{}' })
    for (const { status } of await Promise.all([send(), send(), send()])) expect(status).toBe(200)
    expect(await heard(client)).toEqual([{}])
  })

  test('closes no connection that was opened since', async () => {
    const signedIn = async () => {
      const client = await connectPusher(pusherServer.url)
      client.send('pusher:signin', publisher.authenticateUser(client.id, { id: 'cleo' }))
      await client.nextMessage('pusher:signin_success')
      return client
    }
    const terminate = sign('users/cleo/terminate_connections', {})
    const before = await signedIn()
    expect((await terminate()).status).toBe(200)
    await before.whenClosed
    const since = await signedIn()
    expect((await terminate()).status).toBe(200)
    await since.sync()
  })
})

test('an equal event is delivered again if its request is another one', async () => {
  const name = uniqueChannel()
  const client = await listen(name)
  const event = { name: 'Said', channel: name, data: '{}' }
  for (const nonce of ['1', '2']) expect((await sign('events', event, { nonce })()).status).toBe(200)
  const now = Date.now()
  for (const ago of [2000, 1000]) {
    vi.useFakeTimers({ toFake: ['Date'], now: now - ago })
    onTestFinished(() => void vi.useRealTimers())
    await expectJson(publisher.trigger(name, 'Said', {}))
  }
  expect(await heard(client)).toHaveLength(4)
})

test('Pusher’s library may send two equal events in a second: both are answered, one is delivered', async () => {
  const name = uniqueChannel()
  const client = await listen(name)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  for (const data of [{}, {}, { id: 2 }])
    expect(await expectJson(publisher.trigger(name, 'Said', data))).toEqual({})
  expect(await heard(client)).toEqual([{}, { id: 2 }])
})
