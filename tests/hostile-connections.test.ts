import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { expectAnswers, openSocketFrom, sendRawFrom, startAttacked } from '#tests/hostile.ts'

beforeAll(startAttacked)

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

test('an address can hold at most 400 silent connections, and is still served', async () => {
  const from = '127.0.0.31'
  const silent = await expectAnswers(() =>
    Promise.all(
      range(800).map(async () => {
        const socket = await openSocketFrom(from)
        return socket.resume()
      }),
    ),
  )
  await Promise.all(silent.slice(0, 400).map((socket) => socket.closed || once(socket, 'close')))
  expect((await sendRawFrom(get('/healthz'), from)).status).toBe(200)
  expect(silent.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(400)
})

test('silent connections are closed', async () => {
  const sockets = await Promise.all(range(50).map(() => openSocketFrom('127.0.0.32')))
  for (const socket of sockets) socket.resume()
  await expectAnswers(() => Promise.all(sockets.map((socket) => once(socket, 'close'))))
})

test('clients that do not read responses do not block other clients', async () => {
  const from = '127.0.0.33'
  await expectAnswers(async () => {
    for (const _ of range(50))
      (await openSocketFrom(from)).pause().write(get('/api/openapi.json').repeat(100))
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect((await sendRawFrom(get('/healthz'), from)).status).toBe(200)
})
