import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { decide as decideCase, openCases, sendReport } from '#features/moderation/test/moderation-scene.ts'
import { grantAdmin } from '#features/people/admins.ts'
import { serverDate } from '#features/people/children.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { checkLog } from '#tests/audit-log.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import * as childNotices from '../notices.ts'
import { addRequest } from '../requests.ts'
import {
  asChild,
  childContacts,
  contactState,
  createClub,
  decideContact,
  followAs,
  guardianScene,
  MARK_END_DATE,
  noticeKinds,
  saveMarkEnd,
  sendMessage,
} from './guardian-scene.ts'

afterEach(() => void vi.useRealTimers())

describe.each(dialectsInTurn())('the mark of a child on %s', (dialect) => {
  test('is made and ended by admins, with a confirmed session, and shown to them', async () => {
    const { Ada, Ben, Kid, Mum, db } = await guardianScene(dialect)
    for (const member of [Ben, Mum, Kid]) expect((await asChild(member, Ben, ['mum'])).status).toBe(403)
    const readChild = async () =>
      (await Ada.get('/api/admin/users')).body.userData.find(({ id }: { id: number }) => id === Kid.id).child
    expect(await readChild()).toMatchObject({
      ends_on: MARK_END_DATE,
      guardians: [{ name: 'Mum' }, { name: 'Dad' }],
    })
    expect((await Ada.delete(`/api/admin/users/${Kid.id}/child`)).body.child).toBeNull()
    expect(await readChild()).toBeNull()
    expect(await readRows(db, 'guardians')).toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    expect((await asChild(Ada, Kid, ['mum'])).status).toBe(423)
  })

  test('needs one or two possible guardians, a possible child, and a day in the future', async () => {
    const { Ada, Kid, Ben, Mum, Uma } = await guardianScene(dialect)
    await Ada.put(`/api/admin/users/${Uma.id}/suspension`)
    for (const guardians of [[], ['mum', 'dad', 'ada'], ['nobody'], ['kid'], ['uma'], ['ben'], 'mum'])
      expect((await asChild(Ada, Ben, guardians as string[])).status, String(guardians)).toBe(422)
    const far = `${new Date().getFullYear() + 40}-01-01`
    for (const day of [serverDate(), '2001-01-01', '2030-13-01', 'soon', far])
      expect((await asChild(Ada, Ben, ['mum'], day)).status, day).toBe(422)
    expect((await asChild(Ada, Mum, ['ada'])).status).toBe(403)
    expect((await asChild(Ada, Ada, ['mum'])).status).toBe(403)
    await Ada.post('/api/moderators', { handle: 'ben' })
    expect((await asChild(Ada, Ben, ['mum'])).status).toBe(403)
    expect((await Ada.get('/api/guardian/children')).body).toEqual([])
    expect((await Kid.get('/api/account/guardians')).body).toMatchObject({
      ends_on: MARK_END_DATE,
      guardians: [{ name: 'Mum' }, { name: 'Dad' }],
    })
    expect((await Ben.get('/api/account/guardians')).body).toBeNull()
  })

  test('keeps the rights of admins and moderators away, whoever grants them', async () => {
    const { Ada, Kid, db, context } = await guardianScene(dialect, {
      env: { ADMIN_EMAIL: 'kid@engawa.example' },
    })
    expect((await Ada.put(`/api/admin/users/${Kid.id}/admin`)).status).toBe(403)
    expect((await Ada.post('/api/moderators', { handle: 'kid' })).status).toBe(403)
    expect(await transaction(db, (tx) => grantAdmin(tx, Kid.id))).toBe(false)
    const { link } = (await Ada.get(`/api/admin/users/${Kid.id}/verification-link`)).body
    const { pathname, search } = new URL(link)
    expect((await Kid.get(`/api${pathname}${search}`)).status).toBe(200)
    expect((await readRows(db, 'admins')).map(({ user_id }) => user_id)).toEqual([Ada.id])
    expect(context.config.ADMIN_EMAIL).toEqual(['kid@engawa.example'])
  })

  test('ends on its day, also before the clean-up', async () => {
    const app = await guardianScene(dialect)
    const { Kid, Uma, Mum, db, context } = app
    expect((await followAs(Uma, Kid)).status).toBe(403)
    await saveMarkEnd(app, Kid, serverDate(new Date(Date.now() + 36 * 3600_000)))
    expect((await followAs(Uma, Kid)).status).toBe(403)
    await saveMarkEnd(app, Kid, serverDate())
    expect((await followAs(Uma, Kid)).status).toBe(200)
    expect((await Mum.get('/api/guardian/children')).body).toEqual([])
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
    expect((await Mum.get(`/api/guardian/children/${Kid.id}/contacts`)).status).toBe(404)
    expect((await Kid.get('/api/account/guardians')).body).toBeNull()
    await transaction(db, (tx) => childNotices.deleteOld(context, tx))
    for (const table of ['children', 'guardians', 'child_notices'])
      expect(await readRows(db, table)).toEqual([])
    const [contact] = await readRows(db, 'child_contacts')
    expect(contact).toMatchObject({ person_id: Uma.id, unmarked_at: expect.any(String) })
    await transaction(db, (tx) =>
      tx.updateTable('child_contacts').set({ unmarked_at: '2020-01-01' }).execute(),
    )
    await transaction(db, (tx) => childNotices.deleteOld(context, tx))
    expect(await readRows(db, 'child_contacts')).toEqual([])
  })

  test('does not allow whom a guardian has refused when it ends and is made again', async () => {
    const { Ada, Kid, Uma, Ben, Mum, db, context } = await guardianScene(dialect)
    await createClub(Ada, Kid, Ben)
    for (const person of [Uma, Ben]) {
      await followAs(person, Kid)
      await transaction(db, (tx) =>
        addRequest(context, tx, {
          child: Kid.id,
          person: person.id,
          asked_by: person.id,
        }),
      )
      expect((await decideContact(Mum, Kid, person, 'refused')).status).toBe(200)
    }
    expect((await Ada.delete(`/api/admin/users/${Kid.id}/child`)).status).toBe(200)
    await transaction(db, (tx) => childNotices.deleteOld(context, tx))
    expect((await followAs(Uma, Kid)).status).toBe(200)
    expect((await sendMessage(Uma, Kid)).status).toBe(200)
    expect((await asChild(Ada, Kid, ['mum', 'ben'])).status).toBe(200)
    expect(await childContacts(Mum, Kid)).toMatchObject([
      { person: { id: Uma.id }, state: 'refused', follows_child: false },
    ])
    expect((await sendMessage(Uma, Kid)).status).toBe(403)
    expect((await readRows(db, 'child_contacts')).map(({ unmarked_at }) => unmarked_at)).toEqual([null])
  })

  test('can get other guardians; a removed one sees nothing, and is a contact no more', async () => {
    const { Ada, Kid, Mum, Dad, Uma, db } = await guardianScene(dialect)
    await followAs(Dad, Kid)
    expect((await asChild(Ada, Kid, ['mum', 'uma'])).status).toBe(200)
    for (const part of ['contacts', 'groups', 'notices'])
      expect((await Dad.get(`/api/guardian/children/${Kid.id}/${part}`)).status).toBe(404)
    expect((await Dad.get('/api/guardian/children')).body).toEqual([])
    expect(await readRows(db, 'follows')).toEqual([])
    expect(await contactState(Uma, Kid, Dad)).toBe('requested')
    expect((await Mum.get('/api/guardian/children')).body).toMatchObject([
      { id: Kid.id, ends_on: MARK_END_DATE },
    ])
    expect((await followAs(Uma, Kid)).status).toBe(200)
  })

  test('pauses a suspended guardian, and shows admins a child without a guardian', async () => {
    const { Ada, Ben, Kid, Mum, Dad, db, context } = await guardianScene(dialect)
    await Ada.put(`/api/admin/users/${Mum.id}/suspension`)
    expect((await Mum.get('/api/guardian/children')).status).toBe(401)
    const later = MARK_END_DATE.replace('-04-', '-05-')
    expect((await asChild(Ada, Kid, ['mum', 'dad'], later)).body.child).toMatchObject({
      ends_on: later,
    })
    expect((await asChild(Ada, Ben, ['mum'])).status).toBe(422)
    await Ada.delete(`/api/admin/users/${Mum.id}/suspension`)
    expect(await readRows(db, 'guardians')).toHaveLength(2)
    for (const { id } of [Mum, Dad])
      await transaction(db, (tx) => deleteMember(context, tx, { id, keep_messages: true }))
    const { userData } = (await Ada.get('/api/admin/users')).body
    expect(userData.find(({ id }: { id: number }) => id === Kid.id).child.guardians).toEqual([])
    expect((await asChild(Ada, Kid, ['ben'])).status).toBe(200)
  })

  test('is in the log with the guardians, whose names only admins see; not without a change', async () => {
    const { Ada, Kid, Ben } = await guardianScene(dialect)
    await asChild(Ada, Kid, ['mum', 'dad'])
    await asChild(Ada, Kid, ['mum'])
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
    const app = await guardianScene(dialect)
    const { Ada, Kid, Ben, Uma, db, context } = app
    const readEnds = async (who: typeof Ada) =>
      (await who.get('/api/audit-log')).body.filter(
        ({ action }: { action: string }) => action === 'child_ended',
      )
    await asChild(Ada, Kid, ['mum', 'dad'])
    await transaction(db, (tx) => childNotices.deleteOld(context, tx))
    expect(await readEnds(Ada)).toEqual([])
    await saveMarkEnd({ db }, Kid, '2020-01-01')
    await Promise.all([1, 2].map(() => transaction(db, (tx) => childNotices.deleteOld(context, tx))))
    expect(await readEnds(Ada)).toMatchObject([
      { role: 'system', actor: null, member: { id: Kid.id }, guardians: [{ name: 'Mum' }, { name: 'Dad' }] },
    ])
    expect(await readEnds(Ben)).toMatchObject([{ role: 'system', member: null, guardians: [] }])
    expect(await checkLog(app)).toMatchObject({ isIntact: true })
    expect(await readRows(db, 'children')).toEqual([])
    // The request of an admin who marks an account also deletes the marks that have ended.
    await asChild(Ada, Kid, ['mum'])
    await saveMarkEnd({ db }, Kid, '2020-01-01')
    await asChild(Ada, Uma, ['mum'])
    expect((await Ada.get('/api/audit-log?limit=2')).body).toMatchObject([
      { action: 'child_marked', actor: { id: Ada.id }, member: { id: Uma.id } },
      { action: 'child_ended', role: 'system', member: { id: Kid.id }, guardians: [{ name: 'Mum' }] },
    ])
  })

  test('of two admins at the same moment is one mark', async () => {
    const { Ada, Ben, Uma, db } = await guardianScene(dialect)
    await Ada.put(`/api/admin/users/${Uma.id}/admin`)
    const answers = await Promise.all([asChild(Ada, Ben, ['mum']), asChild(Ada, Ben, ['dad'])])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = (await readRows(db, 'guardians')).filter(({ child_id }) => child_id === Ben.id)
    expect(rows).toHaveLength(1)
  })

  test('gives the guardians what moderators tell the child, for a year and without doubles', async () => {
    const { Ada, Kid, Ben, Mum, db, context } = await guardianScene(dialect)
    const { id } = (await Kid.post('/api/posts', { text: 'Something bad' })).body.post
    await sendReport(Ben, 'post', id)
    const [{ id: hidden }] = await openCases(Ada)
    await decideCase(Ada, hidden, 'hide')
    await sendReport(Ben, 'member', Kid.id)
    const [{ id: suspended }] = await openCases(Ada)
    await decideCase(Ada, suspended, 'suspend', { days: 2 })
    await Ada.delete(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.delete(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.put(`/api/admin/users/${Kid.id}/suspension`)
    await Ada.put(`/api/admin/users/${Kid.id}/suspension`)
    const kinds = ['suspended', 'unsuspended', 'suspended', 'content_hidden']
    expect(await noticeKinds(Mum, Kid)).toEqual(kinds)
    const { body } = await Mum.get(`/api/guardian/children/${Kid.id}/notices`)
    expect(body[3]).toMatchObject({ text: 'Because of the rules' })
    expect(JSON.stringify(body)).not.toContain('Something bad')
    for (const other of [Kid, Ben]) {
      const { status } = await other.get(`/api/guardian/children/${Kid.id}/notices`)
      expect(status).toBe(other === Kid ? 401 : 404)
    }
    await transaction(db, (tx) => tx.updateTable('child_notices').set({ created_at: '2020-01-01' }).execute())
    await transaction(db, (tx) => childNotices.deleteOld(context, tx))
    expect(await noticeKinds(Mum, Kid)).toEqual([])
  })
})
