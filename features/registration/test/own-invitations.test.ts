import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { grantAdmin } from '#features/people/admins.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { checkInvitation, invalidInvitation, registerVisitor, saveCommunity } from './registrations.ts'

const invite = async (member: TestClient, more: object = {}) => {
  const { status, body } = await member.post('/api/invitations', { max_uses: 1, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { invitation: { id: number; is_open: boolean }; code: string; link: string }
}
const readCheckStatus = async (app: TestApp, code: string) => (await checkInvitation(app, code)).status

describe.each(dialectsInTurn())('invitations of members on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben, Cho } = await app.members('Ann', 'Ben', 'Cho')
    await saveCommunity(app, { who_can_join: 'invitation', who_can_invite: 'members' })
    return { app, Ann, Ben, Cho }
  }

  test('are refused unless the setting lets members make them', async () => {
    const { app, Ann, Ben } = await open()
    for (const settings of [
      { who_can_invite: 'admins' },
      { who_can_invite: 'members', who_can_join: 'closed' },
    ] as const) {
      await saveCommunity(app, settings)
      for (const member of [Ann, Ben]) {
        expect(await member.post('/api/invitations', { max_uses: 1 })).toMatchObject({
          status: 403,
          body: { message: 'Only admins make invitations at the moment.' },
        })
        expect((await member.get('/api/invitations')).body).toEqual({ may_invite: false, invitations: [] })
      }
    }
    expect(await readRows(app.db, 'invitations')).toEqual([])
    expect((await createTestApp({ dialect })).context.settings.current().who_can_invite).toBe('admins')
  })

  test('let people join, and admins see who invited them', async () => {
    const { app, Ann, Ben, Cho } = await open()
    const { code, link, invitation } = await invite(Ben, { note: 'Neighbours', max_uses: 2 })
    expect(link.endsWith(`/register#${code}`)).toBe(true)
    expect(await readCheckStatus(app, code)).toBe(204)
    const dan = await registerVisitor(app, 'Dan', { invitation: code })
    expect(dan.status).toBe(200)
    expect((await Ben.get('/api/invitations')).body).toMatchObject({
      may_invite: true,
      invitations: [{ id: invitation.id, note: 'Neighbours', uses: 1, max_uses: 2, is_open: true }],
    })
    expect((await Cho.get('/api/invitations')).body.invitations).toEqual([])
    const { userData } = (await Ann.get('/api/admin/users')).body
    expect(
      (userData as { name: string; invited_by: { name: string } | null }[]).map(({ name, invited_by }) => [
        name,
        invited_by?.name ?? null,
      ]),
    ).toEqual([
      ['Ann', null],
      ['Ben', null],
      ['Cho', null],
      ['Dan', 'Ben'],
    ])
    expect((await Ann.get('/api/admin/invitations')).body).toMatchObject([{ created_by: { name: 'Ben' } }])
    // The audit log has only actions of admins, so it does not name invitations that members made.
    expect(await readRows(app.db, 'audit_log')).not.toContainEqual(
      expect.objectContaining({ subject: 'invitation' }),
    )
  })

  test('of an admin bring people without the limits for new members, those of a member do not', async () => {
    const { app, Ann, Ben } = await open()
    await saveCommunity(app, { new_member_days: 3 })
    const isNew = async (name: string, invitation: string) => {
      const { id } = (await registerVisitor(app, name, { invitation })).body.user
      return (await Ann.get(`/api/users/${id}`)).body.is_new
    }
    const { code } = (await Ann.post('/api/admin/invitations', { max_uses: 1 })).body
    expect(await isNew('Dan', code)).toBe(undefined)
    // The new inviter is not new any more, so may invite; the guest of theirs is.
    await Ann.send('PUT', `/api/users/${Ben.id}/known`)
    expect(await isNew('Eri', (await invite(Ben)).code)).toBe(true)
  })

  test('are at most five open ones with ten uses and thirty days each, also at the same moment', async () => {
    const { app, Ben } = await open()
    for (const [field, value] of [
      ['max_uses', 11],
      ['max_uses', 0],
      ['days', 31],
      ['note', 'x'.repeat(201)],
    ] as const)
      expect(
        (await Ben.post('/api/invitations', { max_uses: 1, [field]: value })).body.errors,
      ).toHaveProperty(field)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => Ben.post('/api/invitations', { max_uses: 10, group_id: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 403, 403, 403])
    const rows = await readRows(app.db, 'invitations')
    expect(rows.map(({ group_id }) => group_id)).toEqual(Array(5).fill(null))
    expect((await Ben.send('DELETE', `/api/invitations/${rows[0]!.id}`)).status).toBe(200)
    await invite(Ben)
  })

  test('do not count what the member made as an admin', async () => {
    const { app, Ann, Ben } = await open()
    await transaction(app.db, (tx) => grantAdmin(tx, Ben.id))
    for (let n = 0; n < 6; n++)
      expect((await Ben.post('/api/admin/invitations', { max_uses: 1 })).status).toBe(201)
    expect((await Ann.delete(`/api/admin/users/${Ben.id}/admin`)).status).toBe(200)
    for (let n = 0; n < 5; n++) await invite(Ben)
    expect((await Ben.post('/api/invitations', { max_uses: 1 })).status).toBe(403)
  })

  test('are ended by their maker and by admins, and not by other members', async () => {
    const { app, Ann, Ben, Cho } = await open()
    const [first, second] = [await invite(Ben), await invite(Ben)]
    expect((await Cho.send('DELETE', `/api/invitations/${first.invitation.id}`)).status).toBe(404)
    expect((await Ann.send('DELETE', `/api/invitations/${first.invitation.id}`)).status).toBe(404)
    expect(await readCheckStatus(app, first.code)).toBe(204)
    const ended = await Ben.send('DELETE', `/api/invitations/${first.invitation.id}`)
    expect(ended.body).toMatchObject({ is_open: false, is_paused: false })
    expect((await Ben.send('DELETE', `/api/invitations/${first.invitation.id}`)).body).toEqual(ended.body)
    expect((await Ann.send('DELETE', `/api/admin/invitations/${second.invitation.id}`)).status).toBe(200)
    for (const { code } of [first, second]) expect(await readCheckStatus(app, code)).toBe(422)
  })

  test('stop when the setting goes back to admins, and work again when it returns', async () => {
    const { app, Ann, Ben } = await open()
    const { code } = await invite(Ben)
    const byAdmin = (await Ann.post('/api/admin/invitations', { max_uses: 1 })).body
    await saveCommunity(app, { who_can_invite: 'admins' })
    expect(await readCheckStatus(app, code)).toBe(422)
    expect(await registerVisitor(app, 'Dan', { invitation: code })).toMatchObject(invalidInvitation)
    expect(await readCheckStatus(app, byAdmin.code)).toBe(204)
    expect((await Ben.get('/api/invitations')).body).toMatchObject({
      may_invite: false,
      invitations: [{ is_open: false, is_paused: true }],
    })
    await saveCommunity(app, { who_can_invite: 'members' })
    expect((await registerVisitor(app, 'Dan', { invitation: code })).status).toBe(200)
  })

  test('stop if they were made by an admin who is a member now, also within the limits of members', async () => {
    const { app, Ann, Ben } = await open()
    const right = `/api/admin/users/${Ben.id}/admin`
    expect((await Ann.put(right)).status).toBe(200)
    const byAdmin = (await Ben.post('/api/admin/invitations', { max_uses: 1 })).body
    const byMember = await invite(Ben)
    expect((await Ann.delete(right)).status).toBe(200)
    expect(await readCheckStatus(app, byAdmin.code)).toBe(422)
    expect(await registerVisitor(app, 'Dan', { invitation: byAdmin.code })).toMatchObject(invalidInvitation)
    expect((await registerVisitor(app, 'Dan', { invitation: byMember.code })).status).toBe(200)
    expect((await Ben.get('/api/invitations')).body.invitations).toMatchObject([
      { is_open: false, is_paused: false, uses: 1 },
      { is_open: false, is_paused: true },
    ])
  })

  test('stop while their maker is suspended, and when the account is deleted', async () => {
    const { app, Ann, Ben, Cho } = await open()
    const [ofBen, ofCho] = [await invite(Ben), await invite(Cho)]
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    await transaction(app.db, (tx) => deleteMember(app.context, tx, { id: Cho.id, keep_messages: false }))
    for (const { code } of [ofBen, ofCho]) {
      expect(await readCheckStatus(app, code)).toBe(422)
      expect(await registerVisitor(app, 'Dan', { invitation: code })).toMatchObject(invalidInvitation)
    }
    expect((await Ann.get('/api/admin/invitations')).body).toMatchObject([
      { is_open: false, is_paused: true, created_by: null },
      { is_open: false, is_paused: true, created_by: { name: 'Ben' } },
    ])
    await Ann.send('DELETE', `/api/admin/users/${Ben.id}/suspension`)
    expect(await readCheckStatus(app, ofBen.code)).toBe(204)
  })
})
