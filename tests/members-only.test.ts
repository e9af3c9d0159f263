import { describe, expect, test, vi } from 'vitest'
import { apiContracts, pageDefinitions } from '#app.ts'
import type { ServedEndpoint } from '#core/schemas.ts'
import { deep, pairs } from '#tests/deep.ts'
import { createTestApp, type Dialect, databases, storageKinds, type TestClient } from '#tests/harness.ts'
import { SIX_DIGIT_ID, seedCommunity, setWhoCanRead } from '#tests/members-only.ts'
import { type ClientResponse, comparable, headerSets } from './comparable-responses.ts'

vi.setConfig({ testTimeout: 120_000 })

const endpoints = Object.entries(apiContracts).flatMap(([feature, contract]) =>
  Object.entries(contract).map(([name, endpoint]) => ({ call: `${feature}.${name}`, endpoint })),
)

/**
 * The call names of the endpoints that anyone may call even if the community is for members only, because
 * people need them to log in, to set up or register, or to use a card, a QR code of a device, or the link in
 * a mail. All other endpoints need an account. Before you add an endpoint to this list, make sure that its
 * responses contain nothing that members have written, and do not tell whether a row exists.
 */
const openToStrangers = [
  'account.forgotPassword',
  'account.logIn',
  'account.resetPassword',
  'account.undoEmailChange',
  'account.verifyEmailChange',
  'calendars.feed',
  'cards.check',
  'cards.passkeyOptions',
  'cards.use',
  'deviceLinks.check',
  'deviceLinks.use',
  'digest.unsubscribe',
  'events.answerPage',
  'events.confirmAnswer',
  'invitations.check',
  'joinRequests.create',
  'joinRequests.state',
  'joinRequests.verify',
  'passkeys.challenge',
  'passkeys.challengeOptions',
  'passkeys.logIn',
  'passkeys.logInOptions',
  'people.disownEmail',
  'people.token',
  'people.verify',
  'registration.register',
  'registration.state',
  'rollCalls.confirm',
  'rollCalls.page',
  'secondStep.challenge',
  'setup.state',
  'sharedAlbums.file',
  'sharedAlbums.page',
  'sharedAlbums.picture',
  'sharedAlbums.zip',
]

/**
 * The paths of the pages that strangers may open in a members-only community, for the same reason as the
 * endpoints in `openToStrangers`.
 */
const pagesOpenToStrangers = [
  '/account/email',
  '/dashboard',
  '/device-log-in',
  '/digest/unsubscribe/:token',
  '/email/verify/:id/:hash',
  '/forgot-password',
  '/login',
  '/logout',
  '/register',
  '/reset-password',
  '/setup',
  '/two-factor-challenge',
  '/welcome',
]

async function open(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await createTestApp({ dialect, env })
  const community = await seedCommunity(app)
  await setWhoCanRead(community.admin, 'members')
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  /** Expects that a response contains none of the texts of the community. */
  const expectNoText = (response: ClientResponse, about: string) => {
    const bytes = JSON.stringify(response.headers) + response.raw.toString('utf8')
    for (const text of community.texts) expect(bytes.toLowerCase(), about).not.toContain(text)
  }
  return { ...app, ...community, stranger, expectNoText }
}
type Community = Awaited<ReturnType<typeof open>>

/** Returns ids that existing rows have: members, a post, a group and a product. */
const idsOf = ({ admin, member, post, group }: Community) => new Set([admin.id, member.id, post, group, 1])

const idFields = ['id', 'productId', 'userId', 'targetUserId', 'groupId', 'group_id', 'user_id', 'user']
const fieldsWith = (id: number) => ({
  ...Object.fromEntries(idFields.map((name) => [name, id])),
  ...{ hash: 'a'.repeat(40), message: 'x', text: 'x', input: 'x' },
})

/**
 * Returns the path of an endpoint with values for its parameters: for `:hash` a hash that no link has, and
 * for all others the id.
 */
const pathWith = ({ path }: Pick<ServedEndpoint, 'path'>, id: number) =>
  path.replace(/:(\w+)/g, (_, name: string) => (name === 'hash' ? 'a'.repeat(40) : String(id)))

test('every endpoint and page for strangers is in the lists', () => {
  const forAnyone = endpoints.filter(({ endpoint }) => endpoint.access === 'anyone')
  expect(forAnyone.map(({ call }) => call).sort()).toEqual(openToStrangers)
  const forVisitors = pageDefinitions.filter(({ isForVisitors }) => isForVisitors)
  expect(forVisitors.map(({ path }) => path).sort()).toEqual(pagesOpenToStrangers)
})

describe.each(databases)('a stranger to a members-only community on %s', (dialect) => {
  test('gets 401 from every endpoint that is not for strangers', async () => {
    const community = await open(dialect)
    const { stranger, expectNoText } = community
    for (const { call, endpoint } of endpoints) {
      if (endpoint.access === 'anyone') continue
      const { method } = endpoint
      const ids = [...idsOf(community), SIX_DIGIT_ID]
      for (const [id, headers] of pairs(ids, method === 'GET' ? headerSets : [{}])) {
        const body = method === 'GET' ? undefined : fieldsWith(id)
        const response = await stranger.send(method, pathWith(endpoint, id), body, headers)
        const about = `${call} ${id} ${JSON.stringify(headers)}`
        expect([response.status, response.body], about).toEqual([401, { message: 'Unauthenticated.' }])
        expectNoText(response, about)
      }
      if (method !== 'GET') continue
      const head = await stranger.send('HEAD', pathWith(endpoint, community.post))
      expect([head.status, head.raw.length], call).toEqual([401, 0])
    }
    expect((await stranger.get('/api/openapi.json')).status).toBe(401)
    expect((await community.member.get('/api/openapi.json')).status).toBe(200)
  })

  test('gets the same answer for each id and address from the endpoints for strangers', async () => {
    const community = await open(dialect)
    const { stranger, expectNoText, admin } = community
    const addresses = ['quillfeather@engawa.example', 'nobody-at-all@engawa.example']
    for (const { call, endpoint } of endpoints) {
      // Skips the endpoint for registering, which has to say that an email address is taken: see
      // docs/security.md.
      if (endpoint.access !== 'anyone' || call === 'registration.register') continue
      const answers = []
      for (const [at, id] of [admin.id, SIX_DIGIT_ID].entries()) {
        const body = {
          ...fieldsWith(id),
          email: addresses[at],
          code: 'AAAA-AAAA',
          token: 'x',
          password: 'wrong horse',
        }
        const url = pathWith(endpoint, id)
        const response = await stranger.send(
          endpoint.method,
          url,
          endpoint.method === 'GET' ? undefined : body,
        )
        if (call !== 'passkeys.logInOptions') expectNoText(response, call)
        const { challenge: _, ...same } = response.body as Record<string, unknown>
        answers.push({
          ...comparable(response, url),
          ...(call.startsWith('passkeys') && { body: same, headers: {} }),
        })
      }
      expect(answers[1], call).toEqual(answers[0])
    }
  })

  test('is led from each page to the log-in, whether the page exists or not', async () => {
    const community = await open(dialect, { PUBLIC_URL: 'http://localhost:3000' })
    const { stranger, expectNoText } = community
    const closed = pageDefinitions.filter(({ isForVisitors }) => !isForVisitors)
    const unknown = [{ path: '/no-such-page' }, { path: '/posts/:id/x' }, { path: '/posts/:id%20' }]
    const all = headerSets
    for (const [index, page] of [...closed, ...unknown].entries())
      for (const headers of deep ? all : [all[index % all.length]!]) {
        const answers = []
        for (const id of [...idsOf(community), SIX_DIGIT_ID]) {
          const url = pathWith(page, id)
          const response = await stranger.get(url, { accept: 'text/html', ...headers })
          expect([response.status, response.raw.length], url).toEqual([302, 0])
          expect(response.headers.location).toBe(`/login?next=${encodeURIComponent(url)}`)
          expect(response.headers['cache-control']).toBe('no-store')
          expectNoText(response, url)
          answers.push(comparable(response, url))
        }
        for (const answer of answers) expect(answer, page.path).toEqual(answers[0])
      }
    const [known, absent] = [
      await stranger.get(`/posts/${community.post}`),
      await stranger.get('/no-such-page', { accept: 'text/html' }),
    ]
    expect([known.status, absent.status]).toEqual([302, 302])
  })

  test('sees nothing but the name of the community on the pages of the way in', async () => {
    const community = await open(dialect, { APP_NAME: 'Class 5b' })
    const { stranger, expectNoText } = community
    for (const path of pagesOpenToStrangers) {
      const answers = []
      for (const id of [...idsOf(community), SIX_DIGIT_ID]) {
        const url = pathWith({ path }, id)
        const response = await stranger.get(url, { accept: 'text/html' })
        expectNoText(response, url)
        const boot = JSON.parse(/id="boot">(.*?)<\/script>/.exec(String(response.body))![1]!)
        const asked = boot.initialAnswers.map((answer: { url: string }) => answer.url)
        expect(asked, url).toEqual(path === '/register' ? ['/api/registration'] : [])
        expect(boot.app, url).toMatchObject({ name: 'Class 5b', samples: false, membersOnly: true })
        expect(response.body).toMatch(/<title>[^<]* – Class 5b<\/title>/)
        answers.push(comparable(response, url))
      }
      for (const answer of answers) expect(answer, path).toEqual(answers[0])
    }
  })

  test('gets the log-in page without a way back from a very long address', async () => {
    const { stranger } = await open(dialect)
    const { headers } = await stranger.get(`/posts/1?x=${'x'.repeat(2000)}`, { accept: 'text/html' })
    expect(headers.location).toBe('/login')
  })

  test('is told by robots.txt that nothing may be crawled', async () => {
    const { stranger, admin } = await open(dialect)
    expect((await stranger.get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
    await setWhoCanRead(admin, 'everyone')
    expect((await stranger.get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /api/\n')
  })
})

describe.each(databases)('a members-only community on %s', (dialect) => {
  test('shows its members what an open one shows', async () => {
    const { member, admin, post } = await open(dialect)
    const read = async () => [
      (await member.get('/api/posts')).body,
      (await member.get(`/api/posts/${post}`)).body,
      (await member.get('/api/products/1')).body,
      (await member.post('/api/send-message', { message: 'Hi' })).status,
    ]
    const closed = await read()
    const page = await member.get(`/posts/${post}`, { accept: 'text/html' })
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('Post: marmalade')])
    await setWhoCanRead(admin, 'everyone')
    expect(await read()).toEqual(closed)
  })

  test('is closed to a session whose account is suspended, and opens for all when an admin says so', async () => {
    const { member, admin, stranger, post } = await open(dialect)
    expect((await member.get(`/api/posts/${post}`)).status).toBe(200)
    expect((await admin.put(`/api/admin/users/${member.id}/suspension`)).status).toBe(200)
    expect((await member.get(`/api/posts/${post}`)).status).toBe(401)
    expect((await member.get(`/posts/${post}`, { accept: 'text/html' })).status).toBe(302)
    await setWhoCanRead(admin, 'everyone')
    for (const visitor of [member, stranger]) {
      expect((await visitor.get(`/api/posts/${post}`)).status).toBe(200)
      expect((await visitor.get(`/posts/${post}`, { accept: 'text/html' })).status).toBe(200)
    }
  })

  test('is a decision of admins', async () => {
    const { member, stranger, admin } = await open(dialect)
    const save = (who: TestClient, who_can_read: unknown) =>
      who.send('PATCH', '/api/admin/settings', { who_can_read })
    expect((await save(member, 'everyone')).status).toBe(403)
    expect((await save(stranger, 'everyone')).status).toBe(401)
    for (const value of ['nobody', '', null, true]) expect((await save(admin, value)).status).toBe(422)
    expect((await stranger.get('/api/posts')).status).toBe(401)
  })
})

describe.each(databases)('the pictures of a members-only community on %s', (dialect) => {
  test.each(storageKinds)('are shown by session alone, from a %s', async (storage) => {
    const app = await createTestApp({ dialect, storage })
    const { admin, member, pictures } = await seedCommunity(app)
    const stranger = app.visitor()
    const before = await stranger.get(`/media/${pictures[0]}`)
    expect([before.status, before.headers['cache-control']]).toEqual([200, expect.stringContaining('public')])
    const etag = String(before.headers.etag)
    await setWhoCanRead(admin, 'members')
    expect(pictures.length).toBeGreaterThan(2)
    for (const method of ['GET', 'HEAD'] as const)
      for (const headers of [...headerSets, { 'if-none-match': etag }, { range: 'bytes=99999999-' }]) {
        const ask = async (name: string) =>
          comparable(await app.visitor().send(method, `/media/${name}`, undefined, headers), `/media/${name}`)
        const missing = await ask(`${'0'.repeat(40)}-640.webp`)
        expect(missing.status).toBe(404)
        for (const name of pictures) expect(await ask(name), name).toEqual(missing)
      }
    for (const name of pictures) {
      const { status, headers } = await member.get(`/media/${name}`)
      expect(status, name).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: expect.stringMatching(/cookie/i),
      })
      expect((await member.get(`/media/${name}`, { 'if-none-match': String(headers.etag) })).status).toBe(304)
    }
  })
})
