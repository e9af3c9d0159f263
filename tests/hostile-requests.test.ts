import { once } from 'node:events'
import axios from 'axios'
import { beforeAll, expect, test } from 'vitest'
import {
  attackedServer,
  attacker,
  expectAnswers,
  openSocketFrom,
  sendRawFrom,
  startAttacked,
} from '#tests/hostile.ts'

beforeAll(startAttacked)

const LIST = '/api/posts?limit=100'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

test('pipelined requests for long lists do not block other clients', async () => {
  for (const n of range(30)) {
    const { status } = await attacker.http.post('/api/posts', { text: `${n} ${'雪'.repeat(900)}` })
    expect(status).toBe(201)
  }
  const from = '127.0.0.41'
  await expectAnswers(async () => {
    for (const _ of range(50)) (await openSocketFrom(from)).pause().write(get(LIST).repeat(24))
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect((await sendRawFrom(get('/healthz'), from)).status).toBe(200)
})

test('concurrent requests of an address for long lists do not block other clients', async () => {
  const from = '127.0.0.42'
  const sockets = await Promise.all(range(50).map(() => openSocketFrom(from)))
  const answers = await expectAnswers(() =>
    Promise.all(sockets.map((socket) => sendRawFrom(get(LIST), from, socket))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
})

test('a connection with too many pipelined requests is closed', async () => {
  const socket = (await openSocketFrom('127.0.0.43')).resume()
  const closed = once(socket, 'close')
  socket.write(get(LIST).repeat(500))
  await closed
  expect((await axios.get(`${attackedServer.url}/healthz`)).data).toEqual({ status: 'ok' })
})

test('the attacks log no error', () => {
  expect(attackedServer.logs()).not.toMatch(/"level":(50|60)/)
})
