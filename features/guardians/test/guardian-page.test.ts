import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  sendModerationDecisionAsTestMember as decideCase,
  listOpenModerationCasesAsTestMember,
  sendReportAsTestMember,
} from '#features/moderation/test/moderation-scene.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import {
  followAsTestMember,
  listChildContactsAsTestGuardian,
  startTestAppWithGuardians,
  TEST_CHILD_MARK_END_DATE,
} from './guardian-scene.ts'

describe.each(dialectsInTurn())('the page of a guardian on %s', (dialect) => {
  test('is the first page when there is something new, until it was seen', async () => {
    const { Kid, Uma, Mum } = await startTestAppWithGuardians(dialect)
    const open = async (path = '/chats') => (await Mum.get(path)).headers.location
    expect([await open(), await open('/guardian')]).toEqual(['/guardian', undefined])
    await Mum.post('/api/guardian/seen')
    expect(await open()).toBeUndefined()
    await followAsTestMember(Uma, Kid)
    expect(await open()).toBe('/guardian')
    await Mum.post('/api/guardian/seen')
    expect(await open()).toBeUndefined()
    await followAsTestMember(Uma, Kid)
    expect(await open()).toBeUndefined()
  })

  test('waits while the member has not read a notice of the moderators', async () => {
    const { Ada, Ben, Mum } = await startTestAppWithGuardians(dialect)
    const { id } = (await Mum.post('/api/posts', { text: 'Something bad' })).body.post
    await sendReportAsTestMember(Ben, 'post', id)
    const [{ id: reported }] = await listOpenModerationCasesAsTestMember(Ada)
    await decideCase(Ada, reported, 'warn')
    const open = async (path: string) => {
      const { status, headers } = await Mum.get(path, { accept: 'text/html' })
      return headers.location ?? status
    }
    expect([await open('/moderation'), await open('/chats'), await open('/guardian')]).toEqual([
      200,
      '/moderation',
      '/moderation',
    ])
    const [notice] = (await Mum.get('/api/account/notices')).body
    await Mum.post(`/api/account/notices/${notice.id}/acknowledge`)
    expect([await open('/chats'), await open('/guardian')]).toEqual(['/guardian', 200])
  })

  test('is announced by mail, at most once in a quarter of an hour', async () => {
    const { Kid, Uma, Ben, Ada, db, context } = await startTestAppWithGuardians(dialect, {
      env: { SMTP_URL: 'smtp://127.0.0.1:1' },
    })
    await transaction(db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: TEST_CHILD_MARK_END_DATE }).execute(),
    )
    const readMails = async () =>
      (await readTestTableRows(db, 'jobs'))
        .filter(({ kind }) => kind === 'mail')
        .flatMap(({ payload }) => (payload ? [JSON.parse(String(payload))] : []))
        .filter(({ subject }) => subject.includes('a new contact waits'))
    for (const person of [Uma, Ben, Ada]) await followAsTestMember(person, Kid)
    await vi.waitUntil(async () => (await readMails()).length === 2, 20_000)
    const waiting = (await readTestTableRows(db, 'guardian_mails')).map(({ next_at }) => String(next_at))
    for (const at of waiting) expect(Date.parse(at) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect((await readMails()).map(({ to }) => to).toSorted()).toEqual([
      'dad@engawa.example',
      'mum@engawa.example',
    ])
    expect(JSON.stringify(await readMails())).not.toMatch(/Uma|Kid/)
    expect(context.config.SMTP_URL).toBeTruthy()
  })

  test('shows names, follows and times, never a text', async () => {
    const { Ada, Kid, Mum, Uma, Ben, db } = await startTestAppWithGuardians(dialect)
    const { group } = (await Ada.post('/api/groups', { name: 'Club' })).body
    for (const { id } of [Kid, Ben]) await Ada.post(`/api/groups/${group.id}/add-user`, { user_id: id })
    await followAsTestMember(Kid, Ben)
    await Kid.post('/api/send-private-message', { input: 'A secret', targetUserId: Ben.id })
    await followAsTestMember(Uma, Kid)
    const contacts = await listChildContactsAsTestGuardian(Mum, Kid)
    expect(contacts).toMatchObject([
      { person: { id: Uma.id }, state: 'requested', last_message_at: null },
      { person: { id: Ben.id }, state: null, child_follows: true, follows_child: false },
    ])
    expect(contacts[1].last_message_at).toBe((await readTestTableRows(db, 'messages'))[0]!.created_at)
    expect(JSON.stringify(contacts)).not.toContain('secret')
    expect((await Mum.get(`/api/guardian/children/${Kid.id}/groups`)).body).toEqual([
      { id: group.id, name: 'Club' },
    ])
    const page = await Mum.get(`/api/guardian/children/${Kid.id}/contacts?limit=1`)
    expect(page.body).toHaveLength(1)
    expect(page.headers.link).toContain(`after=${Uma.id}`)
    for (const other of [Ben, Ada, Kid])
      expect((await other.get(`/api/guardian/children/${Kid.id}/contacts`)).status).toBe(404)
  })
})
