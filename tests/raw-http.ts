import { connect } from 'node:net'
import axios from 'axios'
import { expect } from 'vitest'
import { type AxiosMember, axiosMember } from '#tests/sanctum.ts'
import { type RunningServer, startServer } from '#tests/server.ts'

export let rawServer: RunningServer
export let rawMember: AxiosMember
let read = 0

/** Starts the server of a file of raw requests, with a member. */
export async function startRaw() {
  read = 0
  rawServer = await startServer({ RATE_LIMIT: 'off' })
  rawMember = await axiosMember(rawServer.url, 'Ana')
}

/** Expects that the server still answers, and has logged no error and no warning. */
export async function expectCalm() {
  expect((await axios.get(`${rawServer.url}/healthz`)).data).toEqual({ status: 'ok' })
  expect((await rawMember.http.get('/api/user')).status).toBe(200)
  const all = rawServer.logs()
  const faults = all
    .slice(read)
    .split('\n')
    .filter((line) => /"level":(50|60)|"stack"|^\s+at |Error:|Warning/.test(line))
  read = all.length
  expect(faults.map((line) => line.slice(0, 600))).toEqual([])
}

/**
 * Opens a TCP connection to the server, and returns its socket. Ignores the errors of the socket, because the
 * tests expect them.
 */
export function openSocket() {
  const socket = connect({ port: Number(new URL(rawServer.url).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  return socket
}
/**
 * Sends bytes to the server on a new connection. Resolves to the received text when the server closes the
 * connection or `enough` matches this text.
 */
export function sendRaw(bytes: string, enough = /$^/): Promise<string> {
  const socket = openSocket()
  return new Promise((resolve) => {
    let receivedText = ''
    socket.on('data', (data) => {
      receivedText += String(data)
      if (enough.test(receivedText)) socket.destroy()
    })
    socket.on('close', () => resolve(receivedText))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
export const rawStatuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
/**
 * Sends one valid GET request, and resolves to the response as text. The server closes the connection after
 * it.
 */
export const fetchRaw = async (path: string, more = '') =>
  sendRaw(`GET ${path} HTTP/1.1\r\n${RAW_HOST}${more}Connection: close\r\n\r\n`)
export const RAW_HOST = 'Host: localhost\r\n'
