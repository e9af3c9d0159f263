import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  sendModerationDecisionAsTestMember as decideCase,
  listOpenModerationCasesAsTestMember,
  sendReportAsTestMember,
} from '#features/moderation/test/moderation-scene.ts'
import { grantAdmin } from '#features/people/admins.ts'
import { formatDateInServerTimeZone } from '#features/people/children.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { checkTestAuditLog } from '#tests/audit-log.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import { deleteOldChildNoticesMarksAndContacts } from '../notices.ts'
import { insertChildContactRequestAndMailGuardians } from '../requests.ts'
import {
  createTestGroupNamedClub,
  followAsTestMember,
  listChildContactsAsTestGuardian,
  listChildNoticeKindsAsTestGuardian,
  markTestMemberAsChildByAdmin,
  readChildContactStateAsTestGuardian,
  saveChildMarkEndDateInTestDatabase,
  sendContactDecisionAsTestGuardian,
  sendTestPrivateMessageForResponse,
  startTestAppWithGuardians,
  TEST_CHILD_MARK_END_DATE,
} from './guardian-scene.ts'

afterEach(() => void vi.useRealTimers())

describe.each(dialectsInTurn())('the mark of a child on %s', (dialect) => {
  test('is made and ended by admins, with a confirmed session, and shown to them', async () => {
    const { Ada, Ben, Kid, Mum, db } = await startTestAppWithGuardians(dialect)
    for (const member of [Ben, Mum, Kid])
      expect((await markTestMemberAsChildByAdmin(member, Ben, ['mum'])).status).toBe(403)
    const readChild = async () =>
      (await Ada.get('/api/admin/users')).body.userData.find(({ id }: { id: number }) => id === Kid.id).child
    expect(await readChild()).toMatchObject({
      ends_on: TEST_CHILD_MARK_END_DATE,
      guardians: [{ name: 'Mum' }, { name: 'Dad' }],
    })
    expect((await Ada.delete(`/api/admin/users/${Kid.id}/child`)).body.child).toBeNull()
    expect(await readChild()).toBeNull()
    expect(await readTestTableRows(db, 'guardians')).toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    expect((await markTestMemberAsChildByAdmin(Ada, Kid, ['mum'])).status).toBe(423)
  })

  test('needs one or two possible guardians, a possible child, and a day in the future', async () => {
    const { Ada, Kid, Ben, Mum, Uma } = await startTestAppWithGuardians(dialect)
    await Ada.put(`/api/admin/users/${Uma.id}/suspension`)
    for (const guardians of [[], ['mum', 'dad', 'ada'], ['nobody'], ['kid'], ['uma'], ['ben'], 'mum'])
      expect(
        (await markTestMemberAsChildByAdmin(Ada, Ben, guardians as string[])).status,
        String(guardians),
      ).toBe(422)
    const far = `${new Date().getFullYear() + 40}-01-01`
    for (const day of [formatDateInServerTimeZone(), '2001-01-01', '2030-13-01', 'soon', far])
      expect((await markTestMemberAsChildByAdmin(Ada, Ben, ['mum'], day)).status, day).toBe(422)
    expect((await markTestMemberAsChildByAdmin(Ada, Mum, ['ada'])).status).toBe(403)
    expect((await markTestMemberAsChildByAdmin(Ada, Ada, ['mum'])).status).toBe(403)
    await Ada.post('/api/moderators', { handle: 'ben' })
    expect((await markTestMemberAsChildByAdmin(Ada, Ben, ['mum'])).status).toBe(403)
    expect((await Ada.get('/api/guardian/children')).body).toEqual([])
    expect((await Kid.get('/api/account/guardians')).body).toMatchObject({
      ends_on: TEST_CHILD_MARK_END_DATE,
      guardians: [{ name: 'Mum' }, { name: 'Dad' }],
    })
    expect((await Ben.get('/api/account/guardians')).body).toBeNull()
  })

  test('keeps the rights of admins and moderators away, whoever grants them', async () => {
    const { Ada, Kid, db, context } = await startTestAppWithGuardians(dialect, {
      env: { ADMIN_EMAIL: 'kid@engawa.example' },
    })
    expect((await Ada.put(`/api/admin/users/${Kid.id}/admin`)).status).toBe(403)
    expect((await Ada.post('/api/moderators', { handle: 'kid' })).status).toBe(403)
    expect(await transaction(db, (tx) => grantAdmin(tx, Kid.id))).toBe(false)
    const { link } = (await Ada.get(`/api/admin/users/${Kid.id}/verification-link`)).body
    const { pathname, search } = new URL(link)
    expect((await Kid.get(`/api${pathname}${search}`)).status).toBe(200)
    expect((await readTestTableRows(db, 'admins')).map(({ user_id }) => user_id)).toEqual([Ada.id])
    expect(context.config.ADMIN_EMAIL).toEqual(['kid@engawa.example'])
  })

  test('ends on its day, also before the clean-up', async () => {
    const app = await startTestAppWithGuardians(dialect)
    const { Kid, Uma, Mum, db } = app
    expect((await followAsTestMember(Uma, Kid)).status).toBe(403)
    await saveChildMarkEndDateInTestDatabase(
      app,
      Kid,
      formatDateInServerTimeZone(new Date(Date.now() + 36 * 3600_000)),
    )
    expect((await followAsTestMember(Uma, Kid)).status).toBe(403)
    await saveChildMarkEndDateInTestDatabase(app, Kid, formatDateInServerTimeZone())
    expect((await followAsTestMember(Uma, Kid)).status).toBe(200)
    expect((await Mum.get('/api/guardian/children')).body).toEqual([])
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
    expect((await Mum.get(`/api/guardian/children/${Kid.id}/contacts`)).status).toBe(404)
    expect((await Kid.get('/api/account/guardians')).body).toBeNull()
    await transaction(db, deleteOldChildNoticesMarksAndContacts)
    for (const table of ['children', 'guardians', 'child_notices'])
      expect(await readTestTableRows(db, table)).toEqual([])
    const [contact] = await readTestTableRows(db, 'child_contacts')
    expect(contact).toMatchObject({ person_id: Uma.id, unmarked_at: expect.any(String) })
    await transaction(db, (tx) =>
      tx.updateTable('child_contacts').set({ unmarked_at: '2020-01-01' }).execute(),
    )
    await transaction(db, deleteOldChildNoticesMarksAndContacts)
    expect(await readTestTableRows(db, 'child_contacts')).toEqual([])
  })

  test('does not allow whom a guardian has refused when it ends and is made again', async () => {
    const { Ada, Kid, Uma, Ben, Mum, db } = await startTestAppWithGuardians(dialect)
    await createTestGroupNamedClub(Ada, Kid, Ben)
    for (const person of [Uma, Ben]) {
      await followAsTestMember(person, Kid)
      await transaction(db, (tx) =>
        insertChildContactRequestAndMailGuardians(tx, {
          child: Kid.id,
          person: person.id,
          asked_by: person.id,
        }),
      )
      expect((await sendContactDecisionAsTestGuardian(Mum, Kid, person, 'refused')).status).toBe(200)
    }
    expect((await Ada.delete(`/api/admin/users/${Kid.id}/child`)).status).toBe(200)
    await transaction(db, deleteOldChildNoticesMarksAndContacts)
    expect((await followAsTestMember(Uma, Kid)).status).toBe(200)
    expect((await sendTestPrivateMessageForResponse(Uma, Kid)).status).toBe(200)
    expect((await markTestMemberAsChildByAdmin(Ada, Kid, ['mum', 'ben'])).status).toBe(200)
    expect(await listChildContactsAsTestGuardian(Mum, Kid)).toMatchObject([
      { person: { id: Uma.id }, state: 'refused', follows_child: false },
    ])
    expect((await sendTestPrivateMessageForResponse(Uma, Kid)).status).toBe(403)
    expect((await readTestTableRows(db, 'child_contacts')).map(({ unmarked_at }) => unmarked_at)).toEqual([
      null,
    ])
  })

  test('can get other guardians; a removed one sees nothing, and is a contact no more', async () => {
    const { Ada, Kid, Mum, Dad, Uma, db } = await startTestAppWithGuardians(dialect)
    await followAsTestMember(Dad, Kid)
    expect((await markTestMemberAsChildByAdmin(Ada, Kid, ['mum', 'uma'])).status).toBe(200)
    for (const part of ['contacts', 'groups', 'notices'])
      expect((await Dad.get(`/api/guardian/children/${Kid.id}/${part}`)).status).toBe(404)
    expect((await Dad.get('/api/guardian/children')).body).toEqual([])
    expect(await readTestTableRows(db, 'follows')).toEqual([])
    expect(await readChildContactStateAsTestGuardian(Uma, Kid, Dad)).toBe('requested')
    expect((await Mum.get('/api/guardian/children')).body).toMatchObject([
      { id: Kid.id, ends_on: TEST_CHILD_MARK_END_DATE },
    ])
    expect((await followAsTestMember(Uma, Kid)).status).toBe(200)
  })

  test('pauses a suspended guardian, and shows admins a child without a guardian', async () => {
    const { Ada, Ben, Kid, Mum, Dad, db, context } = await startTestAppWithGuardians(dialect)
    await Ada.put(`/api/admin/users/${Mum.id}/suspension`)
    expect((await Mum.get('/api/guardian/children')).status).toBe(401)
    const later = TEST_CHILD_MARK_END_DATE.replace('-04-', '-05-')
    expect((await markTestMemberAsChildByAdmin(Ada, Kid, ['mum', 'dad'], later)).body.child).toMatchObject({
      ends_on: later,
    })
    expect((await markTestMemberAsChildByAdmin(Ada, Ben, ['mum'])).status).toBe(422)
    await Ada.delete(`/api/admin/users/${Mum.id}/suspension`)
    expect(await readTestTableRows(db, 'guardians')).toHaveLength(2)
    for (const { id } of [Mum, Dad])
      await transaction(db, (tx) => deleteMember(context, tx, { id, keep_messages: true }))
    const { userData } = (await Ada.get('/api/admin/users')).body
    expect(userData.find(({ id }: { id: number }) => id === Kid.id).child.guardians).toEqual([])
    expect((await markTestMemberAsChildByAdmin(Ada, Kid, ['ben'])).status).toBe(200)
  })

  test('is in the log with the guardians, whose names only admins see; not without a change', async () => {
    const { Ada, Kid, Ben } = await startTestAppWithGuardians(dialect)
    await markTestMemberAsChildByAdmin(Ada, Kid, ['mum', 'dad'])
    await markTestMemberAsChildByAdmin(Ada, Kid, ['mum'])
    await Ada.delete(`/api/admin/users/${Kid.id}/child`)
    await Ada.delete(`/api/admin/users/${Kid.id}/child`)
    const guardians = (...names: string[]) => names.map((name) => expect.objectContaining({ name }))
    const log = (await Ada.get('/api/audit-log?limit=3')).body
    expect(log).toMatchObject([
      { action: 'child_ended', member: { id: Kid.id } },
      { action: 'child_changed', guardians: guardians('Mum') },
      { action: 'child_marked', actor: { id: Ada.id }, guardians: guardians('Mum', 'Dad') },
    ])
    const seen = (await Ben.get('/api/audit-log?limit=3')).body
    expect(seen[2]).toMatchObject({ action: 'child_marked', member: null, guardians: [] })
    expect(JSON.stringify(seen)).not.toMatch(/Mum|Dad|Kid/)
  })

  test('that has ended on its day is in the log once, done by the system', async () => {
    const app = await startTestAppWithGuardians(dialect)
    const { Ada, Kid, Ben, Uma, db } = app
    const readEnds = async (who: typeof Ada) =>
      (await who.get('/api/audit-log')).body.filter(
        ({ action }: { action: string }) => action === 'child_ended',
      )
    await markTestMemberAsChildByAdmin(Ada, Kid, ['mum', 'dad'])
    await transaction(db, deleteOldChildNoticesMarksAndContacts)
    expect(await readEnds(Ada)).toEqual([])
    await saveChildMarkEndDateInTestDatabase({ db }, Kid, '2020-01-01')
    await Promise.all([1, 2].map(() => transaction(db, deleteOldChildNoticesMarksAndContacts)))
    expect(await readEnds(Ada)).toMatchObject([
      { role: 'system', actor: null, member: { id: Kid.id }, guardians: [{ name: 'Mum' }, { name: 'Dad' }] },
    ])
    expect(await readEnds(Ben)).toMatchObject([{ role: 'system', member: null, guardians: [] }])
    expect(await checkTestAuditLog(app)).toMatchObject({ isIntact: true })
    expect(await readTestTableRows(db, 'children')).toEqual([])
    // The request of an admin who marks an account also deletes the marks that have ended.
    await markTestMemberAsChildByAdmin(Ada, Kid, ['mum'])
    await saveChildMarkEndDateInTestDatabase({ db }, Kid, '2020-01-01')
    await markTestMemberAsChildByAdmin(Ada, Uma, ['mum'])
    expect((await Ada.get('/api/audit-log?limit=2')).body).toMatchObject([
      { action: 'child_marked', actor: { id: Ada.id }, member: { id: Uma.id } },
      { action: 'child_ended', role: 'system', member: { id: Kid.id }, guardians: [{ name: 'Mum' }] },
    ])
  })

  test('of two admins at the same moment is one mark', async () => {
    const { Ada, Ben, Uma, db } = await startTestAppWithGuardians(dialect)
    await Ada.put(`/api/admin/users/${Uma.id}/admin`)
    const answers = await Promise.all([
      markTestMemberAsChildByAdmin(Ada, Ben, ['mum']),
      markTestMemberAsChildByAdmin(Ada, Ben, ['dad']),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = (await readTestTableRows(db, 'guardians')).filter(({ child_id }) => child_id === Ben.id)
    expect(rows).toHaveLength(1)
  })

  test('gives the guardians what moderators tell the child, for a year and without doubles', async () => {
    const { Ada, Kid, Ben, Mum, db } = await startTestAppWithGuardians(dialect)
    const { id } = (await Kid.post('/api/posts', { text: 'Something bad' })).body.post
    await sendReportAsTestMember(Ben, 'post', id)
    const [{ id: hidden }] = await listOpenModerationCasesAsTestMember(Ada)
    await decideCase(Ada, hidden, 'hide')
    await sendReportAsTestMember(Ben, 'member', Kid.id)
    const [{ id: suspended }] = await listOpenModerationCasesAsTestMember(Ada)
    await decideCase(Ada, suspended, 'suspend', { days: 2 })
    await Ada.delete(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.delete(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.put(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.put(`/api/admin/users/${Kid.id}/suspension`)
    const kinds = ['suspended', 'unsuspended', 'suspended', 'content_hidden']
    expect(await listChildNoticeKindsAsTestGuardian(Mum, Kid)).toEqual(kinds)
    const { body } = await Mum.get(`/api/guardian/children/${Kid.id}/notices`)
    expect(body[3]).toMatchObject({ text: 'Because of the rules' })
    expect(JSON.stringify(body)).not.toContain('Something bad')
    for (const other of [Kid, Ben]) {
      const { status } = await other.get(`/api/guardian/children/${Kid.id}/notices`)
      expect(status).toBe(other === Kid ? 401 : 404)
    }
    await transaction(db, (tx) => tx.updateTable('child_notices').set({ created_at: '2020-01-01' }).execute())
    await transaction(db, deleteOldChildNoticesMarksAndContacts)
    expect(await listChildNoticeKindsAsTestGuardian(Mum, Kid)).toEqual([])
  })
})
