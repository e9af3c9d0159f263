import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import axios from 'axios'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { member } from '#tests/sanctum.ts'
import { ahead, startServer } from '#tests/server.ts'

/** A mail server that does what it likes with a line. */
async function office(meet: (line: Socket) => void) {
  const lines = new Set<Socket>()
  const met = Promise.withResolvers<void>()
  const server = createServer((line) => {
    lines.add(line)
    line.on('error', () => {})
    meet(line)
    met.resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const line of lines) line.destroy()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  onTestFinished(() => close())
  return { port: (server.address() as AddressInfo).port, met: met.promise, close }
}

/** Letter by letter, and never the end of a line. */
const drip = (line: Socket) => {
  const dripping = setInterval(() => line.write('2'), 100)
  line.on('close', () => clearInterval(dripping))
}
/** Polite until the letter itself comes. */
const dropInData = (line: Socket) => {
  line.write('220 post\r\n')
  line.on('data', (said) => (/^DATA/im.test(String(said)) ? line.destroy() : line.write('250 yes\r\n')))
}

vi.setConfig({ testTimeout: 120_000 })

describe('a mail server that', () => {
  test.each<[string, (line: Socket) => void]>([
    ['takes the line and says nothing', () => {}],
    ['says a letter now and then', drip],
    ['goes away amid the letter', dropInData],
  ])('%s holds up nobody, neither at work nor at the end, and has the mail another time', async (_, meet) => {
    const bad = await office(meet)
    const env = { SMTP_URL: `smtp://127.0.0.1:${bad.port}`, RATE_LIMIT: 'off' }
    const server = await startServer(env)
    const ana = await member(server.url, 'Ana')
    await bad.met
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
    // The lease of the process that was stopped, and the waits, are over by then.
    const next = await startServer({ ...env, DATA_DIR: server.folder, ...ahead(600_000) })
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2)
    expect(new Set(received)).toEqual(new Set([ana.email]))
    expect(await next.stop()).toBe(0)
  })
})
