import axios, { type AxiosResponse } from 'axios'
import { beforeAll, describe, expect, test } from 'vitest'
import { type AxiosMember, axiosMember, axiosVisitor } from '#tests/sanctum.ts'
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

describe('pages of other origins', () => {
  const ask = (path: string, origin: string) => get(path, { Origin: origin })
  const preflight = (path: string, origin: string, method = 'POST') =>
    axios.request({
      method: 'options',
      url: server.url + path,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'content-type,x-xsrf-token',
      },
      validateStatus: () => true,
    })
  const granted = ({ headers }: AxiosResponse) => [
    headers['access-control-allow-origin'],
    headers['access-control-allow-credentials'],
  ]
  const nothing = [undefined, undefined]
  const open = ['/api/posts', '/api/user', '/sanctum/csrf-cookie', '/api/nothing']

  test('may send requests with cookies where ALLOWED_ORIGINS names them', async () => {
    for (const origin of [friend, 'http://localhost:5173'])
      for (const path of open) {
        const answer = await ask(path, origin)
        expect(granted(answer), path).toEqual([origin, 'true'])
        expect(answer.headers.vary).toMatch(/\borigin\b/i)
      }
    for (const [path, method] of [
      ['/api/posts', 'POST'],
      ['/login', 'POST'],
      ['/logout', 'POST'],
      ['/api/posts/1/like', 'PUT'],
      ['/api/unfollow/1', 'DELETE'],
    ] as const) {
      const answer = await preflight(path, friend, method)
      expect(answer.status, path).toBeLessThan(300)
      expect(granted(answer), path).toEqual([friend, 'true'])
      expect(String(answer.headers['access-control-allow-methods']).toUpperCase()).toContain(method)
      expect(String(answer.headers['access-control-allow-headers']).toLowerCase()).toMatch(
        /content-type.*x-xsrf-token|x-xsrf-token.*content-type/,
      )
    }
    const client = axiosVisitor(server.url)
    client.http.defaults.headers.common.Origin = friend
    const answer = await client.logIn(ana.email)
    expect([answer.status, ...granted(answer)]).toEqual([204, friend, 'true'])
  })

  test('can read error responses: a client has to distinguish 401 and 422', async () => {
    const refused = await axios.post(
      `${server.url}/login`,
      {},
      { headers: { Origin: friend }, validateStatus: () => true },
    )
    expect([refused.status, ...granted(refused)]).toEqual([419, friend, 'true'])
  })

  test('get no CORS headers where ALLOWED_ORIGINS does not name them', async () => {
    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'https://app.example:444',
      'null',
    ])
      for (const path of open) {
        expect(granted(await ask(path, origin)), `${origin} ${path}`).toEqual(nothing)
        expect(granted(await preflight(path, origin))).toEqual(nothing)
      }
  })

  test('get no CORS headers on other paths', async () => {
    for (const path of ['/', '/healthz', '/edit', '/apix', '/media/nothing.webp']) {
      expect(granted(await ask(path, friend)), path).toEqual(nothing)
      expect(granted(await preflight(path, friend)), path).toEqual(nothing)
    }
  })

  test('get no CORS headers where ALLOWED_ORIGINS is not set', async () => {
    const alone = await startSite()
    for (const path of open)
      expect(
        granted(
          await axios.get(alone.url + path, { headers: { Origin: friend }, validateStatus: () => true }),
        ),
      ).toEqual(nothing)
    await alone.stop()
  })
})
