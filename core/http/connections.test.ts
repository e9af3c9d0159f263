import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { eventually } from '#tests/eventually.ts'
import { countFor } from './connection-owners.ts'
import { limitConnections, limitProxied } from './connections.ts'
import type { MemberOf } from './rate-limits.ts'

const on = { RATE_LIMIT: true, TRUST_PROXY: [] as string[] }
const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function serve(
  limits: Parameters<typeof limitConnections>[2],
  handler: RequestListener = (_, response) => response.end('fine'),
  config = on,
) {
  const server = createServer(handler)
  limitConnections(server, config, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { server, port }
}

async function dial(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/**
 * Sends a request for a test. Resolves to the first bytes that arrive, or to an empty text when the
 * connection ends.
 */
const asked = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)))
    socket.once('close', () => resolve(''))
    socket.write(REQUEST)
  })
const count = (server: { getConnections(done: (error: Error | null, count: number) => void): void }) =>
  new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))

describe('a connection', () => {
  const huge = Buffer.alloc(30 * 2 ** 20)

  test('ends when its client stops reading the response', async () => {
    const { server, port } = await serve({ stalledAfter: 200 }, (_, response) => response.end(huge))
    const socket = await dial(port)
    socket.pause().write(REQUEST)
    await once(server, 'request')
    await eventually(async () => expect(await count(server)).toBe(0))
  })

  test('stays while its client reads slowly', async () => {
    const { port } = await serve({ stalledAfter: 500 }, (_, response) => response.end(huge))
    const socket = await dial(port)
    let read = 0
    socket.on('data', (data) => {
      read += data.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    socket.write(REQUEST)
    await eventually(() => expect(read).toBeGreaterThan(huge.length))
  })

  test('stays while the server prepares the response, and as a WebSocket', async () => {
    const { server, port } = await serve({ stalledAfter: 50 }, (_, response) =>
      setTimeout(() => response.end('late'), 400),
    )
    new WebSocketServer({ server })
    const client = new WebSocket(`ws://127.0.0.1:${port}`)
    onTestFinished(() => client.terminate())
    await once(client, 'open')
    expect(await asked(await dial(port))).toContain('late')
    expect(client.readyState).toBe(WebSocket.OPEN)
  })
})

describe('the connections of an address', () => {
  const never = () => {}
  const isOpen = async (socket: Socket) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return !socket.readableEnded && !socket.destroyed
  }

  test('are limited: the oldest idle connection is closed to make room', async () => {
    const { server, port } = await serve({ maxPerAddress: 3 })
    new WebSocketServer({ server })
    const client = new WebSocket(`ws://127.0.0.1:${port}`)
    onTestFinished(() => client.terminate())
    await once(client, 'open')
    const [silent, served] = [await dial(port), await dial(port)]
    for (const socket of [silent, served]) socket.resume()
    expect(await asked(served)).toContain('fine')
    expect(await asked(await dial(port))).toContain('fine')
    expect([await isOpen(silent), await isOpen(served), client.readyState]).toEqual([false, true, 1])
    expect(await asked(await dial(port))).toContain('fine')
    expect([await isOpen(served), client.readyState]).toEqual([false, 1])
  })

  test('that are in use stay open; a new one is closed, and another address is served', async () => {
    const { server, port } = await serve({ maxPerAddress: 3 }, (request, response) =>
      request.socket.remoteAddress === '127.0.0.1' ? never() : response.end('fine'),
    )
    const busy = [await dial(port), await dial(port), await dial(port)]
    for (const socket of busy) {
      socket.resume().write(REQUEST)
      await once(server, 'request')
    }
    expect(await asked(await dial(port))).toBe('')
    expect(await Promise.all(busy.map(isOpen))).toEqual([true, true, true])
    expect(await asked(await dial(port, '127.0.0.2'))).toContain('fine')
    busy[0]!.destroy()
    await eventually(async () => expect(await count(server)).toBe(3))
    const next = await dial(port)
    expect(await isOpen(next)).toBe(true)
  })

  test('that were in use for long make room for a new one, but not those of a member', async () => {
    const { server, port } = await serve({ maxPerAddress: 2, replaceableAfter: 0 }, never)
    const open = async () => {
      const socket = (await dial(port)).resume()
      socket.write(REQUEST)
      const [request] = (await once(server, 'request')) as [IncomingMessage]
      return { socket, request }
    }
    const [member, oldest, newest] = [await open(), await open(), await open()]
    expect(await Promise.all([member, oldest, newest].map(({ socket }) => isOpen(socket)))).toEqual([
      false,
      true,
      true,
    ])
    countFor(oldest.request.socket, 'member 7')
    const next = [await open(), await open()]
    expect(await isOpen(oldest.socket)).toBe(true)
    expect(await isOpen(newest.socket)).toBe(false)
    expect(await isOpen(next[1]!.socket)).toBe(true)
  })

  test('are not limited for a trusted proxy or with RATE_LIMIT=off', async () => {
    for (const config of [
      { RATE_LIMIT: true, TRUST_PROXY: ['127.0.0.1'] },
      { RATE_LIMIT: false, TRUST_PROXY: [] },
    ]) {
      const { server, port } = await serve({ maxPerAddress: 3 }, never, config)
      for (let n = 0; n < 6; n++) (await dial(port)).write(REQUEST)
      await eventually(async () => expect(await count(server)).toBe(6))
    }
  })
})

test('concurrent requests of an address are limited behind a proxy', async () => {
  const TRUST_PROXY = ['127.0.0.1']
  const app = Fastify({ trustProxy: TRUST_PROXY })
  const memberOf: MemberOf = async ({ headers }) => Number(headers.cookie) || null
  limitProxied(app, { RATE_LIMIT: true, TRUST_PROXY }, memberOf, { maxPerAddress: 2 })
  let answer = () => {}
  const gate = new Promise<void>((resolve) => {
    answer = resolve
  })
  app.get('/slow', () => gate.then(() => 'fine'))
  app.get('/', () => 'fine')
  onTestFinished(() => app.close())
  const get = async (url: string, address: string, cookie = '') =>
    (await app.inject({ url, headers: { 'x-forwarded-for': address, cookie } })).statusCode
  const slow = [get('/slow', '192.0.2.1'), get('/slow', '192.0.2.1')]
  await eventually(async () => expect(await get('/', '192.0.2.1')).toBe(429))
  expect(await get('/', '192.0.2.2')).toBe(200)
  const ofMember = [get('/slow', '192.0.2.1', '7'), get('/slow', '192.0.2.1', '7')]
  await eventually(async () => expect(await get('/', '192.0.2.1', '7')).toBe(429))
  expect(await get('/', '192.0.2.1', '8')).toBe(200)
  answer()
  expect(await Promise.all([...slow, ...ofMember])).toEqual([200, 200, 200, 200])
  await eventually(async () => expect(await get('/', '192.0.2.1')).toBe(200))
})
