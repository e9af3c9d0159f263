import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import axios from 'axios'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AxiosMember,
  axiosMember,
  axiosVisitor,
  expect401,
  expectInvalid,
  PASSWORD,
} from '#tests/sanctum.ts'
import { type Site, startSite } from '#tests/site.ts'

let server: Site
/** The client of the first member who registered at this server, and so became its admin. */
let first: AxiosMember
beforeAll(async () => {
  server = await startSite()
  first = await axiosMember(server.url, 'First')
  return server.stop
})
const newVisitor = async () => {
  const client = axiosVisitor(server.url)
  await client.csrf()
  return client
}
/**
 * Sends a GET request with only these cookies, by default to /api/user, which responds with 401 without a
 * valid session.
 */
const asked = (cookie: string, path = '/api/user') =>
  axios.get(server.url + path, { headers: { cookie }, validateStatus: () => true })

describe('the anti-forgery cookie', () => {
  // spec: 7.4
  test('is set with the session, readable by scripts, for all paths', async () => {
    const answer = await axiosVisitor(server.url).csrf()
    expect([answer.status, answer.data]).toEqual([204, ''])
    const given = answer.headers['set-cookie']!
    const token = given.find((line) => line.startsWith('XSRF-TOKEN='))!
    const session = given.find((line) => !line.startsWith('XSRF-TOKEN='))!
    for (const line of [token, session]) {
      expect(line).toMatch(/; *SameSite=Lax/i)
      expect(line).toMatch(/; *Path=\/(;|$)/i)
      expect(line).not.toMatch(/; *(Secure|Domain)/i)
    }
    expect(session).toMatch(/; *HttpOnly/i)
    expect(token).not.toMatch(/; *HttpOnly/i)
    expect(/^XSRF-TOKEN=([^;]+)/.exec(token)![1]).toMatch(/^([\w.~!*'()-]|%[\dA-F]{2})+$/i)
  })

  test('is set again by any request without it, and is not changed while it is fresh', async () => {
    const bare = await axiosVisitor(server.url).http.get('/api/posts')
    expect(bare.headers['set-cookie']?.map((line) => line.split('=')[0]).sort()).toHaveLength(2)
    const someone = await newVisitor()
    const before = someone.cookieHeader()
    await someone.http.get('/api/posts')
    expect(someone.cookieHeader()).toBe(before)
    await someone.jar.setCookie('XSRF-TOKEN=; Max-Age=0; Path=/', server.url)
    await someone.http.get('/api/posts')
    expect(someone.token()?.value).toBeTruthy()
  })

  // spec: 7.3
  test.each([
    ['post', '/login'],
    ['post', '/logout'],
    ['post', '/api/register'],
    ['post', '/api/profile'],
    ['post', '/api/posts'],
    ['put', '/api/posts/1/like'],
    ['delete', '/api/posts/1/like'],
    ['delete', '/api/unfollow/1'],
  ] as const)('is required by %s %s', async (method, path) => {
    const mismatch = { status: 419, data: { message: 'CSRF token mismatch.' } }
    const stranger = await newVisitor()
    const foreign = decodeURIComponent(stranger.token()!.value)
    const spoilt = decodeURIComponent(first.token()!.value).replace(/.$/, (last) =>
      last === 'A' ? 'B' : 'A',
    )
    for (const token of ['', 'wrong', spoilt, foreign]) {
      const headers = { 'X-XSRF-TOKEN': token }
      expect(
        await first.http.request({ method, url: path, headers, data: {} }),
        `with token ${token}`,
      ).toMatchObject(mismatch)
    }
    expect(
      await axios.request({ method, url: server.url + path, data: {}, validateStatus: () => true }),
    ).toMatchObject(mismatch)
    expect((await first.http.get('/api/user')).status).toBe(200)
  })
})

describe('log-in and log-out', () => {
  test('change the session and the token, and end the old session', async () => {
    const mia = await axiosMember(server.url, 'Mia')
    const browser = await newVisitor()
    const before = { session: browser.session()!.value, token: decodeURIComponent(browser.token()!.value) }
    const answer = await browser.http.post('/login', { email: mia.email, password: PASSWORD })
    expect([answer.status, answer.data]).toEqual([204, ''])
    expect(browser.session()!.value).not.toBe(before.session)
    expect401(await asked(`${browser.session()!.key}=${before.session}`))
    expect(
      (
        await browser.http.post(
          '/api/profile',
          { name: 'Mia' },
          { headers: { 'X-XSRF-TOKEN': before.token } },
        )
      ).status,
    ).toBe(419)
    expect((await browser.http.post('/api/profile', { name: 'Mia' })).status).toBe(200)

    const inside = {
      cookies: browser.cookieHeader(),
      session: browser.session()!.value,
      token: browser.token()!.value,
    }
    const left = await browser.http.post('/logout')
    expect([left.status, left.data]).toEqual([204, ''])
    expect(browser.session()?.value).not.toBe(inside.session)
    expect(browser.token()?.value).not.toBe(inside.token)
    expect401(await asked(inside.cookies))
    expect401(await browser.http.get('/api/user'))
    expect401(await browser.http.post('/logout'))
    expect((await mia.http.get('/api/user')).status, 'her other device stays').toBe(200)
  })

  test('do not reveal whether an account exists', async () => {
    const mia = await axiosMember(server.url, 'Mia')
    const unknown = await axiosVisitor(server.url).logIn('nobody@engawa.example', 'wrong password')
    const wrong = await axiosVisitor(server.url).logIn(mia.email, 'wrong password')
    expectInvalid(unknown)
    expect([wrong.status, wrong.data]).toEqual([unknown.status, unknown.data])
    for (const body of [
      {},
      { email: mia.email },
      { email: mia.email, password: '' },
      { email: ['x'], password: 7 },
    ])
      expectInvalid(await (await newVisitor()).http.post('/login', body))
  })

  // spec: 7.2
  test('protect the endpoints for members: a visitor gets a 401', async () => {
    const someone = await newVisitor()
    const reads = [
      'user',
      'profile',
      'users',
      'followings',
      'followings/users',
      'posts/following',
      'admin/users',
    ]
    for (const path of reads) expect401(await someone.http.get(`/api/${path}`))
    const writes = [
      'profile',
      'profile-image',
      'posts',
      'posts/1/like',
      `follow/${first.id}`,
      'email/verification-notification',
    ]
    for (const path of writes) expect401(await someone.http.post(`/api/${path}`, {}))
    for (const path of ['posts/1/like', `unfollow/${first.id}`])
      expect401(await someone.http.delete(`/api/${path}`))
    expect401(await someone.http.put('/api/posts/1/like'))
    expect401(await asked(`${someone.session()!.key}=%00%ff'; --`))
  })

  test('store neither password nor session token in the data folder', async () => {
    const eve = await axiosMember(server.url, 'Eve', {
      password: 'plain as day 77',
      password_confirmation: 'plain as day 77',
    })
    for (const entry of await readdir(server.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      for (const secret of ['plain as day 77', eve.session()!.value])
        expect(bytes.includes(secret), entry.name).toBe(false)
    }
  })
})
