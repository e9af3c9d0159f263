import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { send as sendMails } from '../mails.ts'
import { decide, type Member, moderationScene, openCases, postAs, sendReport } from './moderation-scene.ts'

const waiting = async (who: Member) =>
  (await who.get('/api/notifications')).body.flatMap((one: { kind: string; waiting: number }) =>
    one.kind === 'report' ? one.waiting : [],
  )
const badge = async (who: Member) => (await who.get('/api/notifications/unread')).body

describe.each(dialectsInTurn())('a report that waits on %s', (dialect) => {
  test('is with all moderators and admins until one of them decides', async () => {
    const { Ada, Mo, May, Ann, Ben, Cleo } = await moderationScene(dialect)
    const posts = [await postAs(Ben, 'One'), await postAs(Ben, 'Two')]
    for (const post of posts) await sendReport(Ann, 'post', post)
    await sendReport(Cleo, 'post', posts[0]!)
    for (const moderator of [Ada, Mo, May]) {
      expect(await waiting(moderator)).toEqual([2])
      expect(await badge(moderator)).toMatchObject({ count: 1, waiting: { report: 2 } })
    }
    await Mo.post('/api/notifications/read', { last_event_id: 999_999 })
    expect((await badge(Mo)).count).toBe(1)
    expect((await Ada.get('/api/admin/facts')).body.open_reports).toBe(2)
    for (const { id } of await openCases(May)) await decide(May, id, 'dismiss')
    for (const moderator of [Ada, Mo, May]) expect(await waiting(moderator)).toEqual([])
    expect((await Ada.get('/api/admin/facts')).body.open_reports).toBe(0)
  })

  test('is hidden from members, from those it is about, and from former moderators', async () => {
    const { Ada, Mo, May, Ann, Ben } = await moderationScene(dialect)
    await sendReport(Ann, 'post', await postAs(Mo, 'Mine'))
    for (const other of [Mo, Ann, Ben]) {
      expect(await waiting(other)).toEqual([])
      expect((await badge(other)).waiting.report).toBe(0)
    }
    expect(await waiting(May)).toEqual([1])
    expect(JSON.stringify((await May.get('/api/notifications')).body)).not.toMatch(/Mo\b|Ann/)
    await Ada.delete(`/api/moderators/${May.id}`)
    expect(await waiting(May)).toEqual([])
    expect(await badge(May)).toMatchObject({ count: 0, waiting: { report: 0 } })
  })

  test('is there for a new moderator and a new admin, and gone with the account that it is about', async () => {
    const { Ada, Ann, Ben, Cleo, context, db } = await moderationScene(dialect)
    await sendReport(Ann, 'post', await postAs(Ben, 'One'))
    await Ada.post('/api/moderators', { handle: 'cleo' })
    await Ada.post('/api/moderators', { handle: 'ben' })
    await Ada.put(`/api/admin/users/${Ann.id}/admin`)
    expect([await waiting(Cleo), await waiting(Ann), await waiting(Ben)]).toEqual([[1], [1], []])
    await Ada.delete(`/api/moderators/${Ben.id}`)
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: false }))
    expect(await waiting(Cleo)).toEqual([])
  })

  test('is mailed to those who can decide and want it, without anything of it', async () => {
    const { Mo, May, Ann, Ben, context, db } = await moderationScene(dialect, {
      env: { SMTP_URL: 'smtp://127.0.0.1:1' },
    })
    await transaction(db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: '2026-01-01T00:00:00.000Z' }).execute(),
    )
    const off = { kind: 'report', channel: 'mail', is_on: false }
    expect((await May.send('PATCH', '/api/notification-settings', { switch: off })).status).toBe(200)
    const readMails = async () =>
      (await readRows(db, 'jobs')).flatMap(({ kind, payload }) =>
        kind === 'mail' && String(payload).includes('a new report waits') ? JSON.parse(String(payload)) : [],
      )
    await sendReport(Ann, 'post', await postAs(Ben, 'Rude words'))
    await sendMails(context)
    await sendMails(context)
    const sent = await readMails()
    expect(sent.map(({ to }) => to).toSorted()).toEqual(['ada@engawa.example', 'mo@engawa.example'])
    expect(JSON.stringify(sent)).not.toMatch(/Rude|Ben|Ann/)
    // Neither to the reporter nor to the person it is about, and not after the decision.
    await sendReport(Mo, 'member', May.id)
    await sendMails(context)
    expect((await readMails()).slice(2).map(({ to }) => to)).toEqual(['ada@engawa.example'])
    await sendReport(Ann, 'member', Mo.id)
    for (const { id } of await openCases(May)) await decide(May, id, 'dismiss')
    await sendMails(context)
    expect(await readMails()).toHaveLength(3)
  })
})
