import { beforeAll, describe, expect, test } from 'vitest'
import {
  expectErrorResponse,
  expectValidationError,
  fetchEachPageOfListWithAxios,
  findNextPageUrlInAxiosResponse,
  ISO_TIME_PATTERN,
  registerTestMemberWithAxios,
  type TestMemberWithAxiosClient,
} from '#tests/sanctum.ts'
import { type RunningTestServer, startTestServerProcess } from '#tests/server.ts'

let server: RunningTestServer
/** The client of the first member who registered at this server, and so became its admin. */
let first: TestMemberWithAxiosClient
beforeAll(async () => {
  server = await startTestServerProcess({
    RATE_LIMIT: 'off',
    ADMIN_EMAIL: 'boss@engawa.example, Chief@engawa.example',
  })
  first = await registerTestMemberWithAxios(server.url, 'First')
})

describe('people', () => {
  // spec: 7.17
  test('are listed by id, including oneself, with name and picture', async () => {
    const ana = await registerTestMemberWithAxios(server.url, 'Ana')
    const { status, data } = await ana.http.get('/api/users')
    expect(status).toBe(200)
    const ids = (data as { id: number }[]).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(data.find(({ id }: { id: number }) => id === ana.id)).toMatchObject({
      id: ana.id,
      name: 'Ana',
      profile_image: null,
    })
    expect(ids).toContain(first.id)
    expect(Object.keys(data[0]).filter((key) => /email|password|admin/.test(key))).toEqual([])
  })

  test('are found by a part of their name, in upper or lower case, with any characters', async () => {
    const names = [
      'Søren Ångström',
      '田中さくら',
      '田辺',
      '100% Wool',
      'snake_case',
      'snakeXcase',
      'Back\\slash',
    ]
    for (const name of names) await registerTestMemberWithAxios(server.url, name)
    const found = async (q: string) =>
      ((await first.http.get('/api/users', { params: { q } })).data as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await found('ÅNGSTRÖM')).toEqual(['Søren Ångström'])
    expect(await found('søren å')).toEqual(['Søren Ångström'])
    expect(await found('田')).toEqual(['田中さくら', '田辺'])
    expect(await found('さく')).toEqual(['田中さくら'])
    expect(await found('%')).toEqual(['100% Wool'])
    expect(await found('E_C')).toEqual(['snake_case'])
    expect(await found('\\')).toEqual(['Back\\slash'])
    expect(await found(`' or 1=1 --`)).toEqual([])
    expect((await found('')).length).toBeGreaterThan(names.length)
    expect(await found('  wool ')).toEqual(['100% Wool'])
  })

  test('are split into pages where a client asks for pages', async () => {
    const everyone = (await first.http.get('/api/users')).data
    for (let n = 0; n < 3; n++) await registerTestMemberWithAxios(server.url, `Extra ${n}`)
    const pages = await fetchEachPageOfListWithAxios<{ id: number }>(first.http, '/api/users?limit=2')
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true)
    expect(pages.flat().map(({ id }) => id)).toEqual(
      (await first.http.get('/api/users')).data.map(({ id }: { id: number }) => id),
    )
    expect(pages.flat()).toHaveLength(everyone.length + 3)
    expect(
      (await fetchEachPageOfListWithAxios(first.http, '/api/users?limit=2&q=extra')).flat(),
    ).toHaveLength(3)
  })

  test('can be followed and unfollowed repeatedly', async () => {
    const [ben, cho] = [
      await registerTestMemberWithAxios(server.url, 'Ben'),
      await registerTestMemberWithAxios(server.url, 'Cho'),
    ]
    expect((await ben.http.get('/api/followings')).data).toEqual([])
    for (let n = 0; n < 2; n++) {
      const { status, data } = await ben.http.post(`/api/follow/${cho.id}`)
      expect([status, data]).toEqual([200, { status: 'followed' }])
    }
    expect(
      (await Promise.all(Array.from({ length: 5 }, () => ben.http.post(`/api/follow/${first.id}`)))).map(
        ({ status }) => status,
      ),
    ).toEqual(Array(5).fill(200))
    const ids = (await ben.http.get('/api/followings')).data as number[]
    expect(ids.toSorted((a, b) => a - b)).toEqual([first.id, cho.id])
    const users = await ben.http.get('/api/followings/users')
    expect(users.data).toHaveLength(2)
    expect(users.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: cho.id, name: 'Cho', profile_image: null })]),
    )
    expect((await cho.http.get('/api/followings')).data).toEqual([])
    for (let n = 0; n < 2; n++) {
      const { status, data } = await ben.http.delete(`/api/unfollow/${cho.id}`)
      expect([status, data]).toEqual([200, { status: 'unfollowed' }])
    }
    expect((await ben.http.get('/api/followings')).data).toEqual([first.id])
  })

  test('cannot follow themselves or unknown users', async () => {
    const dan = await registerTestMemberWithAxios(server.url, 'Dan')
    const self = await dan.http.post(`/api/follow/${dan.id}`)
    expectValidationError(self)
    expectErrorResponse(await dan.http.post('/api/follow/999999'), 404)
    for (const id of ['abc', '0', '-1', '1.5', '9'.repeat(30)])
      expect([404, 422]).toContain((await dan.http.post(`/api/follow/${id}`)).status)
    expect((await dan.http.get('/api/followings')).data).toEqual([])
  })
})

describe('the list of accounts', () => {
  // spec: 7.18
  test('is for admins: the first account, and the accounts in ADMIN_EMAIL once they are verified', async () => {
    const quin = await registerTestMemberWithAxios(server.url, 'Quin')
    expectErrorResponse(await quin.http.get('/api/admin/users'), 403)
    const boss = await registerTestMemberWithAxios(server.url, 'Boss', { email: 'BOSS@engawa.example' })
    const chief = await registerTestMemberWithAxios(server.url, 'Chief', { email: 'chief@engawa.example' })
    for (const named of [boss, chief]) {
      expectErrorResponse(await named.http.get('/api/admin/users'), 403)
      const { link } = (await first.http.get(`/api/admin/users/${named.id}/verification-link`)).data
      const { pathname, search } = new URL(link)
      expect((await named.http.get(`/api${pathname}${search}`)).status).toBe(200)
    }
    for (const admin of [first, boss, chief]) {
      const { status, data } = await admin.http.get('/api/admin/users?q=QUIN')
      expect(status).toBe(200)
      expect(data.userData).toHaveLength(1)
      expect(data.userData[0]).toMatchObject({
        id: quin.id,
        name: 'Quin',
        email: quin.email,
        is_admin: false,
        email_verified_at: null,
        profile_image: null,
      })
      expect(data.userData[0].created_at).toMatch(ISO_TIME_PATTERN)
    }
    const everyone = (await first.http.get('/api/admin/users')).data.userData as {
      id: number
      is_admin: boolean
    }[]
    expect(
      everyone
        .filter(({ is_admin }) => is_admin === true)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([first.id, boss.id, chief.id].sort())
    expect(JSON.stringify(everyone)).not.toMatch(/password|hash/)
    const page = await first.http.get('/api/admin/users?limit=2')
    expect(page.data.userData).toHaveLength(2)
    expect(findNextPageUrlInAxiosResponse(page)).not.toBeNull()
  })
})
