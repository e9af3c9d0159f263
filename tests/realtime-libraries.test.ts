import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Echo from 'laravel-echo'
import Pusher, { type PresenceChannel } from 'pusher-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import type { TestClient } from '#tests/harness.ts'
import { occupiedChannels, realtimeApp } from '#tests/sockets.ts'

const places = (url: string) => {
  const { hostname, port } = new URL(url)
  return {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws' as const],
    disableStats: true,
  }
}
/** Creates a Laravel Echo client. It requests the signatures for private channels as the member `who`. */
function echo(url: string, who?: TestClient) {
  const authorizer = ({ name }: { name: string }) => ({
    authorize: (socketId: string, done: (error: Error | null, data: { auth: string } | null) => void) =>
      who!
        .post('/my-broadcast-auth', { socket_id: socketId, channel_name: name })
        .then(({ status, body }) =>
          status === 200 ? done(null, body) : done(new Error(`Status ${status}`), null),
        ),
  })
  const client = new Echo({ broadcaster: 'pusher', key: 'engawa', Pusher, ...places(url), authorizer })
  onTestFinished(() => client.disconnect())
  return client
}
type Listens = {
  listen(event: string, listener: (data: never) => void): unknown
  subscribed(done: () => void): unknown
}
const subscribed = (to: Listens) => new Promise<void>((resolve) => to.subscribed(resolve))
const next = <T>(begin: (resolveWith: (data: T) => void) => unknown) =>
  new Promise<T>((resolve) => void begin(resolve))

describe('laravel-echo', () => {
  test('listens to public channels', async () => {
    const { url, realtime } = await realtimeApp()
    const channel = echo(url).channel('chat')
    const nextEvent = next((done) => channel.listen('.MessageSent', done))
    await subscribed(channel)
    realtime.broadcast(['chat'], 'MessageSent', { message: 'こんにちは' })
    expect(await nextEvent).toEqual({ message: 'こんにちは' })
  })

  test('joins private channels, sends client events there, and reports refused channels', async () => {
    const { url, realtime, members, guard } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    guard.allows = (_, n) => n === 1
    const [ann, ben] = [echo(url, Ann), echo(url, Ben)]
    const [one, two] = [ann.private('room.1'), ben.private('room.1')]
    const nextEvents = [one, two].map((channel) =>
      next((done) => channel.listen('.PrivateMessageSent', done)),
    )
    await Promise.all([subscribed(one), subscribed(two)])
    realtime.broadcast(['private-room.1'], 'PrivateMessageSent', { id: 7 })
    expect(await Promise.all(nextEvents)).toEqual([{ id: 7 }, { id: 7 }])
    const whispered = next((done) => one.listenForWhisper('typing', done))
    two.whisper('typing', { name: 'Ben' })
    expect(await whispered).toEqual({ name: 'Ben' })

    const closed = await next<{ status: number } & object>((done) => ben.private('room.2').error(done))
    expect(JSON.stringify(closed)).toContain('403')
    const revoked = next<{ status: number }>((done) => two.error(done))
    realtime.revoke({ channel: 'private-room.1', user: Ben.id })
    expect((await revoked).status).toBe(403)
  })

  test('joins presence channels', async () => {
    const { url, members } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [a, b] = [{ name: `Member ${Ann.id}` }, { name: `Member ${Ben.id}` }]
    const one = echo(url, Ann).join('club.1')
    expect(await next((done) => one.here(done))).toEqual([a])
    const [joining, leaving] = [next((done) => one.joining(done)), next((done) => one.leaving(done))]
    const ben = echo(url, Ben)
    const two = ben.join('club.1')
    expect(await next((done) => two.here(done))).toEqual([a, b])
    expect(await joining).toEqual(b)
    const whispered = next((done) => one.listenForWhisper('wave', done))
    two.whisper('wave', { hands: 2 })
    expect(await whispered).toEqual({ hands: 2 })
    ben.leave('club.1')
    expect(await leaving).toEqual(b)
  })
})

describe('pusher-js', () => {
  test('requests authorisation with a form, as it does by default, and does not reconnect after 4009', async () => {
    const { url, members, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    const types: unknown[] = []
    // Starts an HTTP proxy in place of a browser: it adds the cookies that pusher-js does not send outside of
    // a browser.
    const browser = createServer(async (request, response) => {
      types.push(request.headers['content-type'])
      const body = Buffer.concat(await request.toArray())
      const headers = {
        'content-type': String(request.headers['content-type']),
        'x-xsrf-token': String(request.headers['x-xsrf-token']),
        cookie: [...Ann.jar].map((pair) => pair.join('=')).join('; '),
      }
      const answer = await fetch(url + request.url, { method: 'POST', headers, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void browser.close())
    await once(browser, 'listening')
    // Corrects the type of pusher-js, which is a CommonJS module: its types describe a module with a default
    // export, but the import is the class itself.
    const client = new (Pusher as unknown as typeof Pusher.default)('engawa', {
      ...places(url),
      channelAuthorization: {
        transport: 'ajax',
        endpoint: `http://127.0.0.1:${(browser.address() as AddressInfo).port}/my-broadcast-auth`,
        headers: { 'X-XSRF-TOKEN': decodeURIComponent(Ann.jar.get('XSRF-TOKEN')!) },
      },
    })
    onTestFinished(() => client.disconnect())
    const club = client.subscribe('presence-club.1') as PresenceChannel
    await next((done) => club.bind('pusher:subscription_succeeded', done))
    expect([club.members.count, club.members.me.id, club.members.me.info]).toEqual([
      1,
      String(Ann.id),
      { name: `Member ${Ann.id}` },
    ])
    expect(types).toEqual(['application/x-www-form-urlencoded'])
    const unknown = client.subscribe('private-unknown')
    expect(
      await next<{ status: number }>((done) => unknown.bind('pusher:subscription_error', done)),
    ).toMatchObject({ status: 403 })

    const refused = next<{ data?: { code?: number } }>((done) => client.connection.bind('error', done))
    const away = next((done) => client.connection.bind('disconnected', done))
    expect((await Ann.post('/logout')).status).toBe(204)
    expect((await refused).data?.code).toBe(4009)
    await away
    await eventually(async () => expect(await occupiedChannels(realtime)).toEqual([]))
  })
})
