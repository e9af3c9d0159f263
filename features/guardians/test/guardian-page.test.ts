import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { childContacts, followAs, guardianScene, MARK_END_DATE } from './guardian-scene.ts'

describe.each(dialectsInTurn())('the page of a guardian on %s', (dialect) => {
  test('is hinted at when there is something new, until it was seen, and replaces no page', async () => {
    const { Ada, Kid, Uma, Ben, Mum } = await guardianScene(dialect)
    const news = async (who = Mum) => (await who.get('/api/user')).body.guardian_news
    expect([await news(), await news(Uma), await news(Kid)]).toEqual([true, undefined, undefined])
    expect((await Mum.get('/chats')).status).toBe(200)
    await Mum.post('/api/guardian/seen')
    expect(await news()).toBeUndefined()
    // A request has a notification.
    await followAs(Uma, Kid)
    expect(await news()).toBeUndefined()
    const { group } = (await Ada.post('/api/groups', { name: 'Club' })).body
    for (const { id } of [Kid, Ben]) await Ada.post(`/api/groups/${group.id}/add-user`, { user_id: id })
    expect(await news()).toBe(true)
  })

  test('is announced by mail, at most once in a quarter of an hour', async () => {
    const { Kid, Uma, Ben, Ada, db, context } = await guardianScene(dialect, {
      env: { SMTP_URL: 'smtp://127.0.0.1:1' },
    })
    await transaction(db, (tx) => tx.updateTable('users').set({ email_verified_at: MARK_END_DATE }).execute())
    const readMails = async () =>
      (await readRows(db, 'jobs'))
        .filter(({ kind }) => kind === 'mail')
        .flatMap(({ payload }) => (payload ? [JSON.parse(String(payload))] : []))
        .filter(({ subject }) => subject.includes('a new contact waits'))
    for (const person of [Uma, Ben, Ada]) await followAs(person, Kid)
    await vi.waitUntil(async () => (await readMails()).length === 2, 20_000)
    const waiting = (await readRows(db, 'guardian_mails')).map(({ next_at }) => String(next_at))
    for (const at of waiting) expect(Date.parse(at) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect((await readMails()).map(({ to }) => to).toSorted()).toEqual([
      'dad@engawa.example',
      'mum@engawa.example',
    ])
    expect(JSON.stringify(await readMails())).not.toMatch(/Uma|Kid/)
    expect(context.config.SMTP_URL).toBeTruthy()
  })

  test('is not announced by mail to a guardian who has turned that off', async () => {
    const { Kid, Uma, Mum, db } = await guardianScene(dialect, { env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    await transaction(db, (tx) => tx.updateTable('users').set({ email_verified_at: MARK_END_DATE }).execute())
    const off = { kind: 'contact_request', channel: 'mail', is_on: false }
    expect((await Mum.send('PATCH', '/api/notification-settings', { switch: off })).status).toBe(200)
    await followAs(Uma, Kid)
    const isWaiting = async () => (await readRows(db, 'guardian_mails')).some((row) => row.is_waiting)
    await vi.waitUntil(async () => !(await isWaiting()), 20_000)
    const mails = (await readRows(db, 'jobs')).filter(({ kind }) => kind === 'mail')
    const told = mails.filter(({ payload }) => String(payload).includes('a new contact waits'))
    expect(told.map(({ payload }) => JSON.parse(String(payload)).to)).toEqual(['dad@engawa.example'])
  })

  test('shows names, follows and times, never a text', async () => {
    const { Ada, Kid, Mum, Uma, Ben, db } = await guardianScene(dialect)
    const { group } = (await Ada.post('/api/groups', { name: 'Club' })).body
    for (const { id } of [Kid, Ben]) await Ada.post(`/api/groups/${group.id}/add-user`, { user_id: id })
    await followAs(Kid, Ben)
    await Kid.post('/api/send-private-message', { input: 'A secret', targetUserId: Ben.id })
    await followAs(Uma, Kid)
    const contacts = await childContacts(Mum, Kid)
    expect(contacts).toMatchObject([
      { person: { id: Uma.id }, state: 'requested', last_message_at: null },
      { person: { id: Ben.id }, state: null, child_follows: true, follows_child: false },
    ])
    expect(contacts[1].last_message_at).toBe((await readRows(db, 'messages'))[0]!.created_at)
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
