import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import axios from 'axios'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import {
  type AxiosMember,
  axiosFile,
  axiosForm,
  axiosMember,
  axiosVisitor,
  expect401,
  expectError,
  expectInvalid,
  ISO_TIME,
  pictureBytes,
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

/**
 * Returns the verification links in the mails to an email address. Reads the mails from the folder in which
 * the server stores them as files.
 */
async function linksTo(email: string, on: Site = server) {
  const folder = join(on.folder, 'mail')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails
    .filter(({ to }) => to?.some(({ address }) => address === email))
    .map(({ text, html }) => {
      const link = /https?:\/\/\S+\/email\/verify\/\S+/.exec(text ?? '')![0]
      expect(html, 'both parts of the mail lead to the same place').toContain(link.replace('&', '&#38;'))
      return link
    })
}
/** Waits up to 15 seconds for a verification mail to an email address. Returns the link in the first one. */
const linkTo = (email: string, on?: Site) =>
  eventually(async () => {
    const [link] = await linksTo(email, on)
    if (!link) throw new Error('no mail yet')
    return link
  })
/**
 * Sends the API request that the page of a verification link sends, as a visitor who is not logged in.
 * Returns the response.
 */
const call = (link: string, url = server.url) =>
  axiosVisitor(url).http.get(link.replace(/^https?:\/\/[^/]+/, '/api'))

describe('the verification link', () => {
  test('is sent by mail and logged, works on another device, and does not log that device in', async () => {
    const ana = await axiosMember(server.url, 'Ana')
    const link = await linkTo(ana.email)
    const hash = createHash('sha1').update(ana.email).digest('hex')
    expect(link).toMatch(
      new RegExp(`^${server.url}/email/verify/${ana.id}/${hash}\\?expires=\\d+&signature=[0-9a-f]{64}$`),
    )
    const life = Number(new URL(link).searchParams.get('expires')) - Date.now() / 1000
    expect(Math.round(life / 3600)).toBe(24)
    await eventually(() => expect(JSON.stringify(server.infos())).toContain(link))
    expect((await ana.http.get('/api/user')).data.email_verified_at).toBeNull()

    const device = axiosVisitor(server.url)
    const once = await device.http.get(link.replace(server.url, '/api'))
    expect(once.status).toBe(200)
    const registered = { name: 'Ana', created_at: expect.stringMatching(ISO_TIME) }
    expect(once.data).toEqual({ message: expect.stringMatching(/\S/), registered })
    expect401(await device.http.get('/api/user'))
    const verified = (await ana.http.get('/api/user')).data.email_verified_at
    expect(verified).toMatch(ISO_TIME)

    const again = await call(link)
    expect(again.status).toBe(200)
    expect(again.data).toEqual({ message: expect.stringMatching(/\S/), registered })
    expect(again.data.message).not.toBe(once.data.message)
    expect((await ana.http.get('/api/user')).data.email_verified_at).toBe(verified)
  })

  test('is refused when any part of it was changed', async () => {
    const [ben, cho] = [await axiosMember(server.url, 'Ben'), await axiosMember(server.url, 'Cho')]
    const link = new URL(await linkTo(ben.email))
    const other = new URL(await linkTo(cho.email))
    const changed = (part: (url: URL) => void) => {
      const url = new URL(link)
      part(url)
      return url.href
    }
    const wrong = [
      changed((url) => url.searchParams.set('signature', other.searchParams.get('signature')!)),
      changed((url) => url.searchParams.set('signature', 'x')),
      changed((url) => url.searchParams.delete('signature')),
      changed((url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
      changed((url) => url.searchParams.delete('expires')),
      changed((url) => (url.search = '')),
      changed((url) => (url.pathname = url.pathname.replace(`/${ben.id}/`, `/${cho.id}/`))),
      changed((url) => (url.pathname = other.pathname)),
      changed((url) => (url.pathname = url.pathname.replace(/.{4}$/, '0000'))),
    ]
    for (const address of wrong) expectError(await call(address), 403)
    for (const { http } of [ben, cho]) expect((await http.get('/api/user')).data.email_verified_at).toBeNull()
    expect((await call(link.href)).status).toBe(200)
  })

  test('is sent again when the member requests it', async () => {
    const fay = await axiosMember(server.url, 'Fay')
    await linkTo(fay.email)
    const answer = await fay.http.post('/api/email/verification-notification')
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ message: expect.stringMatching(/\S/) })
    await eventually(async () => expect(await linksTo(fay.email)).toHaveLength(2))
    expect((await call((await linksTo(fay.email))[1]!)).status).toBe(200)
  })

  test('is shown to admins, who may pass it on', async () => {
    const gil = await axiosMember(server.url, 'Gil')
    const path = (id: number | string) => `/api/admin/users/${id}/verification-link`
    const { status, data } = await first.http.get(path(gil.id))
    expect(status).toBe(200)
    expect(data.link).toMatch(new RegExp(`^${server.url}/email/verify/${gil.id}/`))
    expect((await call(data.link)).status).toBe(200)
    expect((await gil.http.get('/api/user')).data.email_verified_at).toMatch(ISO_TIME)
    expectError(await gil.http.get(path(gil.id)), 403)
    expect401(await axiosVisitor(server.url).http.get(path(gil.id)))
    expectError(await first.http.get(path(999_999)), 404)
  })
})

describe('the current user’s record', () => {
  // spec: 3.1, 6.2
  test('has every field, and is the same at both URLs', async () => {
    const hana = await axiosMember(server.url, 'Hana')
    const { status, data } = await hana.http.get('/api/user')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      id: hana.id,
      name: 'Hana',
      email: hana.email,
      is_admin: false,
      profile_image: null,
      bio: null,
      email_verified_at: null,
    })
    expect(data.created_at).toMatch(ISO_TIME)
    expect(Object.keys(data).filter((key) => /password|hash|token/.test(key))).toEqual([])
    expect((await hana.http.get('/api/profile')).data).toEqual(data)
    expect((await first.http.get('/api/user')).data.is_admin).toBe(true)
  })

  // spec: 7.15
  test('accepts a name and a bio, and ignores other fields', async () => {
    const ivo = await axiosMember(server.url, 'Ivo')
    const before = (await ivo.http.get('/api/profile')).data
    const sent = {
      ...before,
      id: first.id,
      email: 'other@engawa.example',
      is_admin: true,
      profile_image: '/media/x.webp',
      email_verified_at: before.created_at,
      created_at: '2000-01-01T00:00:00.000Z',
      password: 'another password',
    }
    const answer = await ivo.http.post('/api/profile', {
      ...sent,
      name: '  Ivo the Second ',
      bio: ' I like\ntea. ',
    })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      message: expect.stringMatching(/\S/),
      user: { ...before, name: 'Ivo the Second', bio: 'I like\ntea.' },
    })
    expect((await ivo.http.get('/api/user')).data).toEqual({
      ...before,
      name: 'Ivo the Second',
      bio: 'I like\ntea.',
    })
    expect((await first.http.get('/api/user')).data.name).toBe('First')
    expect((await axiosVisitor(server.url).logIn(ivo.email)).status).toBe(204)
  })

  test('has no bio after null or an empty text', async () => {
    const jo = await axiosMember(server.url, 'Jo')
    for (const nothing of [null, '', '  \n ']) {
      await jo.http.post('/api/profile', { name: 'Jo', bio: 'something' })
      expect((await jo.http.post('/api/profile', { name: 'Jo', bio: nothing })).data.user.bio).toBeNull()
    }
  })

  test('holds 255 characters of name and 1000 of bio, counted as code points', async () => {
    const kai = await axiosMember(server.url, 'Kai')
    const full = { name: '🦋'.repeat(255), bio: '𠮷'.repeat(1000) }
    expect((await kai.http.post('/api/profile', full)).data.user).toMatchObject(full)
    expectInvalid(await kai.http.post('/api/profile', { ...full, name: `${full.name}a` }), 'name')
    expectInvalid(await kai.http.post('/api/profile', { ...full, bio: `${full.bio}a` }), 'bio')
    for (const name of ['', '   ', null, 7, ['x']])
      expectInvalid(await kai.http.post('/api/profile', { name, bio: 'x' }), 'name')
    expectInvalid(await kai.http.post('/api/profile', { bio: 'x' }), 'name')
    for (const bio of [7, ['x'], { a: 1 }, true])
      expectInvalid(await kai.http.post('/api/profile', { name: 'x', bio }), 'bio')
    expect((await kai.http.get('/api/profile')).data).toMatchObject(full)
  })

  test('stores text unchanged', async () => {
    const lea = await axiosMember(server.url, 'Lea')
    const bio = `<script>alert(1)</script> ' or 1=1 -- \\ "%" 縁側 👩‍👩‍👧 \u202e`
    expect((await lea.http.post('/api/profile', { name: `O'Hara "λ"`, bio })).data.user).toMatchObject({
      name: `O'Hara "λ"`,
      bio,
    })
  })
})

test('where PUBLIC_URL is set, the URLs of pictures and links begin with it', async () => {
  const origin = 'http://town.example:8080'
  const named = await startSite({ PUBLIC_URL: origin, ALLOWED_ORIGINS: origin })
  const rae = await axiosMember(named.url, 'Rae')
  expect(await linkTo(rae.email, named)).toMatch(new RegExp(`^${origin}/email/verify/${rae.id}/`))
  const { data } = await rae.http.post(
    '/api/profile-image',
    axiosForm({
      image: axiosFile(await pictureBytes(30, 30), 'a.png'),
    }),
  )
  expect(data.profile_image.startsWith(`${origin}/`)).toBe(true)
  expect((await axios.get(data.profile_image.replace(origin, named.url))).status).toBe(200)
  const mail = (await readdir(join(named.folder, 'mail')))[0]!
  expect((await PostalMime.parse(await readFile(join(named.folder, 'mail', mail)))).from?.address).toBe(
    'engawa@localhost',
  )
  await named.stop()
})
