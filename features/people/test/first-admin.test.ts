import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { grantConfigured } from '#features/people/admins.ts'
import { setupHint } from '#features/people/setup.ts'
import { verificationLink } from '#features/people/verification.ts'
import { createTestApp, databases, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const PUBLIC_URL = 'https://town.example'
const publicHost = { host: 'town.example' }
const codeOf = ({ config }: TestApp) => config.SETUP_CODE

async function register(actor: TestClient, name: string, more: object = {}) {
  await actor.get('/sanctum/csrf-cookie')
  return actor.post('/api/register', {
    name,
    email: `${name.toLowerCase()}@engawa.example`,
    password: 'correct horse',
    password_confirmation: 'correct horse',
    ...more,
  })
}
const isAdmin = async (actor: TestClient) => (await actor.get('/api/user')).body.is_admin as boolean
const verify = (app: TestApp, actor: TestClient, id: number, email: string) => {
  const link = new URL(verificationLink(app.context, id, email))
  return actor.get(`/api${link.pathname}${link.search}`)
}

describe.each(databases)('the first admin on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('is the first account of a local server, for any local host name', async () => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      const ann = (await open({ PUBLIC_URL: 'http://localhost:3000' })).visitor({ host })
      expect((await register(ann, 'Ann')).status).toBe(200)
      expect(await isAdmin(ann), host).toBe(true)
    }
  })

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['listens to other machines', { HOST: '0.0.0.0' }, {}],
    ['is known by a public address', { PUBLIC_URL }, publicHost],
    ['is known by a public address, asked by a local name', { PUBLIC_URL }, {}],
    ['is reached through a proxy', {}, { 'x-forwarded-for': '203.0.113.7' }],
    ['is reached through a trusted proxy', { TRUST_PROXY: 'loopback' }, { 'x-forwarded-for': '203.0.113.7' }],
  ])('does not exist without the set-up code where the server %s', async (_, env, headers) => {
    const app = await open(env)
    const mallory = app.visitor(headers)
    expect((await register(mallory, 'Mallory')).status).toBe(200)
    expect(await isAdmin(mallory)).toBe(false)
    expect(await readRows(app.db, 'admins')).toEqual([])
    const ann = app.visitor(headers)
    expect((await register(ann, 'Ann', { setup_code: codeOf(app) })).status).toBe(200)
    expect(await isAdmin(ann)).toBe(true)
  })

  test('gets the first mail in the language that was chosen for the community', async () => {
    for (const [default_language, subject] of [
      ['ja', 'メールアドレスの確認'],
      [null, 'Verify your email address'],
    ]) {
      const app = await open()
      const ann = app.visitor()
      await register(ann, 'Ann', { setup_code: codeOf(app), default_language })
      await app.context.jobs.idle()
      const [file] = await readdir(join(app.folder, 'mail'))
      const mail = await PostalMime.parse(await readFile(join(app.folder, 'mail', file!)))
      expect(mail.subject).toContain(subject)
      const member_languages = await readRows(app.db, 'member_languages')
      expect(member_languages).toEqual([expect.objectContaining({ lang: default_language ?? 'en' })])
    }
  })

  test('is created once, with the right code', async () => {
    const app = await open({ PUBLIC_URL, SETUP_CODE: 'open-sesame' })
    const state = async (code: string) =>
      (await app.visitor(publicHost).get(`/api/setup?code=${code}`)).body.state
    const ann = app.visitor(publicHost)
    for (const setup_code of ['wrong', 'open-sesam', 'open-sesamf', 'OPEN-SESAME'])
      expect(await register(ann, 'Ann', { setup_code })).toMatchObject({
        status: 422,
        body: { errors: { setup_code: [expect.any(String)] } },
      })
    expect(await readRows(app.db, 'users')).toEqual([])
    expect(await Promise.all([state(''), state('wrong'), state('open-sesame')])).toEqual([
      'wrong_code',
      'wrong_code',
      'open',
    ])
    const tries = await Promise.all(
      ['Ann', 'Ben', 'Chika'].map((name) =>
        register(app.visitor(publicHost), name, { setup_code: 'open-sesame' }),
      ),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await readRows(app.db, 'admins')).toHaveLength(1)
    expect(await state('open-sesame')).toBe('done')
    expect(await register(app.visitor(publicHost), 'Dai', { setup_code: 'open-sesame' })).toMatchObject({
      status: 422,
      body: { errors: { setup_code: [expect.stringContaining('already has an admin')] } },
    })
  })

  test('is announced to the operator until there is one', async () => {
    const local = await open()
    const hint = (app: TestApp) => setupHint(app.db, app.config, PUBLIC_URL)
    expect(await hint(local)).toContain(`${PUBLIC_URL}/setup?code=${codeOf(local)}`)
    await local.members('Ann')
    expect(await hint(local)).toBeNull()
    const remote = await open({ PUBLIC_URL })
    expect(codeOf(remote)).toMatch(/^[\w-]{43}$/)
    expect(await hint(remote)).toContain(`${PUBLIC_URL}/setup?code=${codeOf(remote)}`)
    await remote.members('Mallory')
    expect(await hint(remote)).toContain(`/setup?code=${codeOf(remote)}`)
    await register(remote.visitor(), 'Ann', { setup_code: codeOf(remote) })
    expect(await hint(remote)).toBeNull()
  })

  test('must register by a known host: other hosts are refused while there is no account', async () => {
    const app = await open({ PUBLIC_URL })
    const at = (host: string, path = '/api/posts') => app.visitor({ host }).get(path)
    for (const host of [
      'evil.example',
      'town.example.evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'x y',
    ])
      for (const path of ['/api/posts', '/', '/api/register', '/nowhere'])
        expect(await at(host, path), host).toMatchObject({
          status: 421,
          body: { message: expect.any(String) },
        })
    expect((await register(app.visitor({ host: 'evil.example' }), 'Mallory')).status).toBe(421)
    expect(await readRows(app.db, 'users')).toEqual([])
    for (const host of ['town.example', 'TOWN.example:443', 'localhost:3000', '127.0.0.1', '[::1]:3000'])
      expect((await at(host)).status, host).toBe(200)
    expect((await at('evil.example', '/healthz')).status).toBe(200)
    expect((await at('evil.example', '/readyz')).status).toBe(200)
    await register(app.visitor(publicHost), 'Ann', { setup_code: codeOf(app) })
    expect((await at('evil.example')).status).toBe(200)
  })
})

describe.each(databases)('ADMIN_EMAIL on %s', (dialect) => {
  const env = { ADMIN_EMAIL: 'Chika@Engawa.example, dai@engawa.example' }

  test('makes admins only of members who open the link to such an address in their own session', async () => {
    const app = await createTestApp({ dialect, env })
    const { Ben, Chika, Dai, Eve } = await app.members('Ann', 'Ben', 'Chika', 'Dai', 'Eve')
    const admins = () => Promise.all([Ben, Chika, Dai, Eve].map(isAdmin))
    expect(await admins()).toEqual([false, false, false, false])
    expect((await Chika.get('/api/admin/users')).status).toBe(403)
    expect((await verify(app, Chika, Chika.id, 'chika@engawa.example')).status).toBe(200)
    expect((await verify(app, Eve, Eve.id, 'eve@engawa.example')).status).toBe(200)
    expect((await verify(app, app.visitor(), Dai.id, 'dai@engawa.example')).status).toBe(200)
    expect(await admins()).toEqual([false, true, false, false])
    expect((await Chika.get('/api/admin/users')).status).toBe(200)
  })

  test('grants the right at a restart only to proven addresses', async () => {
    const app = await createTestApp({ dialect })
    const { Chika, Dai } = await app.members('Ann', 'Chika', 'Dai')
    await verify(app, Chika, Chika.id, 'chika@engawa.example')
    await verify(app, app.visitor(), Dai.id, 'dai@engawa.example')
    const named = { ...app.config, ADMIN_EMAIL: ['chika@engawa.example', 'dai@engawa.example'] }
    await grantConfigured(app.db, named)
    expect(await Promise.all([Chika, Dai].map(isAdmin))).toEqual([true, false])
    await verify({ ...app, context: { ...app.context, config: named } }, Dai, Dai.id, 'dai@engawa.example')
    await grantConfigured(app.db, named)
    expect(await isAdmin(Dai)).toBe(true)
  })
})
