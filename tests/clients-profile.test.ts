import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import axios from 'axios'
import PostalMime from 'postal-mime'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  expectInvalid,
  expectRefused,
  expectVisitor,
  file,
  form,
  freePort,
  type Member,
  member,
  picture,
  TIME,
  visitor,
} from '#tests/sanctum.ts'
import { ahead, freshFolder, type Server, startServer } from '#tests/server.ts'

let server: Server
/** The first account of the server, so the admin. */
let first: Member
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off' })
  first = await member(server.url, 'First')
})

/** The links that were sent to an address, out of the mails in DATA_DIR. */
async function linksTo(email: string, on: Server = server) {
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
/** Waits for the mail: it leaves after the answer. */
const linkTo = (email: string, on?: Server) =>
  vi.waitFor(
    async () => {
      const [link] = await linksTo(email, on)
      if (!link) throw new Error('no mail yet')
      return link
    },
    { timeout: 15_000 },
  )
/** Makes the call of the link's page, on a device that is not logged in. */
const call = (link: string, url = server.url) =>
  visitor(url).http.get(link.replace(/^https?:\/\/[^/]+/, '/api'))

describe('the verification link', () => {
  test('comes by mail and stands in the log, works on another device, and logs nobody in', async () => {
    const ana = await member(server.url, 'Ana')
    const link = await linkTo(ana.email)
    const hash = createHash('sha1').update(ana.email).digest('hex')
    expect(link).toMatch(
      new RegExp(`^${server.url}/email/verify/${ana.id}/${hash}\\?expires=\\d+&signature=[0-9a-f]{64}$`),
    )
    const life = Number(new URL(link).searchParams.get('expires')) - Date.now() / 1000
    expect(Math.round(life / 3600)).toBe(24)
    await vi.waitFor(() => expect(server.logs()).toContain(link))
    expect((await ana.http.get('/api/user')).data.email_verified_at).toBeNull()

    const device = visitor(server.url)
    const once = await device.http.get(link.replace(server.url, '/api'))
    expect(once.status).toBe(200)
    expect(once.data).toEqual({ message: expect.stringMatching(/\S/) })
    expectVisitor(await device.http.get('/api/user'))
    const verified = (await ana.http.get('/api/user')).data.email_verified_at
    expect(verified).toMatch(TIME)

    const again = await call(link)
    expect(again.status).toBe(200)
    expect(again.data).toEqual({ message: expect.stringMatching(/\S/) })
    expect(again.data.message).not.toBe(once.data.message)
    expect((await ana.http.get('/api/user')).data.email_verified_at).toBe(verified)
  })

  test('is refused when anything of it was changed', async () => {
    const [ben, cho] = [await member(server.url, 'Ben'), await member(server.url, 'Cho')]
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
    for (const address of wrong) expectRefused(await call(address), 403)
    for (const { http } of [ben, cho]) expect((await http.get('/api/user')).data.email_verified_at).toBeNull()
    expect((await call(link.href)).status).toBe(200)
  })

  test('is good for 24 hours', async () => {
    const folder = await freshFolder()
    const today = await startServer({ DATA_DIR: folder })
    const [dan, eva] = [await member(today.url, 'Dan'), await member(today.url, 'Eva')]
    const links = [await linkTo(dan.email, today), await linkTo(eva.email, today)] as const
    await today.stop()
    const hour = 3600 * 1000
    const later = await startServer({ DATA_DIR: folder, ...ahead(23 * hour) })
    expect((await call(links[0], later.url)).status).toBe(200)
    await later.stop()
    const tooLate = await startServer({ DATA_DIR: folder, ...ahead(25 * hour) })
    expectRefused(await call(links[1], tooLate.url), 403)
    await tooLate.stop()
  })

  test('is sent again to whoever asks for it', async () => {
    const fay = await member(server.url, 'Fay')
    await linkTo(fay.email)
    const answer = await fay.http.post('/api/email/verification-notification')
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ message: expect.stringMatching(/\S/) })
    await vi.waitFor(async () => expect(await linksTo(fay.email)).toHaveLength(2), { timeout: 15_000 })
    expect((await call((await linksTo(fay.email))[1]!)).status).toBe(200)
  })

  test('is shown to admins, who may pass it on', async () => {
    const gil = await member(server.url, 'Gil')
    const path = (id: number | string) => `/api/admin/users/${id}/verification-link`
    const { status, data } = await first.http.get(path(gil.id))
    expect(status).toBe(200)
    expect(data.link).toMatch(new RegExp(`^${server.url}/email/verify/${gil.id}/`))
    expect((await call(data.link)).status).toBe(200)
    expect((await gil.http.get('/api/user')).data.email_verified_at).toMatch(TIME)
    expectRefused(await gil.http.get(path(gil.id)), 403)
    expectVisitor(await visitor(server.url).http.get(path(gil.id)))
    expectRefused(await first.http.get(path(999_999)), 404)
  })
})

describe('one’s own record', () => {
  test('has every field, and is the same under both addresses', async () => {
    const hana = await member(server.url, 'Hana')
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
    expect(data.created_at).toMatch(TIME)
    expect(Object.keys(data).filter((key) => /password|hash|token/.test(key))).toEqual([])
    expect((await hana.http.get('/api/profile')).data).toEqual(data)
    expect((await first.http.get('/api/user')).data.is_admin).toBe(true)
  })

  test('takes a name and a bio and nothing else, though the whole record is sent', async () => {
    const ivo = await member(server.url, 'Ivo')
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
    expect((await visitor(server.url).logIn(ivo.email)).status).toBe(204)
  })

  test('loses its bio by null and by an empty text', async () => {
    const jo = await member(server.url, 'Jo')
    for (const nothing of [null, '', '  \n ']) {
      await jo.http.post('/api/profile', { name: 'Jo', bio: 'something' })
      expect((await jo.http.post('/api/profile', { name: 'Jo', bio: nothing })).data.user.bio).toBeNull()
    }
  })

  test('holds 255 characters of name and 1000 of bio, counted as readers count', async () => {
    const kai = await member(server.url, 'Kai')
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

  test('keeps text as it was written', async () => {
    const lea = await member(server.url, 'Lea')
    const bio = `<script>alert(1)</script> ' or 1=1 -- \\ "%" 縁側 👩‍👩‍👧 \u202e`
    expect((await lea.http.post('/api/profile', { name: `O'Hara "λ"`, bio })).data.user).toMatchObject({
      name: `O'Hara "λ"`,
      bio,
    })
  })
})

describe('the profile image', () => {
  const send = (who: Member, ...files: File[]) => who.http.post('/api/profile-image', form({ image: files }))

  test('is taken, stored anew, and shown unchanged in an img', async () => {
    const max = await member(server.url, 'Max')
    const answer = await send(max, file(await picture(400, 300, 'jpeg'), 'me.jpg', 'image/jpeg'))
    expect(answer.status).toBe(200)
    const path = answer.data.profile_image
    expect(path).toMatch(/^\/[^/]/)
    expect((await max.http.get('/api/user')).data.profile_image).toBe(path)
    const shown = await axios.get(server.url + path, { responseType: 'arraybuffer' })
    expect(shown.headers['content-type']).toMatch(/^image\//)
    expect((await sharp(shown.data).metadata()).width).toBeGreaterThan(0)
    const next = await send(max, file(await picture(50, 60, 'png', '#fff'), 'new.png', 'image/png'))
    expect(next.data.profile_image).not.toBe(path)
    expect((await max.http.get('/api/users?q=Max')).data[0].profile_image).toBe(next.data.profile_image)
  })

  test('is judged by its content, and a refusal names the file', async () => {
    const ned = await member(server.url, 'Ned')
    const png = await picture(40, 40)
    const wrong = [
      file('just text', 'face.png', 'image/png'),
      file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'face.svg', 'image/svg+xml'),
      file(png.subarray(0, 60), 'torn.png', 'image/png'),
      file(Buffer.concat([png.subarray(0, 8), Buffer.alloc(500, 7)]), 'noise.png', 'image/png'),
      file(await sharp(png).tiff().toBuffer(), 'face.tiff', 'image/tiff'),
    ]
    for (const one of wrong) {
      const answer = await send(ned, one)
      expectInvalid(answer, 'image')
      expect(answer.data.message).toContain(one.name)
    }
    expectInvalid(await send(ned), 'image')
    expectInvalid(await ned.http.post('/api/profile-image', form({ image: 'text' })), 'image')
    expectInvalid(await ned.http.post('/api/profile-image', {}), 'image')
    expect((await ned.http.get('/api/user')).data.profile_image).toBeNull()
    expect((await send(ned, file(png, 'notes.txt', 'text/plain'))).status).toBe(200)
  })
})

test('where PUBLIC_URL is set, pictures and links begin with it', async () => {
  const origin = 'http://town.example:8080'
  const port = await freePort()
  const named = await startServer({ PORT: String(port), PUBLIC_URL: origin, ALLOWED_ORIGINS: origin })
  expect(named.logs()).toContain(`Engawa is ready at ${origin}`)
  const rae = await member(named.url, 'Rae')
  expect(await linkTo(rae.email, named)).toMatch(new RegExp(`^${origin}/email/verify/${rae.id}/`))
  const { data } = await rae.http.post(
    '/api/profile-image',
    form({ image: file(await picture(30, 30), 'a.png') }),
  )
  expect(data.profile_image.startsWith(`${origin}/`)).toBe(true)
  expect((await axios.get(data.profile_image.replace(origin, named.url))).status).toBe(200)
  const mail = (await readdir(join(named.folder, 'mail')))[0]!
  expect((await PostalMime.parse(await readFile(join(named.folder, 'mail', mail)))).from?.address).toBe(
    'engawa@localhost',
  )
  await named.stop()
})
