import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ask, dial, whileServed } from '#tests/hostile.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

test('of silent connections an address has 400, and is still served', async () => {
  const from = '127.0.0.31'
  const silent = await whileServed(() =>
    Promise.all(
      range(800).map(async () => {
        const socket = await dial(from)
        return socket.resume()
      }),
    ),
  )
  await Promise.all(silent.slice(0, 400).map((socket) => socket.closed || once(socket, 'close')))
  expect((await ask(get('/healthz'), from)).status).toBe(200)
  expect(silent.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(400)
})

test('silent connections are told to hurry, and end', async () => {
  const sockets = await Promise.all(range(50).map(() => dial('127.0.0.32')))
  for (const socket of sockets) socket.resume()
  await whileServed(() => Promise.all(sockets.map((socket) => once(socket, 'close'))))
})

test('clients who read no answer leave others theirs', async () => {
  const from = '127.0.0.33'
  await whileServed(async () => {
    for (const _ of range(50)) (await dial(from)).pause().write(get('/api/openapi.json').repeat(100))
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect((await ask(get('/healthz'), from)).status).toBe(200)
})
