import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { suspendMember } from '#features/people/admins.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { checkInvitation, invalidInvitation, registerVisitor, saveWhoCanJoin } from './registrations.ts'

const DAY = 24 * 3600 * 1000
const invite = async (admin: TestClient, more: object = {}) =>
  (await admin.post('/api/admin/invitations', { max_uses: 1, ...more })).body as {
    invitation: { id: number }
    code: string
    link: string
  }
const unknown = '0000-0000-0000-0000-0000-0000-0000'

describe.each(dialectsInTurn())('invitations on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await saveWhoCanJoin(app, 'invitation')
    return { app, Ann, Ben }
  }

  test('let a person join a community that needs one, and nobody without one', async () => {
    const { app, Ann } = await open()
    expect(await registerVisitor(app, 'Cho')).toMatchObject({
      status: 403,
      body: { message: 'You need an invitation to join this community. Please ask a member for one.' },
    })
    const { code, link, invitation } = await invite(Ann, { note: 'Class 5b' })
    expect(link).toMatch(/\/register#([0-9a-z]{4}-){6}[0-9a-z]{4}$/)
    expect(link.endsWith(`#${code}`)).toBe(true)
    expect((await checkInvitation(app, code)).status).toBe(204)
    // Writes the code as a person may type it: in capitals, with spaces, and with similar characters.
    const typed = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    const { status, body, person } = await registerVisitor(app, 'Cho', {
      invitation: typed,
    })
    expect(status).toBe(200)
    expect((await person.get('/api/user')).body.email).toBe('cho@engawa.example')
    const members = await Ann.get(`/api/admin/invitations/${invitation.id}/members`)
    expect(members.body).toMatchObject([{ id: body.user.id, name: 'Cho' }])
    expect((await Ann.get('/api/admin/invitations')).body).toEqual([
      expect.objectContaining({ note: 'Class 5b', uses: 1, max_uses: 1, is_open: false, is_used_up: true }),
    ])
  })

  test('are stored as a hash', async () => {
    const { app, Ann } = await open()
    const { code } = await invite(Ann)
    const [row] = await readRows(app.db, 'invitations')
    expect(row).toMatchObject({ code_hash: hashToken(code.replaceAll('-', '')), uses: 0 })
    for (const table of ['invitations', 'jobs', 'security_log'] as const)
      expect(JSON.stringify(await readRows(app.db, table))).not.toContain(code)
  })

  test('have one answer for unknown, used, ended and expired codes, whatever the address', async () => {
    const { app, Ann } = await open()
    const used = await invite(Ann)
    await registerVisitor(app, 'Cho', { invitation: used.code })
    const ended = await invite(Ann)
    await Ann.send('DELETE', `/api/admin/invitations/${ended.invitation.id}`)
    const expired = await invite(Ann, { days: 2 })
    vi.setSystemTime(Date.now() + 2 * DAY + 1000)
    for (const code of [unknown, used.code, ended.code, expired.code, 'x']) {
      expect(await checkInvitation(app, code)).toMatchObject(invalidInvitation)
      expect(await registerVisitor(app, 'Dan', { invitation: code })).toMatchObject(invalidInvitation)
      // Ben is already a member. The response is the same as for a new address, so it does not reveal that
      // Ben is a member.
      expect(await registerVisitor(app, 'Ben', { invitation: code })).toMatchObject(invalidInvitation)
    }
    expect(await readRows(app.db, 'users')).toHaveLength(3)
    vi.useRealTimers()
  })

  test('are used as often as the admin allows, also by registrations at the same moment', async () => {
    const { app, Ann } = await open()
    const { code, invitation } = await invite(Ann, { max_uses: 2 })
    const names = ['Cho', 'Dan', 'Eve', 'Fay', 'Gus']
    const answers = await Promise.all(names.map((name) => registerVisitor(app, name, { invitation: code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422])
    expect(await readRows(app.db, 'invitations')).toMatchObject([{ uses: 2 }])
    expect(await readRows(app.db, 'invitation_uses')).toHaveLength(2)
    expect((await Ann.get(`/api/admin/invitations/${invitation.id}/members`)).body).toHaveLength(2)
  })

  test('are not used up by a registration that fails', async () => {
    const { app, Ann } = await open()
    const { code } = await invite(Ann)
    expect((await registerVisitor(app, 'Ben', { invitation: code })).body.errors).toHaveProperty('email')
    expect(
      (
        await registerVisitor(app, 'Cho', {
          invitation: code,
          password: 'password',
        })
      ).status,
    ).toBe(422)
    expect(await readRows(app.db, 'invitations')).toMatchObject([{ uses: 0 }])
    expect((await registerVisitor(app, 'Cho', { invitation: code })).status).toBe(200)
  })

  test('end with the right of the admin who made them, also if it is given again', async () => {
    const { app, Ann, Ben } = await open()
    const right = `/api/admin/users/${Ben.id}/admin`
    await Ann.put(right)
    const { code } = await invite(Ben, { max_uses: 9 })
    expect((await registerVisitor(app, 'Cho', { invitation: code })).status).toBe(200)
    vi.setSystemTime(Date.now() + 1000)
    for (const change of [() => Ann.delete(right), () => Ann.put(right)]) {
      expect((await change()).status).toBe(200)
      expect(await checkInvitation(app, code)).toMatchObject(invalidInvitation)
      expect(await registerVisitor(app, 'Dan', { invitation: code })).toMatchObject(invalidInvitation)
      const listed = { uses: 1, is_open: false, is_paused: true, created_by: { name: 'Ben' } }
      expect((await Ann.get('/api/admin/invitations')).body).toMatchObject([listed])
    }
    expect((await checkInvitation(app, (await invite(Ben)).code)).status).toBe(204)
    vi.useRealTimers()
  })

  test('end with a suspension of their maker, and with the account', async () => {
    const { app, Ann, Ben } = await open()
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const { code } = await invite(Ben, { max_uses: 9 })
    // Suspends Ben without a request, because no endpoint suspends an admin.
    await transaction(app.db, (tx) => suspendMember(app.context, tx, Ben.id, Ann.id))
    expect(await registerVisitor(app, 'Cho', { invitation: code })).toMatchObject(invalidInvitation)
    await transaction(app.db, (tx) => deleteMember(app.context, tx, { id: Ben.id, keep_messages: false }))
    expect(await registerVisitor(app, 'Cho', { invitation: code })).toMatchObject(invalidInvitation)
  })

  test('are counted in an open community too, and do not open a closed one', async () => {
    const { app, Ann } = await open()
    const { code } = await invite(Ann, { max_uses: 5 })
    await saveWhoCanJoin(app, 'open')
    expect((await registerVisitor(app, 'Cho', { invitation: code })).status).toBe(200)
    expect(await registerVisitor(app, 'Dan', { invitation: unknown })).toMatchObject(invalidInvitation)
    expect((await registerVisitor(app, 'Dan')).status).toBe(200)
    await saveWhoCanJoin(app, 'closed')
    expect((await registerVisitor(app, 'Eve', { invitation: code })).status).toBe(403)
    expect(await readRows(app.db, 'invitations')).toMatchObject([{ uses: 1 }])
  })

  test('are made, listed and ended by admins, within bounds', async () => {
    const { app, Ann, Ben } = await open()
    for (const [field, value] of [
      ['max_uses', 0],
      ['max_uses', 1001],
      ['max_uses', 'many'],
      ['days', 91],
      ['note', 'x'.repeat(201)],
    ] as const)
      expect(
        (await Ann.post('/api/admin/invitations', { max_uses: 1, [field]: value })).body.errors,
      ).toHaveProperty(field)
    expect((await Ben.post('/api/admin/invitations', { max_uses: 1 })).status).toBe(403)
    for (let n = 1; n <= 3; n++) await invite(Ann, { max_uses: n })
    const first = await Ann.get('/api/admin/invitations?limit=2')
    expect(first.body.map(({ max_uses }: { max_uses: number }) => max_uses)).toEqual([3, 2])
    expect(first.headers.link).toContain('before=2')
    expect((await Ann.get('/api/admin/invitations?before=2')).body).toMatchObject([
      { max_uses: 1, created_by: { name: 'Ann' }, is_open: true },
    ])
    const ended = await Ann.send('DELETE', '/api/admin/invitations/1')
    expect(ended.body).toMatchObject({ id: 1, is_open: false })
    // A second request to end the invitation changes nothing; its response has the time at which the first
    // request ended the invitation.
    expect((await Ann.send('DELETE', '/api/admin/invitations/1')).body).toEqual(ended.body)
    expect((await Ann.send('DELETE', '/api/admin/invitations/9')).status).toBe(404)
    expect(await readRows(app.db, 'invitations')).toHaveLength(3)
  })

  test('are made and ended only by an admin who has confirmed it in the last ten minutes', async () => {
    const { app, Ann } = await open()
    const { invitation } = await invite(Ann)
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect((await Ann.post('/api/admin/invitations', { max_uses: 1 })).status).toBe(423)
    expect((await Ann.send('DELETE', `/api/admin/invitations/${invitation.id}`)).status).toBe(423)
    expect(await readRows(app.db, 'invitations')).toMatchObject([{ ended_at: null }])
    vi.useRealTimers()
  })

  test('stay without their maker when the account is deleted, and forget a member who leaves', async () => {
    const { app, Ann } = await open()
    const { code } = await invite(Ann)
    const { body } = await registerVisitor(app, 'Cho', { invitation: code })

    for (const id of [body.user.id, Ann.id])
      await transaction(app.db, (tx) => deleteMember(app.context, tx, { id, keep_messages: false }))
    expect(await readRows(app.db, 'invitation_uses')).toEqual([])
    expect(await readRows(app.db, 'invitations')).toMatchObject([{ created_by: null, uses: 1 }])
  })
})
