import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startServer } from '#tests/server.ts'
import '#tests/sanctum.ts'
const SECRET = 'a secret of some length'
const frames: Record<string, (id: string) => unknown[]> = {
  'subscribe auth obj': () => [{ event: 'pusher:subscribe', data: { channel: 'private-x', auth: { toString: 1 } } }],
  'subscribe channel_data obj': () => [{ event: 'pusher:subscribe', data: { channel: 'presence-x', auth: 'a', channel_data: { toString: 1 } } }],
  'unsubscribe obj': () => [{ event: 'pusher:unsubscribe', data: { channel: { toString: 1 } } }],
  'whisper obj': () => [{ event: 'client-x', channel: { toString: 1 } }],
  'deep whisper': (id) => [
    { event: 'pusher:subscribe', data: { channel: 'private-x', auth: `engawa:${createHmac('sha256', SECRET).update(`${id}:private-x`).digest('hex')}` } },
    `{"event":"client-x","channel":"private-x","data":${'['.repeat(32000)}${']'.repeat(32000)}}`,
  ],
  'deep cd': (id) => [`{"event":"pusher:subscribe","data":{"channel":"presence-x","auth":"a","channel_data":${'['.repeat(32000)}${']'.repeat(32000)}}}`],
}
test.each(Object.keys(frames))('%s', async (name) => {
  const server = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
  const ws = new WebSocket(`${server.url.replace('http', 'ws').replace('localhost', '127.0.0.1')}/app/engawa?protocol=7`)
  ws.on('error', () => {})
  ws.on('message', (d) => { const m = JSON.parse(String(d)); console.log(name, m)
    if (m.event === 'pusher:connection_established') for (const f of frames[name]!(JSON.parse(m.data).socket_id)) ws.send(typeof f === 'string' ? f : JSON.stringify(f)) })
  await new Promise((r) => setTimeout(r, 1500))
  const alive = await fetch(server.url + '/healthz').then((r) => r.status, (e) => String(e.cause ?? e))
  if (alive !== 200) console.log(server.logs().slice(-800))
  await server.stop()
  expect(alive).toBe(200)
})
