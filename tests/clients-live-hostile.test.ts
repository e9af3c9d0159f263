import { connect as dialPort, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectPusher, connectSubscribed, messagesArrived, realtimeApp } from '#tests/sockets.ts'

/**
 * Starts a POST request, but sends only the first bytes of its body. The returned `goOn` sends the rest, and
 * resolves to the response status.
 */
async function heldBack(url: string, jar: ReadonlyMap<string, string>, path: string, body: object) {
  const { hostname, port, host } = new URL(url)
  const text = JSON.stringify(body)
  const socket = dialPort(Number(port), hostname)
  const cookies = [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const token = decodeURIComponent(jar.get('XSRF-TOKEN')!)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookies}\r\nx-xsrf-token: ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, 5)}`,
  )
  await sleep(300)
  return { goOn: () => status(socket, text.slice(5)) }
}
const status = (socket: Socket, rest: string) =>
  new Promise<number>((resolve) => {
    socket.once('data', (answer) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]))
      socket.destroy()
    })
    socket.write(rest)
  })

describe('a request whose body is delayed', () => {
  test('until its sender is suspended does not authorise a subscription, and closes the socket', async () => {
    const { members, url } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const socket = await connectPusher(url)
    const channel = `presence-user.${Ben.id}`
    const held = await heldBack(url, Ben.jar, '/my-broadcast-auth', {
      socket_id: socket.id,
      channel_name: channel,
    })
    expect((await Ann.put(`/api/admin/users/${Ben.id}/suspension`)).status).toBe(200)
    expect(await held.goOn()).toBe(401)
    expect((await socket.whenClosed).code).toBe(4009)
  })

  test('until its sender is logged out stores nothing', async () => {
    const { members, url } = await realtimeApp()
    const { Ben } = await members('Ann', 'Ben')
    const jar = new Map(Ben.jar)
    const held = await heldBack(url, jar, '/api/posts', { text: 'too late' })
    await sleep(1000)
    await Ben.post('/logout', {})
    expect(await held.goOn()).toBe(401)
    expect((await Ben.get('/api/posts')).body).toEqual([])
  })
})

test('an upgrade to another path gets a 404 and is closed, even if the client keeps its side open', async () => {
  const { url, app } = await realtimeApp()
  const { hostname, port, host } = new URL(url)
  const socket = dialPort({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write(
    `GET /nope HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n`,
  )
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  expect(answer).toMatch(/^HTTP\/1\.1 404/)
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count))))
    .toBe(0)
  socket.destroy()
})

test('a client that sends many messages without reading the answers does not delay other clients', async () => {
  const { members, url, subscribeAs } = await realtimeApp()
  const { Ann, Ben } = await members('Ann', 'Ben')
  const [ann, ben] = [await subscribeAs(Ann, 'presence-club.1'), await subscribeAs(Ben, 'presence-club.1')]
  ben.raw().pause()
  for (let i = 0; i < 490; i++) ben.subscribe('presence-club.1')
  const other = await connectSubscribed(url, 'open')
  await messagesArrived(ann, other)
  expect(other.ws.readyState).toBe(other.ws.OPEN)
})

test('a revocation without a target ends nothing', async () => {
  const { url, realtime } = await realtimeApp()
  const one = await connectSubscribed(url, 'open')
  realtime.revoke({})
  await messagesArrived(one)
  expect(one.ws.readyState).toBe(one.ws.OPEN)
})
