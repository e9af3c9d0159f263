import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import axios from 'axios'
import { expect, onTestFinished } from 'vitest'
import { type AxiosMember, axiosMember } from '#tests/sanctum.ts'
import { type RunningServer, startServer } from '#tests/server.ts'

// Attacks come from other addresses of this machine (127.0.0.0/8), so that the rate limits of an address do
// not affect the members.

export let attackedServer: RunningServer
export let attacker: AxiosMember
let ben: AxiosMember
/** Starts the server of a file of attacks, with two members. */
export async function startAttacked() {
  attackedServer = await startServer({ LOG_LEVEL: 'warn' })
  attacker = await axiosMember(attackedServer.url, 'Ana')
  ben = await axiosMember(attackedServer.url, 'Ben')
  expect((await ben.http.post(`/api/follow/${attacker.id}`)).status).toBe(200)
}

/**
 * Runs an attack and returns its result. During the attack, expects that the server answers health checks and
 * accepts messages of another member.
 */
export async function expectAnswers<T>(attack: () => Promise<T>): Promise<T> {
  let over = false
  const result = attack().finally(() => {
    over = true
  })
  // Prevents an unhandled rejection while the loop runs. `return result` passes the error on.
  result.catch(() => {})
  do {
    expect((await axios.get(`${attackedServer.url}/healthz`)).data).toEqual({ status: 'ok' })
    const sent = await ben.http.post('/api/send-private-message', {
      input: 'Hello',
      targetUserId: attacker.id,
    })
    expect(sent.status, JSON.stringify(sent.data)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 50))
  } while (!over)
  return result
}

/**
 * Opens a TCP connection to the server from the IP address `localAddress`, and returns its socket. The
 * members use another address.
 */
export async function openSocketFrom(localAddress: string): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(attackedServer.url).port),
    host: '127.0.0.1',
    localAddress,
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/**
 * Sends bytes to the server from an IP address. Resolves to the first response, whose status is 0 if the
 * connection closes without a response.
 */
export async function sendRawFrom(bytes: string, from = '127.0.0.9', socket?: Socket) {
  const line = socket ?? (await openSocketFrom(from))
  return new Promise<{ status: number; head: string; body: string }>((resolve) => {
    let receivedText = ''
    const look = (data: Buffer) => {
      receivedText += String(data)
      const [head = '', body] = receivedText.split(/\r\n\r\n([\s\S]*)/)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || Buffer.byteLength(body) < length) return
      line.off('data', look)
      resolve({ status: Number(head.slice(9, 12)), head, body })
    }
    line.on('data', look)
    line.once('close', () => resolve({ status: 0, head: receivedText, body: '' }))
    line.write(bytes)
  })
}
