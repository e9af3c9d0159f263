import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import {
  expectServerAnswersDuringAttack,
  openTestTcpSocketFromIpAddress,
  sendRawBytesFromIpAddress,
  startAttacked,
} from '#tests/hostile.ts'

beforeAll(startAttacked)

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

test('an address can hold at most 400 silent connections, and is still served', async () => {
  const from = '127.0.0.31'
  const silent = await expectServerAnswersDuringAttack(() =>
    Promise.all(
      range(800).map(async () => {
        const socket = await openTestTcpSocketFromIpAddress(from)
        return socket.resume()
      }),
    ),
  )
  await Promise.all(silent.slice(0, 400).map((socket) => socket.closed || once(socket, 'close')))
  expect((await sendRawBytesFromIpAddress(get('/healthz'), from)).status).toBe(200)
  expect(silent.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(400)
})

test('silent connections are closed', async () => {
  const sockets = await Promise.all(range(50).map(() => openTestTcpSocketFromIpAddress('127.0.0.32')))
  for (const socket of sockets) socket.resume()
  await expectServerAnswersDuringAttack(() => Promise.all(sockets.map((socket) => once(socket, 'close'))))
})

test('clients that do not read responses do not block other clients', async () => {
  const from = '127.0.0.33'
  await expectServerAnswersDuringAttack(async () => {
    for (const _ of range(50))
      (await openTestTcpSocketFromIpAddress(from)).pause().write(get('/api/openapi.json').repeat(100))
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect((await sendRawBytesFromIpAddress(get('/healthz'), from)).status).toBe(200)
})
