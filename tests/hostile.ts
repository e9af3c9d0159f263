import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import axios from 'axios'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { type Member, member } from '#tests/sanctum.ts'
import { type Server, startServer } from '#tests/server.ts'

// Attacks come from addresses of their own (127.0.0.0/8 is this machine), so that the limits of an address do
// not refuse the members who are asked meanwhile.

export let server: Server
export let ana: Member
let ben: Member
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'warn' })
  ana = await member(server.url, 'Ana')
  ben = await member(server.url, 'Ben')
  expect((await ben.http.post(`/api/follow/${ana.id}`)).status).toBe(200)
})

/** Runs an attack. Until it is over, another client's health check and a member's messages are answered. */
export async function whileServed<T>(attack: () => Promise<T>): Promise<T> {
  let over = false
  const result = attack().finally(() => {
    over = true
  })
  result.catch(() => {}) // it is thrown below
  do {
    expect((await axios.get(`${server.url}/healthz`)).data).toEqual({ status: 'ok' })
    const sent = await ben.http.post('/api/send-private-message', { input: 'Hello', targetUserId: ana.id })
    expect(sent.status, JSON.stringify(sent.data)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 50))
  } while (!over)
  return result
}

/** A connection from another address than that of the members. */
export async function dial(localAddress: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Sends bytes, and resolves to the status and the body of the first answer; 0 where the connection ends. */
export async function ask(bytes: string, from = '127.0.0.9', socket?: Socket) {
  const line = socket ?? (await dial(from))
  return new Promise<{ status: number; head: string; body: string }>((resolve) => {
    let heard = ''
    const look = (data: Buffer) => {
      heard += String(data)
      const [head = '', body] = heard.split(/\r\n\r\n([\s\S]*)/)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || Buffer.byteLength(body) < length) return
      line.off('data', look)
      resolve({ status: Number(head.slice(9, 12)), head, body })
    }
    line.on('data', look)
    line.once('close', () => resolve({ status: 0, head: heard, body: '' }))
    line.write(bytes)
  })
}
