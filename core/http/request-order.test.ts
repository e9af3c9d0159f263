import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { compressResponses } from './compression.ts'
import { fairQueueHooks, keepPipelineOrder } from './request-order.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Creates a promise, and the function that resolves it. A test uses it to hold a request back. */
const createGate = () => Promise.withResolvers<void>()

async function listen(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
}

/** Resolves when the next connection to the app under test has closed, with or without an error. */
const nextToClose = (app: FastifyInstance) =>
  new Promise<void>((resolve) =>
    app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve())),
  )

/**
 * Resolves to the text that the client has received when it matches `enough`, or when the connection closes.
 */
const received = (socket: Socket, enough: RegExp) =>
  new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data
      if (enough.test(text)) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })

describe('pipelined requests', () => {
  /**
   * Starts an app for a test with keepPipelineOrder. `seen` records the path of each request when
   * the app begins to handle it.
   */
  async function serve(handler: (path: string) => unknown, maxPipelined?: number) {
    const app = Fastify({ forceCloseConnections: true })
    const seen: string[] = []
    keepPipelineOrder(app, maxPipelined)
    app.addHook('onRequest', async ({ url }) => void seen.push(url))
    app.addHook('onResponse', async ({ url, raw }) => void (url === '/last' && raw.socket.destroy()))
    app.get('/*', async ({ url }) => handler(url))
    const dial = await listen(app)
    /**
     * Returns the paths of the requests that the app under test has begun to handle. Before that, waits for
     * five responses on other connections, so that every request that may begin has begun.
     */
    const laterRequests = async () => {
      for (const n of range(5)) {
        const other = await dial()
        other.write(get(`/other/${n}`))
        expect(await received(other, /200 OK/)).toMatch(/200 OK/)
      }
      return seen.filter((path) => !path.startsWith('/other'))
    }
    return { app, dial, seen, laterRequests }
  }

  test('are answered in order, one at a time', async () => {
    let running = 0
    const { dial } = await serve(async (path) => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, path === '/1' ? 50 : 1))
      running--
      return `answer ${path};`
    })
    const socket = await dial()
    socket.write(
      range(20)
        .map((n) => get(`/${n}`))
        .join(''),
    )
    const text = await received(socket, /answer \/19;/)
    expect([...text.matchAll(/answer \/(\d+);/g)].map(([, n]) => Number(n))).toEqual(range(20))
  })

  test('do not run while the client reads nothing of the first response', async () => {
    const huge = 'x'.repeat(30 * 2 ** 20)
    const { app, dial, seen, laterRequests } = await serve((path) => (path === '/huge' ? huge : 'fine'))
    const connection = once(app.server, 'connection')
    const socket = await dial()
    socket.pause().write(get('/huge').repeat(24))
    await eventually(() => expect(seen).toContain('/huge'))
    expect(await laterRequests()).toEqual(['/huge'])
    const [serverSocket] = (await connection) as [Socket]
    // The test closes the connection, as the server does with a client that never reads.
    serverSocket.destroy()
    await once(serverSocket, 'close')
    expect(await laterRequests()).toEqual(['/huge'])
  })

  test('do not run after their connection has closed', async () => {
    const gate = createGate()
    const { app, dial, seen, laterRequests } = await serve((path) =>
      path === '/slow' ? gate.promise.then(() => 'late') : 'fine',
    )
    const closed = nextToClose(app)
    const socket = await dial()
    socket.write(get('/slow') + get('/next').repeat(5))
    await eventually(() => expect(seen).toEqual(['/slow']))
    socket.destroy()
    await closed
    gate.resolve()
    expect(await laterRequests()).toEqual(['/slow'])
    const last = await dial()
    last.write(get('/last') + get('/next').repeat(5))
    await received(last, /$^/)
    expect(await laterRequests()).toEqual(['/slow', '/last'])
  })

  test('are limited: the connection closes beyond the maximum', async () => {
    const gate = createGate()
    const { dial } = await serve(() => gate.promise.then(() => 'fine;'), 3)
    const [allowed, over] = [await dial(), await dial()]
    allowed.write(get('/').repeat(4))
    over.write(get('/').repeat(5))
    expect(await received(over, /fine;/)).toBe('')
    const answers = received(allowed, /(fine;.*){4}/s)
    gate.resolve()
    expect((await answers).match(/fine;/g)).toHaveLength(4)
  })
})

describe('the requests of an address', () => {
  /**
   * Starts an app for a test, which records in `begun` the paths of the requests it handles. Each request
   * waits until the test calls its function in `gates`.
   */
  function serve(limits: Parameters<typeof fairQueueHooks>[2], RATE_LIMIT = true) {
    const app = Fastify({ trustProxy: true, forceCloseConnections: true })
    compressResponses(app)
    const preHandler = fairQueueHooks(app, { RATE_LIMIT }, limits)
    const begun: string[] = []
    const gates = new Map<string, () => void>()
    app.get('/:name', { preHandler }, async ({ url }) => {
      begun.push(url)
      const gate = createGate()
      gates.set(url, gate.resolve)
      await gate.promise
      if (url === '/fails') throw new Error('This request fails')
      return 'fine'.repeat(1000)
    })
    app.setErrorHandler((error: { status?: number; headers?: object }, _, reply) =>
      reply
        .status(error.status ?? 500)
        .headers({ ...error.headers })
        .send('refused'),
    )
    const ask = (url: string, address = '192.0.2.1') =>
      app.inject({ url, headers: { 'x-forwarded-for': address, 'accept-encoding': 'gzip' } })
    const finish = async (url: string) => {
      await eventually(() => expect(begun).toContain(url))
      gates.get(url)!()
    }
    onTestFinished(() => app.close())
    return { app, begun, ask, finish }
  }
  const someTime = () => new Promise((resolve) => setTimeout(resolve, 50))

  test('wait for a turn, and addresses alternate', async () => {
    const { begun, ask, finish } = serve({ concurrency: 1 })
    const answers = ['/a1', '/a2', '/a3', '/a4'].map((url) => ask(url))
    await eventually(() => expect(begun).toEqual(['/a1']))
    answers.push(...['/b1', '/b2'].map((url) => ask(url, '192.0.2.2')))
    await eventually(() => expect(begun).toEqual(['/a1', '/b1']))
    await someTime()
    expect(begun).toEqual(['/a1', '/b1'])
    for (const url of ['/a1', '/b1', '/a2', '/b2', '/a3', '/a4']) await finish(url)
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
    expect(begun).toEqual(['/a1', '/b1', '/a2', '/b2', '/a3', '/a4'])
  })

  test('are refused with 503 where too many wait, and a failed one gives its turn back', async () => {
    const { begun, ask, finish } = serve({ concurrency: 1, capacity: 2 })
    const answers = ['/fails', '/2', '/3'].map((url) => ask(url))
    await eventually(() => expect(begun).toEqual(['/fails']))
    await someTime()
    const refused = await ask('/4')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    const other = ask('/other', '192.0.2.2')
    for (const url of ['/other', '/fails', '/2', '/3']) await finish(url)
    expect((await other).statusCode).toBe(200)
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([500, 200, 200])
    const again = ask('/5')
    await finish('/5')
    expect((await again).statusCode).toBe(200)
  })

  test('have no turns with RATE_LIMIT=off', async () => {
    const { begun, ask, finish } = serve({ concurrency: 1 }, false)
    const answers = ['/1', '/2', '/3'].map((url) => ask(url))
    for (const url of ['/3', '/2', '/1']) await finish(url)
    await Promise.all(answers)
    expect(begun).toEqual(['/1', '/2', '/3'])
  })

  test('whose connections close do not run, are not compressed, and give their turns back', async () => {
    const { app, begun, finish } = serve({ concurrency: 1 })
    const encodings: unknown[] = []
    app.addHook('onSend', async (_, reply) => void encodings.push(reply.getHeader('content-encoding')))
    const dial = await listen(app)
    const sockets: Socket[] = []
    const ask = async (path: string) => {
      const closed = nextToClose(app)
      const socket = await dial()
      sockets.push(socket)
      socket.write(get(path).replace('host:', 'accept-encoding: gzip\r\nhost:'))
      return { socket, closed }
    }
    const first = await ask('/first')
    await eventually(() => expect(begun).toEqual(['/first']))
    const second = await ask('/second')
    await someTime()
    first.socket.destroy()
    second.socket.destroy()
    await Promise.all([first.closed, second.closed])
    const third = await ask('/third')
    await finish('/first')
    await finish('/third')
    expect(await received(third.socket, /200 OK/)).toMatch(/content-encoding: gzip/)
    expect(begun).toEqual(['/first', '/third'])
    expect(encodings).toEqual([undefined, 'gzip'])
  })
})
