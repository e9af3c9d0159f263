import { describe, expect, test } from 'vitest'
import { createTestApp, databases, readRows } from '#tests/harness.ts'

const PATH = '/api/admin/users/verified-addresses'

describe.each(databases)('addresses that nobody can verify by mail, on %s', (dialect) => {
  test('are confirmed by an admin at once, in the logs, without any right', async () => {
    const { members, db } = await createTestApp({ dialect, env: { ADMIN_EMAIL: 'ben@engawa.example' } })
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    const count = async () => (await Ann.get('/api/admin/facts')).body.unverified_addresses
    expect(await count()).toBe(3)
    expect((await Ben.post(PATH, {})).status).toBe(403)
    expect((await Ann.post(PATH, {})).body).toEqual({ addresses: 3 })
    expect(await count()).toBe(0)
    for (const { body } of [await Ben.get('/api/user'), await Chika.get('/api/user')])
      expect(body).toMatchObject({ email_verified_at: expect.any(String), is_admin: false })
    const known = (await readRows(db, 'security_log')).filter(({ kind }) => kind === 'email_verified')
    expect(known.map(({ user_id }) => user_id).toSorted()).toEqual([Ann.id, Ben.id, Chika.id])
    const first = (await readRows(db, 'users')).map((user) => user.email_verified_at)

    expect((await Ann.post(PATH, {})).body).toEqual({ addresses: 0 })
    expect((await readRows(db, 'users')).map((user) => user.email_verified_at)).toEqual(first)
    const log = (await Ann.get('/api/audit-log')).body
    expect(log.filter(({ action }: { action: string }) => action === 'addresses_verified')).toEqual([
      expect.objectContaining({ settings: { addresses: 3 }, role: 'admin' }),
    ])
  })

  test('are left to the members where mail can be sent', async () => {
    const { members } = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect((await Ann.get('/api/admin/facts')).body.unverified_addresses).toBe(0)
    expect((await Ann.post(PATH, {})).status).toBe(422)
    expect((await Ben.get('/api/user')).body.email_verified_at).toBeNull()
  })
})
