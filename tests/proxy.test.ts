import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import axios from 'axios'
import Pusher from 'pusher-js'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeNginxConfig } from '#tests/nginx.ts'
import { padWithZeros } from '#tests/pictures.ts'
import { findCaddyPath, findNginxPath } from '#tests/programs.ts'
import { axiosFile, axiosForm, axiosMember, axiosVisitor, pictureBytes } from '#tests/sanctum.ts'
import { serverFolder, startServer } from '#tests/server.ts'
import { findFreePort } from '#tests/services.ts'

const deploy = join(import.meta.dirname, '../deploy')
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
afterAll(async () => {
  for (const child of children) {
    const gone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await gone
  }
})

type Upstreams = readonly [string, ...string[]]

/**
 * Starts nginx with deploy/nginx.conf on a test port, in front of the servers in `upstreams`. Resolves to the
 * URL of nginx.
 */
async function nginx(upstreams: Upstreams) {
  const [folder, port] = [await serverFolder(), await findFreePort()]
  return proxy(findNginxPath()!, await writeNginxConfig(folder, port, upstreams), port)
}

/**
 * Starts Caddy with deploy/Caddyfile on a test port, in front of the servers in `upstreams`. Resolves to the
 * URL of Caddy. Uses no TLS, because there is no certificate for 127.0.0.1.
 */
async function caddy(upstreams: Upstreams) {
  const [folder, port] = [await serverFolder(), await findFreePort()]
  const site = await readFile(join(deploy, 'Caddyfile'), 'utf8')
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site}`)
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    UPSTREAMS: upstreams.join(' '),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  }
  return proxy(
    findCaddyPath()!,
    ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    port,
    env,
  )
}

/** Starts a reverse proxy program. Resolves to the URL of the proxy when this URL answers. */
async function proxy(program: string, args: string[], port: number, env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  child.once('close', () => children.delete(child))
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (said += bytes))
  const url = `http://127.0.0.1:${port}`
  while (!(await axios.get(url, { validateStatus: (status) => status === 200 }).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${said}`)
    await sleep(50)
  }
  return url
}

const hostOf = (url: string) => new URL(url).host
const upload = async (name: string) =>
  axiosFile(padWithZeros(await pictureBytes(600, 400), 6_000_000), name, 'image/png')

/**
 * Returns a function that sends a message to the public chat as a visitor, from the IP address `localAddress`
 * and with any X-Forwarded-For header. The function resolves to the response status.
 */
async function from(localAddress: string, url: string) {
  const httpAgent = new Agent({ localAddress })
  const cookies = (await axios.get(`${url}/sanctum/csrf-cookie`, { httpAgent })).headers['set-cookie']!.map(
    (line) => line.split(';')[0]!,
  )
  const token = decodeURIComponent(cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))!.split('=')[1]!)
  const headers = { cookie: cookies.join('; '), 'x-xsrf-token': token }
  return async (message: string, pretended = '') => {
    const more = { ...headers, ...(pretended && { 'x-forwarded-for': pretended }) }
    return (
      await axios.post(
        `${url}/api/send-message`,
        { message },
        { httpAgent, headers: more, validateStatus: () => true },
      )
    ).status
  }
}

/**
 * Connects the library pusher-js with its own options, and subscribes to the public chat. Returns a
 * promise of the next chat message.
 */
async function listener(url: string) {
  const { hostname, port } = new URL(url)
  const places = { cluster: '', wsHost: hostname, wsPort: Number(port), forceTLS: false, disableStats: true }
  // Corrects the type of pusher-js, which is a CommonJS module: its types describe a module with a default
  // export, but the import is the class itself.
  const pusher = new (Pusher as unknown as typeof Pusher.default)('engawa', {
    ...places,
    enabledTransports: ['ws'],
  })
  onTestFinished(() => pusher.disconnect())
  const channel = pusher.subscribe('chat')
  const nextMessage = new Promise<{ message: string }>((resolve) => channel.bind('MessageSent', resolve))
  await new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve))
  return { nextMessage }
}

const proxies = [
  { name: 'nginx', found: findNginxPath(), begin: nginx },
  { name: 'caddy', found: findCaddyPath(), begin: caddy },
]
for (const { name, found } of proxies)
  if (!found) process.stderr.write(`\n!!! NO ${name.toUpperCase()}: it is left out of the tests.\n\n`)

describe.each(proxies)('behind $name, as deploy/ sets it up', ({ found, begin }) => {
  test.skipIf(!found)('pages, log-in, pictures, WebSockets and rate limits work', async () => {
    const server = await startServer({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'on' })
    const url = await begin([hostOf(server.url)])
    expect((await axios.get(url)).data).toContain('<div id="app">')

    const ana = await axiosMember(url, 'Ana')
    const again = axiosVisitor(url)
    expect((await again.logIn(ana.email)).status).toBe(204)
    expect((await again.http.get('/api/user')).data.id).toBe(ana.id)

    const posted = await again.http.post(
      '/api/posts',
      axiosForm({ text: 'large', 'images[]': [await upload('a.png'), await upload('b.png')] }),
    )
    expect(posted.status, JSON.stringify(posted.data)).toBe(201)
    const { path } = posted.data.post.images[1]
    expect((await axios.get(new URL(path, url).href)).headers['content-type']).toMatch(/^image\//)

    const { nextMessage } = await listener(url)
    const near = await from('127.0.0.2', url)
    expect(await near('good evening')).toBe(200)
    expect(await nextMessage).toEqual({ message: 'good evening' })

    for (let said = 1; said < 10; said++) expect(await near('and again', `198.51.100.${said}`)).toBe(200)
    expect(await near('once too often', '198.51.100.77')).toBe(429)
    expect(await (await from('127.0.0.3', url))('from next door')).toBe(200)
  })

  test.skipIf(!found)('the largest message arrives', async () => {
    const server = await startServer({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'off' })
    const url = await begin([hostOf(server.url)])
    const ana = await axiosMember(url, 'Ana')
    const { group } = (await ana.http.post('/api/groups', { name: 'Archive' })).data
    const picture = padWithZeros(await pictureBytes(60, 40), 10 * 2 ** 20)
    const file = padWithZeros(Buffer.from('%PDF-1.7\n'), 25 * 2 ** 20)
    const repeat = <Item>(count: number, item: Item) => Array<Item>(count).fill(item)
    const sent = await ana.http.post(
      '/api/group-messages/send',
      axiosForm({
        group_id: String(group.id),
        message: 'large',
        'images[]': repeat(4, axiosFile(picture, 'a.png', 'image/png')),
        'files[]': repeat(5, axiosFile(file, 'a.pdf', 'application/pdf')),
      }),
    )
    expect(sent.status, JSON.stringify(sent.data)).toBe(200)
    expect(sent.data.message.images).toHaveLength(4)
    expect(sent.data.message.files).toHaveLength(5)
  })

  test.skipIf(!found)('when a process is down, the others answer', async () => {
    const server = await startServer({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'off' })
    const gone = await startServer({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'off' })
    const url = await begin([hostOf(gone.url), hostOf(server.url)])
    await gone.stop('SIGKILL')
    for (let asked = 0; asked < 20; asked++) expect((await axios.get(`${url}/api/posts`)).status).toBe(200)
  })
})
