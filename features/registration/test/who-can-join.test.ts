import { describe, expect, test } from 'vitest'
import { createTestApp, databases, readRows, type TestClient } from '#tests/harness.ts'
import { registerVisitor, saveWhoCanJoin } from './registrations.ts'

const html = { accept: 'text/html' }
const save = (admin: TestClient, who_can_join: unknown) =>
  admin.send('PATCH', '/api/admin/settings', { who_can_join })

describe.each(databases)('who can join, on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('is everybody until an admin decides otherwise', async () => {
    const app = await open()
    await app.members('Ann')
    expect((await app.visitor().get('/api/registration')).body).toMatchObject({ who_can_join: 'open' })
    expect((await registerVisitor(app, 'Ben')).status).toBe(200)
  })

  test('is nobody after an admin has closed the community, and somebody again after it was opened', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    expect((await save(Ann, 'closed')).status).toBe(200)
    expect((await app.visitor().get('/api/registration')).body).toMatchObject({ who_can_join: 'closed' })
    expect(await registerVisitor(app, 'Cho')).toMatchObject({
      status: 403,
      body: { message: 'This community does not take new members at the moment.' },
    })
    // Ben's e-mail address has an account already. The response is the same as for a new address, so it does
    // not reveal the account.
    expect((await registerVisitor(app, 'Ben')).status).toBe(403)
    expect(await readRows(app.db, 'users')).toHaveLength(2)
    expect((await Ben.get('/api/user')).status).toBe(200)
    const page = (await app.visitor().get('/register', html)).body as string
    expect(page).toContain('"join":"closed"')
    await save(Ann, 'open')
    expect((await registerVisitor(app, 'Cho')).status).toBe(200)
    expect((await app.visitor().get('/register', html)).body).toContain('"join":"open"')
  })

  test('is decided by admins, and only by a value that exists', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    expect((await save(Ben, 'closed')).status).toBe(403)
    expect((await save(app.visitor(), 'closed')).status).toBe(419)
    for (const value of ['everybody', '', null, true])
      expect(await save(Ann, value)).toMatchObject({
        status: 422,
        body: { errors: { who_can_join: [expect.any(String)] } },
      })
    expect(await readRows(app.db, 'settings')).toEqual([])
  })

  test('does not concern the set-up of the first admin', async () => {
    const app = await open({ PUBLIC_URL: 'https://town.example' })
    await saveWhoCanJoin(app, 'closed')
    expect((await registerVisitor(app, 'Ben')).status).toBe(403)
    expect((await registerVisitor(app, 'Ann', { setup_code: 'wrong' })).status).toBe(422)
    expect((await registerVisitor(app, 'Ann', { setup_code: app.config.SETUP_CODE })).status).toBe(200)
    expect(await readRows(app.db, 'admins')).toHaveLength(1)
    expect((await registerVisitor(app, 'Ben')).status).toBe(403)
  })
})
