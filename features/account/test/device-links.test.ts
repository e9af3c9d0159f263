import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { appWithAnnAndBen, unsentMails, visitorOf } from './resets.ts'

const MINUTE = 60_000

/** Creates a device link as this member, and returns the token of the link. */
async function createToken(member: TestClient) {
  const { status, body } = await member.post('/api/account/device-link')
  expect(status, JSON.stringify(body)).toBe(201)
  return /\/device-log-in#([\w-]{20,})$/.exec(body.link)![1]!
}

/**
 * Creates the HTTP client of another browser. Returns it as `device`, with functions that send the
 * requests of the page that a device link opens.
 */
async function openLink(app: TestApp, token: string) {
  const device = await visitorOf(app)
  return {
    device,
    check: () => device.post('/api/device-links/check', { token }),
    use: () => device.post('/api/device-links/use', { token }),
  }
}

async function expectInvalid({ check, use, device }: Awaited<ReturnType<typeof openLink>>) {
  for (const answer of [await check(), await use()]) {
    expect(answer.status).toBe(422)
    expect(answer.body.errors.token[0]).toMatch(/^This code is not valid any more/)
  }
  expect((await device.get('/api/user')).status).toBe(401)
}

const readState = async (member: TestClient) => (await member.get('/api/account/device-link')).body.state

describe.each(dialectsInTurn())('a link that logs in another device on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    return { app, Ann, Ben }
  }

  test('says whose it is, logs in, and is told to the first device', async () => {
    const { app, Ben } = await open()
    expect(await readState(Ben)).toBe('ended')
    const { device, check, use } = await openLink(app, await createToken(Ben))
    expect(await readState(Ben)).toBe('open')
    expect(await check()).toMatchObject({ status: 200, body: { name: 'Ben', handle: 'ben' } })
    expect((await use()).status).toBe(204)
    expect((await device.get('/api/user')).body).toMatchObject({ name: 'Ben' })
    expect(await readState(Ben)).toBe('used')
    expect((await Ben.get('/api/account/sessions')).body).toHaveLength(2)
    const events = (await Ben.get('/api/account/security-events')).body
    expect(events[0].kind).toBe('logged_in_with_device_link')
  })

  test('works once, also for devices that use it at the same moment', async () => {
    const { app, Ben } = await open()
    const token = await createToken(Ben)
    const links = await Promise.all(Array.from({ length: 4 }, () => openLink(app, token)))
    const answers = await Promise.all(links.map(({ use }) => use()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422, 422, 422])
    await expectInvalid(await openLink(app, token))
  })

  test('ends after five minutes, by a new one, and when the first device closes it', async () => {
    const { app, Ben } = await open()
    const late = await openLink(app, await createToken(Ben))
    vi.setSystemTime(Date.now() + 5 * MINUTE + 1000)
    await expectInvalid(late)
    expect(await readState(Ben)).toBe('ended')
    vi.useRealTimers()
    const replaced = await openLink(app, await createToken(Ben))
    const cancelled = await openLink(app, await createToken(Ben))
    await expectInvalid(replaced)
    expect((await cancelled.check()).status).toBe(200)
    expect((await Ben.delete('/api/account/device-link')).status).toBe(204)
    await expectInvalid(cancelled)
  })

  test('ends with the session that created it', async () => {
    const { app, Ann, Ben } = await open()
    const afterLogOut = await openLink(app, await createToken(Ben))
    expect((await Ben.post('/logout')).status).toBeLessThan(300)
    await expectInvalid(afterLogOut)
    const { Cho } = await app.members('Cho')
    const suspended = await openLink(app, await createToken(Cho))
    const { id } = (await Cho.get('/api/user')).body
    expect((await Ann.put(`/api/admin/users/${id}/suspension`)).status).toBe(200)
    await expectInvalid(suspended)
  })

  test('ends with the other sessions, also if the current session created it', async () => {
    const { app, Ben } = await open()
    const afterPassword = await openLink(app, await createToken(Ben))
    const passwords = { current_password: 'correct horse', password: 'seven paper lanterns' }
    const changed = await Ben.put('/api/account/password', {
      ...passwords,
      password_confirmation: passwords.password,
    })
    expect(changed.status).toBe(200)
    await expectInvalid(afterPassword)
    const afterOthers = await openLink(app, await createToken(Ben))
    expect((await Ben.delete('/api/account/sessions')).status).toBe(200)
    await expectInvalid(afterOthers)
  })

  test('does not confirm the member again', async () => {
    const { app, Ben } = await open()
    const { device, use } = await openLink(app, await createToken(Ben))
    expect((await use()).status).toBe(204)
    expect((await device.post('/api/account/device-link')).status).toBe(423)
  })

  test('is created only by a confirmed session, and a wrong token tells nothing', async () => {
    const { app, Ben } = await open()
    vi.setSystemTime(Date.now() + 11 * MINUTE)
    expect((await Ben.post('/api/account/device-link')).status).toBe(423)
    vi.useRealTimers()
    await expectInvalid(await openLink(app, 'x'.repeat(43)))
    expect((await app.visitor().post('/api/account/device-link')).status).toBe(419)
  })

  test('keeps the passkey of the first session, and replaces a session of the other device', async () => {
    const { app, Ann, Ben } = await open()
    await transaction(app.db, (tx) => tx.updateTable('sessions').set({ passkey_id: 7 }).execute())
    const token = await createToken(Ben)
    expect((await Ann.post('/api/device-links/use', { token })).status).toBe(204)
    expect((await Ann.get('/api/user')).body).toMatchObject({ name: 'Ben' })
    const sessions = await readRows(app.db, 'sessions')
    const user_id = (await Ben.get('/api/user')).body.id
    expect(sessions.map(({ user_id, passkey_id }) => [user_id, passkey_id])).toEqual([
      [user_id, 7],
      [user_id, 7],
    ])
  })

  test('is told to the member by mail, because the browser is new', async () => {
    const { app, Ann } = await appWithAnnAndBen(dialect)
    const before = (await unsentMails(app)).length
    const { use } = await openLink(app, await createToken(Ann))
    await use()
    expect((await unsentMails(app)).length).toBe(before + 1)
  })
})
