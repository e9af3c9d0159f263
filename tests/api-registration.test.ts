import axios from 'axios'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AxiosMember,
  axiosMember,
  axiosVisitor,
  expect401,
  expectInvalid,
  ISO_TIME,
  PASSWORD,
} from '#tests/sanctum.ts'
import { type Site, startSite } from '#tests/site.ts'

let server: Site
/** The client of the first member who registered at this server, and so became its admin. */
let _first: AxiosMember
beforeAll(async () => {
  server = await startSite()
  _first = await axiosMember(server.url, 'First')
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

describe('registration', () => {
  const correct = {
    name: 'Ana',
    email: 'ana@engawa.example',
    password: PASSWORD,
    password_confirmation: PASSWORD,
  }

  test('logs in at once, with a new session and a new token', async () => {
    const ana = await newVisitor()
    const [session, token] = [ana.session()!.value, ana.token()!.value]
    const answer = await ana.http.post('/api/register', correct)
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      message: expect.stringMatching(/\S/),
      user: { id: expect.any(Number), name: 'Ana', email: 'ana@engawa.example' },
    })
    expect(answer.data.user.created_at).toMatch(ISO_TIME)
    expect(JSON.stringify(answer.data)).not.toMatch(/password/)
    expect(ana.session()!.value).not.toBe(session)
    expect(ana.token()!.value).not.toBe(token)
    expect((await ana.http.get('/api/user')).data).toMatchObject({ id: answer.data.user.id, is_admin: false })
    expect401(await asked(`${ana.session()!.key}=${session}`))
  })

  const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}`
  test.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['a name of spaces', { name: ' \t ' }, ['name']],
    ['a null name', { name: null }, ['name']],
    ['a name that is no text', { name: ['x'] }, ['name']],
    ['a name of 256 characters', { name: '名'.repeat(256) }, ['name']],
    ['no e-mail', { email: '' }, ['email']],
    ['an e-mail without a host', { email: 'ana' }, ['email']],
    ['an e-mail with a line break', { email: 'a@engawa.example\nBcc: b@engawa.example' }, ['email']],
    ['an e-mail of 256 characters', { email: long.padEnd(252, 'c').concat('.org') }, ['email']],
    ['an e-mail that is no text', { email: { a: 1 } }, ['email']],
    ['no password', { password: '', password_confirmation: '' }, ['password']],
    ['a password of 7 characters', { password: '1234567', password_confirmation: '1234567' }, ['password']],
    ['another confirmation', { password_confirmation: `${PASSWORD} ` }, ['password']],
    ['no confirmation', { password_confirmation: undefined }, ['password']],
    [
      'nothing',
      { name: '', email: '', password: '', password_confirmation: '' },
      ['name', 'email', 'password'],
    ],
  ])('refuses %s', async (_, wrong, fields) => {
    const someone = await newVisitor()
    expectInvalid(
      await someone.http.post('/api/register', { ...correct, email: 'new@engawa.example', ...wrong }),
      ...fields,
    )
    expect401(await someone.http.get('/api/user'))
  })

  test('rejects an e-mail that is in use, also in other letter case or with spaces around it', async () => {
    const taken = await axiosMember(server.url, 'Taken', { email: 'Taken@engawa.example' })
    const someone = await newVisitor()
    for (const email of ['Taken@engawa.example', 'taken@ENGAWA.example', '  TAKEN@engawa.example '])
      expectInvalid(await someone.http.post('/api/register', { ...correct, email }), 'email')
    expect((await axiosVisitor(server.url).logIn('TAKEN@ENGAWA.EXAMPLE')).status).toBe(204)
    expect((await taken.http.get('/api/user')).status).toBe(200)
  })

  test('accepts one of eight simultaneous registrations with the same e-mail', async () => {
    const crowd = await Promise.all(Array.from({ length: 8 }, newVisitor))
    const answers = await Promise.all(
      crowd.map(({ http }) => http.post('/api/register', { ...correct, email: 'crowd@engawa.example' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)])
  })

  test('trims names and e-mails, but never passwords', async () => {
    const password = '  two spaces  '
    const pia = await axiosMember(server.url, '  Pia\n', {
      email: ' pia@engawa.example ',
      password,
      password_confirmation: password,
    })
    expect((await pia.http.get('/api/user')).data).toMatchObject({ name: 'Pia', email: 'pia@engawa.example' })
    expectInvalid(await axiosVisitor(server.url).logIn('pia@engawa.example', password.trim()))
    expect((await axiosVisitor(server.url).logIn(' pia@engawa.example ', password)).status).toBe(204)
  })

  test('accepts usual e-mails of up to 255 characters', async () => {
    const label = 'b'.repeat(60)
    const longest = `${'a'.repeat(60)}@${label}.${label}.`.padEnd(242, 'c').concat('.', 'd'.repeat(8), '.org')
    expect(longest).toHaveLength(255)
    for (const email of [
      'first.last+tag@mail.engawa.example',
      "o'hara@engawa.example",
      'a_b-c@x-y.example',
      longest,
    ])
      expect(
        (await (await axiosMember(server.url, 'Someone', { email })).http.get('/api/user')).data.email,
      ).toBe(email)
  })

  test('accepts a name of 255 characters, also where each takes two UTF-16 units', async () => {
    const name = '👪'.repeat(255)
    const crowd = await axiosMember(server.url, name)
    expect((await crowd.http.get('/api/user')).data.name).toBe(name)
  })

  test('ignores unknown fields', async () => {
    const sly = await axiosMember(server.url, 'Sly', {
      id: 1,
      is_admin: true,
      email_verified_at: '2020-01-01T00:00:00.000Z',
      profile_image: '/x.png',
    })
    expect((await sly.http.get('/api/user')).data).toMatchObject({
      id: sly.id,
      is_admin: false,
      email_verified_at: null,
      profile_image: null,
    })
    expect(sly.id).not.toBe(1)
  })
})
