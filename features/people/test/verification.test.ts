import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'

/** Returns the e-mail verification links in the mails that the server has stored as files, oldest first. */
async function linksOf({ context, folder }: TestApp) {
  await context.jobs.idle()
  const files = (await readdir(join(folder, 'mail'))).sort()
  const mails = await Promise.all(
    files.map(async (file) => PostalMime.parse(await readFile(join(folder, 'mail', file)))),
  )
  return mails.map(({ text }) => new URL(/^https?:\S+$/m.exec(text!)![0]))
}
const callOf = (link: URL) => `/api${link.pathname}${link.search}`

const altered = (link: URL, change: (link: URL) => void) => {
  const other = new URL(link)
  change(other)
  return callOf(other)
}

const inHours = (hours: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600 * 1000 })
afterEach(() => vi.useRealTimers())

describe.each(dialectsInTurn())('verification on %s', (dialect) => {
  const open = async (env: Record<string, string> = {}) => {
    const context = await createTestApp({ dialect, env })
    const { Ann } = await context.members('Ann')
    const [link] = await linksOf(context)
    return { ...context, Ann, link: link! }
  }

  /** Mallory registers the address of ADMIN_EMAIL, and its owner gets the mail. */
  const openForeign = async () => {
    const context = await createTestApp({ dialect, env: { ADMIN_EMAIL: 'mallory@engawa.example' } })
    const { Ann, Mallory } = await context.members('Ann', 'Mallory')
    return { ...context, Ann, Mallory, link: (await linksOf(context)).at(-1)! }
  }

  // spec: 7.9
  test('succeeds once with the link of the mail, on any device, and does not log in', async () => {
    const { Ann, visitor, link } = await open({ PUBLIC_URL: 'https://town.example' })
    expect(link.origin).toBe('https://town.example')
    expect(link.pathname).toMatch(new RegExp(`^/email/verify/${Ann.id}/[0-9a-f]{40}$`))
    expect(link.search).toMatch(/^\?expires=\d{10}&signature=[0-9a-f]{64}$/)
    expect((await Ann.get('/api/user')).body.email_verified_at).toBeNull()
    const phone = visitor()
    const first = await phone.get(callOf(link))
    expect(first).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    const verified = (await Ann.get('/api/user')).body.email_verified_at
    expect(Date.parse(verified)).not.toBeNaN()
    const second = await phone.get(callOf(link))
    expect(second.status).toBe(200)
    expect(second.body.message).not.toBe(first.body.message)
    expect((await Ann.get('/api/user')).body.email_verified_at).toBe(verified)
    expect((await phone.get('/api/user')).status).toBe(401)
  })

  test('gives no right to the person who has registered the address of another', async () => {
    const { Ann, Mallory, visitor, link } = await openForeign()
    const isAdmin = async () => (await Mallory.get('/api/user')).body.is_admin
    const owner = visitor()
    const { registered } = (await owner.get(callOf(link))).body
    expect(registered).toEqual({ name: 'Mallory', created_at: expect.any(String) })
    expect(await isAdmin()).toBe(false)
    expect((await Ann.get(callOf(link))).body.registered).toBeDefined()
    expect(await isAdmin()).toBe(false)
    // The link in a session of the account is the proof, also after a mail gateway has opened it.
    expect((await Mallory.get(callOf(link))).body.registered).toBeUndefined()
    expect(await isAdmin()).toBe(true)
    expect((await owner.get(callOf(link))).body.registered).toBeUndefined()
  })

  test('lets the owner of the mailbox take the address away, until it is proven', async () => {
    const { Mallory, visitor, link, db } = await openForeign()
    const owner = visitor()
    await owner.get('/sanctum/csrf-cookie')
    const { pathname, searchParams } = link
    const disown = () => owner.post(`/api${pathname}/disown`, Object.fromEntries(searchParams))
    expect((await owner.post(`/api${pathname}/disown`, { expires: '1', signature: '' })).status).toBe(403)
    // A change to another spelling of the address must not bring it back.
    await Mallory.post('/api/account/email', { email: 'MALLORY@engawa.example' })
    expect(await readRows(db, 'email_changes')).toHaveLength(1)
    expect((await disown()).status).toBe(200)
    expect(await readRows(db, 'email_changes')).toEqual([])
    expect((await Mallory.get('/api/user')).body.email).toBeNull()
    expect((await disown()).status).toBe(403)
    const other = await openForeign()
    await other.Mallory.get(callOf(other.link))
    const stranger = other.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    const path = `/api${other.link.pathname}/disown`
    expect((await stranger.post(path, Object.fromEntries(other.link.searchParams))).status).toBe(403)
  })

  test('sends the link again until it is opened in a session of the account', async () => {
    const { Mallory, visitor, link, ...context } = await openForeign()
    await visitor().get(callOf(link))
    const again = '/api/email/verification-notification'
    const before = (await linksOf({ visitor, ...context })).length
    expect((await Mallory.post(again)).status).toBe(200)
    const links = await linksOf({ visitor, ...context })
    expect(links).toHaveLength(before + 1)
    await Mallory.get(callOf(links.at(-1)!))
    await Mallory.post(again)
    expect(await linksOf({ visitor, ...context })).toHaveLength(before + 1)
  })

  // spec: 4.7
  test('refuses a link with any changed part', async () => {
    const { Ann, link, members } = await open()
    const { Ben } = await members('Ben')
    const wrong = [
      altered(link, (to) => (to.pathname = to.pathname.replace(`/${Ann.id}/`, `/${Ben.id}/`))),
      altered(link, (to) => (to.pathname = to.pathname.replace(/.$/, (end) => (end === '0' ? '1' : '0')))),
      altered(link, (to) =>
        to.searchParams.set('expires', String(Number(to.searchParams.get('expires')) + 1)),
      ),
      altered(link, (to) => to.searchParams.set('signature', '0'.repeat(64))),
      altered(link, (to) => to.searchParams.set('signature', '')),
      altered(link, (to) => to.searchParams.append('signature', '0'.repeat(64))),
      altered(link, (to) => to.searchParams.delete('signature')),
      altered(link, (to) => to.searchParams.delete('expires')),
      altered(link, (to) => (to.pathname = to.pathname.replace(`/${Ann.id}/`, '/999/'))),
    ]
    for (const path of wrong) {
      const answer = await Ann.get(path)
      expect([403, 422], path).toContain(answer.status)
      expect(answer.body.message).toEqual(expect.any(String))
    }
    expect((await Ann.get('/api/user')).body.email_verified_at).toBeNull()
    expect((await Ann.get(callOf(link))).status).toBe(200)
    expect((await Ben.get('/api/user')).body.email_verified_at).toBeNull()
  })

  test('refuses a link after 24 hours, and accepts it before', async () => {
    const { Ann, link } = await open()
    inHours(24.1)
    expect(await Ann.get(callOf(link))).toMatchObject({ status: 403, body: { message: expect.any(String) } })
    vi.useRealTimers()
    expect((await Ann.get('/api/user')).body.email_verified_at).toBeNull()
    inHours(23.9)
    expect((await Ann.get(callOf(link))).status).toBe(200)
  })

  test('is for one address: after a change the old link is refused', async () => {
    const { Ann, link, db, ...context } = await open()
    await transaction(db, (tx) =>
      tx
        .updateTable('users')
        .set({ email: 'anna@engawa.example', email_key: 'anna@engawa.example' })
        .where('id', '=', Ann.id)
        .execute(),
    )
    expect((await Ann.get(callOf(link))).status).toBe(403)
    expect((await Ann.get('/api/user')).body.email_verified_at).toBeNull()
    expect((await Ann.post('/api/email/verification-notification')).status).toBe(200)
    const links = await linksOf({ db, ...context })
    expect((await Ann.get(callOf(links.at(-1)!))).status).toBe(200)
    expect((await Ann.get('/api/user')).body.email_verified_at).not.toBeNull()
  })

  test('answers 404 for a deleted account', async () => {
    const { Ann, visitor, link, db } = await open()
    await transaction(db, (tx) => tx.deleteFrom('users').where('id', '=', Ann.id).execute())
    expect(await visitor().get(callOf(link))).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
  })

  test('sends the mail again to members whose address is not verified', async () => {
    const { Ann, visitor, link, ...context } = await open()
    const again = '/api/email/verification-notification'
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    expect((await guest.post(again)).status).toBe(401)
    expect((await Ann.send('POST', again, undefined, { 'x-xsrf-token': '' })).status).toBe(419)
    expect(await linksOf({ visitor, ...context })).toHaveLength(1)
    expect(await Ann.post(again)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    const links = await linksOf({ visitor, ...context })
    expect(links).toHaveLength(2)
    expect((await Ann.get(callOf(links[1]!))).status).toBe(200)
    expect((await Ann.get(callOf(link))).status).toBe(200)
    expect((await Ann.post(again)).status).toBe(200)
    expect(await linksOf({ visitor, ...context })).toHaveLength(2)
  })

  test('is limited to six attempts and six mails a minute', async () => {
    const { Ann, visitor, link } = await open({ RATE_LIMIT: 'on' })
    const statuses = async (call: () => Promise<{ status: number }>) => {
      const all: number[] = []
      for (let i = 0; i < 7; i++) all.push((await call()).status)
      return all
    }
    const bad = altered(link, (to) => to.searchParams.set('signature', '0'.repeat(64)))
    expect(await statuses(() => visitor().get(bad))).toEqual([403, 403, 403, 403, 403, 403, 429])
    const refused = await visitor().get(callOf(link))
    expect(refused).toMatchObject({ status: 429, body: { message: expect.any(String) } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await statuses(() => Ann.post('/api/email/verification-notification'))).toEqual([
      200, 200, 200, 200, 200, 200, 429,
    ])
  })
})
