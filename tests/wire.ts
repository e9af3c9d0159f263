import { connect } from 'node:net'
import axios from 'axios'
import { afterEach, beforeAll, expect } from 'vitest'
import { type Member, member } from '#tests/sanctum.ts'
import { type Server, startServer } from '#tests/server.ts'

export let server: Server
export let ana: Member
let read = 0
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off' })
  ana = await member(server.url, 'Ana')
})

/** After each test the server still serves, and has logged no error. */
afterEach(async () => {
  expect((await axios.get(`${server.url}/healthz`)).data).toEqual({ status: 'ok' })
  expect((await ana.http.get('/api/user')).status).toBe(200)
  const all = server.logs()
  const faults = all
    .slice(read)
    .split('\n')
    .filter((line) => /"level":(50|60)|"stack"|^\s+at |Error:|Warning/.test(line))
  read = all.length
  expect(faults.map((line) => line.slice(0, 600))).toEqual([])
})

/** A socket to the server. Its errors are expected. */
export function dial() {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  return socket
}
/** Sends bytes. Resolves to everything that comes until the server closes, or until `enough` matches. */
export function said(bytes: string, enough = /$^/): Promise<string> {
  const socket = dial()
  return new Promise((resolve) => {
    let heard = ''
    socket.on('data', (data) => {
      heard += String(data)
      if (enough.test(heard)) socket.destroy()
    })
    socket.on('close', () => resolve(heard))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
export const statuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
/** The answer to one valid request, on a connection that closes after it. */
export const asked = async (path: string, more = '') =>
  said(`GET ${path} HTTP/1.1\r\n${HOST}${more}Connection: close\r\n\r\n`)
export const HOST = 'Host: localhost\r\n'
