import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { realtimeApp } from '#tests/sockets.ts'

/** Opens a WebSocket in a test. Resolves to it and the HTTP status of the handshake; 101 is success. */
async function handshake(url: string, forwarded?: string) {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/app/engawa?protocol=7`, {
    headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
  })
  onTestFinished(() => ws.terminate())
  ws.on('error', () => {})
  const refused = new Promise<number>((resolve) =>
    ws.once('unexpected-response', (_, answer) => resolve(answer.statusCode!)),
  )
  return { ws, status: await Promise.race([once(ws, 'open').then(() => 101), refused]) }
}
const many = (count: number, url: string, forwarded?: string) =>
  Promise.all(Array.from({ length: count }, () => handshake(url, forwarded)))

test('an address can have two hundred sockets, and a new one after one has closed', async () => {
  const { url, visitor } = await realtimeApp({ env: { RATE_LIMIT: 'on' } })
  const held = await many(200, url)
  expect(new Set(held.map(({ status }) => status))).toEqual(new Set([101]))
  expect((await handshake(url)).status).toBe(429)
  expect((await handshake(url, '203.0.113.7')).status, 'a header that nobody vouches for').toBe(429)
  expect((await visitor().get('/api/posts')).status).toBe(200)
  held[0]!.ws.close()
  await expect.poll(async () => (await handshake(url)).status, { timeout: 10_000 }).toBe(101)
})

test('behind a proxy each client has its own limit, and an IPv6 network counts as one', async () => {
  const { url } = await realtimeApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  await many(200, url, '203.0.113.7')
  expect((await handshake(url, '203.0.113.7')).status).toBe(429)
  expect((await handshake(url, '198.51.100.1, 203.0.113.7')).status).toBe(429)
  expect((await handshake(url, '203.0.113.8')).status).toBe(101)
  for (const garbage of ['1:2:3:4:5:6:7:8::9', 'unknown', ',', ':::::::::::', 'x'.repeat(500)])
    expect((await handshake(url, garbage)).status, garbage).toBe(101)
  await many(200, url, '2001:db8:1:2::1')
  expect((await handshake(url, '2001:db8:1:2:3:4:5:6')).status).toBe(429)
  expect((await handshake(url, '2001:db8:1:3::1')).status).toBe(101)
})

test('a request with an invalid forwarded address is answered', async () => {
  const { url } = await realtimeApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  for (const garbage of ['1:2:3:4:5:6:7:8::9', 'unknown', ':::::::::::'])
    expect(
      (await fetch(`${url}/api/posts`, { headers: { 'x-forwarded-for': garbage } })).status,
      garbage,
    ).toBe(200)
})

test('with RATE_LIMIT=off connections are not counted', async () => {
  const { url } = await realtimeApp()
  expect((await many(250, url)).every(({ status }) => status === 101)).toBe(true)
})
