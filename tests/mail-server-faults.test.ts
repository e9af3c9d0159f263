import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import axios from 'axios'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { axiosMember } from '#tests/sanctum.ts'
import { clockAhead, startServer } from '#tests/server.ts'

/** Starts a TCP server that acts as a mail server: it calls `onConnection` for each connection. */
async function startMailServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const connected = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
    connected.resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  onTestFinished(() => close())
  return { port: (server.address() as AddressInfo).port, connected: connected.promise, close }
}

/** Acts as a faulty mail server on a connection: sends a character every 100 ms, but never ends the line. */
const sendSlowly = (socket: Socket) => {
  const timer = setInterval(() => socket.write('2'), 100)
  socket.on('close', () => clearInterval(timer))
}
/**
 * Acts as a faulty mail server on a connection: answers normally until the command DATA, and then closes the
 * connection.
 */
const closeAtData = (socket: Socket) => {
  socket.write('220 mail\r\n')
  socket.on('data', (command) =>
    /^DATA/im.test(String(command)) ? socket.destroy() : socket.write('250 ok\r\n'),
  )
}

vi.setConfig({ testTimeout: 120_000 })

describe('a mail server that', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['accepts connections and sends nothing', () => {}],
    ['sends its answer too slowly', sendSlowly],
    ['closes the connection in the middle of a mail', closeAtData],
  ])(
    '%s does not delay requests or the stop, and the mails are delivered after a restart',
    async (_, onConnection) => {
      const bad = await startMailServer(onConnection)
      const env = { SMTP_URL: `smtp://127.0.0.1:${bad.port}`, RATE_LIMIT: 'off' }
      const server = await startServer(env)
      const ana = await axiosMember(server.url, 'Ana')
      await bad.connected
      expect((await ana.http.post('/api/email/verification-notification', {})).status).toBe(200)
      expect((await axios.get(`${server.url}/healthz`)).status).toBe(200)
      expect(await server.stop()).toBe(0)
      expect(server.logs()).not.toMatch(/"level":(50|60)/)
      await bad.close()

      const received: string[] = []
      const good = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, { envelope }, done) {
          stream.resume().on('end', () => {
            received.push(...envelope.rcptTo.map(({ address }) => address))
            done()
          })
        },
      })
      await new Promise<void>((listening) => good.listen(bad.port, '127.0.0.1', listening))
      onTestFinished(() => new Promise<void>((closed) => good.close(closed)))
      // Starts the next server with a clock ten minutes ahead, so that the lease of the stopped process and
      // the delays before retries are over.
      const next = await startServer({
        ...env,
        DATA_DIR: server.folder,
        ...clockAhead(600_000),
      })
      await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2)
      expect(new Set(received)).toEqual(new Set([ana.email]))
      expect(await next.stop()).toBe(0)
    },
  )
})
