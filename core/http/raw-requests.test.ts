import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { dropForwardedPorts } from '#core/http/hosts.ts'
import { createTestApp } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

/**
 * Sends bytes to the server under test and ends the sending side of the connection. Resolves to all bytes
 * that the server sends until the connection closes.
 */
const said = (url: string, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (part) => (text += part))
    socket.on('error', reject).on('close', () => resolve(text))
    socket.end(bytes)
  })
const request = (...headers: string[]) =>
  ['GET /healthz HTTP/1.1', ...headers, 'connection: close', '', ''].join('\r\n')

describe('raw HTTP requests', () => {
  test('with two Host headers are rejected', async () => {
    const { url } = await realtimeApp()
    expect(await said(url, request('host: localhost'))).toMatch(/^HTTP\/1\.1 200 /)
    for (const second of ['localhost', 'evil.example'])
      expect(await said(url, request('host: localhost', `Host: ${second}`))).toMatch(/^HTTP\/1\.1 400 /)
    const upgrade =
      'GET /app/engawa HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    expect(await said(url, upgrade)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('with an upgrade to another protocol are answered without the upgrade', async () => {
    const { url } = await realtimeApp()
    for (const protocol of ['h2c', 'TLS/1.0', 'foo']) {
      const bytes = `GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\nupgrade: ${protocol}\r\n\r\n`
      const answer = await said(url, bytes)
      expect(answer, protocol).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).toContain('{"status":"ok"}')
    }
    const bytes = 'GET /nope HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: WebSocket\r\n\r\n'
    expect(await said(url, bytes)).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('with TRACE are rejected, and the response repeats nothing of the request', async () => {
    const { url } = await realtimeApp()
    for (const path of ['/', '/api/user', '/nope']) {
      const bytes = `TRACE ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: a=needle\r\nconnection: close\r\n\r\n`
      const answer = await said(url, bytes)
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[45] /)
      expect(answer).not.toContain('needle')
    }
  })

  test('from forwarded addresses with ports count by address alone', async () => {
    const stripped = (given: string) => {
      const headers = { 'x-forwarded-for': given }
      dropForwardedPorts({ headers } as never)
      return headers['x-forwarded-for']
    }
    expect(stripped('1.2.3.4:5678, [::1]:80,"[2001:db8::1]:9" , 10.0.0.1')).toBe(
      '1.2.3.4, ::1, 2001:db8::1, 10.0.0.1',
    )
    expect(stripped('2001:db8::1, unknown, ::::, [x]:1')).toBe('2001:db8::1, unknown, ::::, [x]:1')
    const tries = async (TRUST_PROXY: string, address: (n: number) => string) => {
      const { visitor } = await createTestApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY } })
      const seen: number[] = []
      for (let n = 0; n < 8; n++)
        seen.push((await visitor().get('/api/email/verify/1/x', { 'x-forwarded-for': address(n) })).status)
      return seen
    }
    const limited = [403, 403, 403, 403, 403, 403, 429, 429]
    expect(await tries('127.0.0.1', (n) => `192.0.2.1:${4000 + n}`)).toEqual(limited)
    expect(await tries('127.0.0.1', (n) => `[2001:db8::${n}]:443`)).toEqual(limited)
    expect(await tries('127.0.0.1', (n) => `192.0.2.${n}:80`)).toEqual(Array(8).fill(403))
    expect(await tries('off', (n) => `192.0.2.${n}:80`)).toEqual(limited)
  })

  test('get responses that no cache stores by default, and that disable browser features', async () => {
    const { visitor } = await createTestApp()
    for (const path of [
      '/api/posts',
      '/healthz',
      '/readyz',
      '/api/nothing',
      '/api/openapi.json',
      '/sanctum/csrf-cookie',
    ]) {
      const { headers } = await visitor().get(path)
      expect(headers['cache-control'], path).toBe('no-store')
      expect(headers['permissions-policy'], path).toContain('camera=(), ')
    }
    expect((await visitor().get('/robots.txt')).headers['cache-control']).toBe('public, max-age=3600')
    expect((await visitor().get('/', { accept: 'text/html' })).headers['cache-control']).toBe(
      'private, no-cache',
    )
  })
})
