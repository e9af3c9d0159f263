import { request } from 'node:http'
import axios from 'axios'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AxiosMember,
  axiosFile,
  axiosForm,
  axiosMember,
  expectError,
  expectInvalid,
  pictureBytes,
} from '#tests/sanctum.ts'
import { type Site, startSite } from '#tests/site.ts'

const friend = 'https://app.example'
let server: Site
let ana: AxiosMember
beforeAll(async () => {
  server = await startSite({
    ALLOWED_ORIGINS: `${friend}, http://localhost:5173`,
  })
  ana = await axiosMember(server.url, 'Ana')
  return server.stop
})

const get = (
  path: string,
  headers: Record<string, string> = {},
  responseType: 'text' | 'arraybuffer' = 'text',
) => axios.get(server.url + path, { headers, responseType, validateStatus: () => true, maxRedirects: 0 })
const send = (data: unknown, type: string, path = '/api/profile') =>
  ana.http.post(path, data, { headers: { 'Content-Type': type }, transformRequest: [(given) => given] })

describe('an error response', () => {
  test('is a 404 in JSON for an unknown route or record', async () => {
    for (const path of [
      '/api/nothing',
      '/api',
      '/api/posts/1/nothing',
      '/sanctum/nothing',
      '/api/user/',
      '/api/%ff',
      '/api/email/verify',
    ])
      expectError(await ana.http.get(path), 404)
    expectError(await ana.http.post('/api/nothing', {}), 404)
    expectError(await ana.http.delete('/api/posts/999999/like'), 404)
    expectError(await ana.http.get('/media/nothing.webp'), 404)
    expect((await get('/no-such-page', { accept: 'text/html' })).status).toBe(404)
  })

  test('is a 405 that names the methods of a known path', async () => {
    const wrong = [
      ['put', '/api/posts', 'GET, POST'],
      ['patch', '/api/posts', 'GET, POST'],
      ['delete', '/login', 'POST'],
      ['get', '/api/register', 'POST'],
      ['get', '/api/posts/1/like', 'DELETE, POST, PUT'],
      ['post', '/api/user', 'GET'],
      ['get', `/api/follow/${ana.id}`, 'POST'],
      ['post', '/sanctum/csrf-cookie', 'GET'],
    ] as const
    for (const [method, url, allowed] of wrong) {
      const answer = await ana.http.request({ method, url, data: method === 'get' ? undefined : {} })
      expectError(answer, 405)
      const named = String(answer.headers.allow).split(/\s*,\s*/)
      expect(named, `${method} ${url}`).toEqual(expect.arrayContaining(allowed.split(', ')))
      expect(named).not.toContain(method.toUpperCase())
    }
  })

  test('is a 413 that names the limit where a body or a file is too large', async () => {
    const bio = 'x'.repeat(2 ** 16)
    const answer = await ana.http.post('/api/profile', { name: 'Ana', bio })
    expectError(answer, 413)
    expect(answer.data.message).toMatch(/64\s?kB/)
    const image = await ana.http.post(
      '/api/profile-image',
      axiosForm({
        image: axiosFile(Buffer.alloc(10 * 2 ** 20 + 1), 'big one.png'),
      }),
    )
    expectError(image, 413)
    expect(image.data.message).toMatch(/10\s?MB/)
    expectInvalid(await ana.http.post('/api/profile', { name: 'Ana', bio: bio.slice(0, 65_000) }), 'bio')
    expect(
      (
        await ana.http.post(
          '/api/posts',
          axiosForm({
            'images[]': axiosFile(
              Buffer.concat([await pictureBytes(30, 30), Buffer.alloc(10 * 2 ** 20 - 2000)]),
              'just fits.png',
            ),
          }),
        )
      ).status,
    ).not.toBe(413)
  })

  test('is a 415 where the body is of another type', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'nonsense',
    ])
      expectError(await send('name=Ana', type), 415)
    expectError(await ana.http.post('/api/profile', axiosForm({ name: 'Ana' })), 415)
    expect((await send('{"name":"Ana"}', 'application/json; charset=utf-8')).status).toBe(200)
  })

  test('is a 422 in the standard shape for an unreadable body', async () => {
    for (const text of [
      '{',
      '{"name":',
      'name',
      '{"name":"Ana",}',
      '\u0000',
      '[]',
      '[{"name":"Ana"}]',
      '"Ana"',
      '7',
      'null',
      'true',
    ])
      expectInvalid(await send(text, 'application/json'))
    for (const text of ['{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":{"name":"x"}}}'])
      expectInvalid(await send(text, 'application/json'), 'name')
    expectInvalid(await send(`${'['.repeat(50_000)}`, 'application/json'))
    expectInvalid(await ana.http.post('/api/profile', { name: 'A\u0000na' }), 'name')
    expect((await ana.http.get('/api/profile')).data.name).toBe('Ana')
  })

  test('is a 413, 415 or 422 for a broken form, and nothing is stored', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello'
    const broken: [string, string][] = [
      ['multipart/form-data', part],
      ['multipart/form-data; boundary=', part],
      ['multipart/form-data; boundary=x', part],
      ['multipart/form-data; boundary=x', ''],
      ['multipart/form-data; boundary=x', 'nothing of a form'],
      ['multipart/form-data; boundary=x', '--x\r\nnonsense\r\n\r\nhello\r\n--x--\r\n'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="images[]"; filename="a.png"\r\n\r\n\x89PNG',
      ],
    ]
    const newest = (await ana.http.get('/api/posts?limit=1')).data
    for (const [type, body] of broken) {
      const answer = await send(body, type, '/api/posts')
      expect([413, 415, 422], `${type} ${JSON.stringify(body)} → ${answer.status}`).toContain(answer.status)
      if (answer.status === 422) expectInvalid(answer)
      else expectError(answer, answer.status)
    }
    const many = axiosForm(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field${n}`, 'x'])))
    expect([413, 422]).toContain((await ana.http.post('/api/posts', many)).status)
    expect((await ana.http.get('/api/posts?limit=1')).data).toEqual(newest)
    for (const name of ['__proto__', 'constructor', 'toString[]'])
      expectInvalid(await ana.http.post('/api/posts', axiosForm({ [name]: 'x' })))
  })

  test('is a 404 without file content for a path traversal, and no error is logged', async () => {
    for (const path of [
      '/../secret',
      '/media/../secret',
      '/media/..%2fsecret',
      '/media/%2e%2e/secret',
      '/media/%2e%2e%2fengawa.db',
      '/assets/..%2f..%2fpackage.json',
      '//etc/passwd',
    ]) {
      const { status, body } = await raw(path)
      expect(status, path).toBe(404)
      expect(body).not.toMatch(/SQLite format|"dependencies"|^[\da-f]{64}$/m)
    }
    expect(server.errors()).toEqual([])
    expect((await get('/healthz')).status).toBe(200)
  })
})

/**
 * Sends a GET request with exactly this path, and resolves to the status and body of the response. Uses
 * node:http, because other HTTP clients normalise the path.
 */
const raw = (path: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path }, async (answer) => {
      const chunks = await answer.setEncoding('utf8').toArray()
      resolve({ status: answer.statusCode!, body: chunks.join('') })
    })
      .on('error', reject)
      .end()
  })

describe('the server', () => {
  test('reports its health', async () => {
    const { status, data } = await get('/healthz')
    expect([status, JSON.parse(data)]).toEqual([200, { status: 'ok' }])
  })

  test('describes its endpoints as OpenAPI', async () => {
    const { status, data } = await ana.http.get('/api/openapi.json')
    expect(status).toBe(200)
    expect(data.openapi).toMatch(/^3\./)
    const calls = Object.entries(data.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    )
    expect(calls).toEqual(
      expect.arrayContaining([
        ...['GET /sanctum/csrf-cookie', 'POST /api/register', 'POST /login', 'POST /logout', 'GET /api/user'],
        ...[
          'GET /api/email/verify/{}/{}',
          'POST /api/email/verification-notification',
          'GET /api/posts',
          'POST /api/posts',
        ],
        ...[
          'GET /api/posts/following',
          'POST /api/posts/{}/like',
          'PUT /api/posts/{}/like',
          'DELETE /api/posts/{}/like',
        ],
        ...[
          'GET /api/profile',
          'POST /api/profile',
          'POST /api/profile-image',
          'GET /api/users',
          'GET /api/admin/users',
        ],
        ...[
          'GET /api/followings',
          'GET /api/followings/users',
          'POST /api/follow/{}',
          'DELETE /api/unfollow/{}',
        ],
      ]),
    )
  })

  test('sends security headers with pages and API responses', async () => {
    const page = await get('/', { accept: 'text/html' })
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html; *charset=utf-8/i)
    for (const { headers } of [
      page,
      await get('/api/posts'),
      await get('/api/nothing'),
      await get('/login', { accept: 'text/html' }),
    ]) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/default-src 'self'/)
      expect(policy).toMatch(/frame-ancestors '(none|self)'/)
      expect(policy).toMatch(/form-action 'none'/)
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['x-powered-by']).toBeUndefined()
    }
    for (const [tag] of page.data.matchAll(/<script\b[^>]*>/g))
      expect(tag).toMatch(/\ssrc="|type="application\/(ld\+)?json"/)
    expect(page.data).not.toMatch(/<style|\son\w+="|\sstyle="/)
  })

  test('does not let shared caches store responses for a member', async () => {
    for (const path of ['/api/user', '/api/posts'])
      expect((await ana.http.get(path)).headers['cache-control']).toMatch(/no-store|private/)
    expect((await get('/', { accept: 'text/html' })).headers['cache-control']).toMatch(
      /no-store|private|no-cache/,
    )
  })
})
