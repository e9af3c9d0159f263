import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { databases, readRows, type TestClient } from '#tests/harness.ts'
import { send } from '../reminders.ts'
import {
  acknowledgementScene,
  ask,
  inGroup,
  pathOf,
  remind,
  remindersSent,
  stateFor,
  tryAsk,
} from './acknowledgement-scene.ts'

const kindsOf = async (who: TestClient) =>
  (await who.get('/api/notifications')).body
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind.endsWith('reminder'))
const unreadOf = async (who: TestClient) => (await who.get('/api/notifications/unread')).body.count

/** As if all reminders were sent thirteen hours ago. */
const age = (db: Db) =>
  transaction(db, (tx) =>
    sql`update acknowledgement_reminders
      set sent_at = ${new Date(Date.now() - 13 * 3600_000).toISOString()}`.execute(tx),
  )

describe.each(databases)('reminders on %s', (dialect) => {
  test('reach exactly those who were asked and have not answered, and end with the answer', async () => {
    const { Ada, Ben, Mum, Kid, Uma, club, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    await Ben.put(pathOf(id))
    await Ada.post(`/api/groups/${club}/add-user`, { user_id: Uma.id })
    await Kid.post(`/api/users/${Ada.id}/mute`)
    expect((await remind(Ada, id)).body).toMatchObject({ reminded_at: expect.any(String) })
    await remindersSent(db)
    for (const who of [Ada, Ben, Kid, Uma]) expect(await kindsOf(who)).toEqual([])
    expect(await kindsOf(Mum)).toEqual(['read_reminder'])
    await Mum.put(pathOf(id))
    expect(await kindsOf(Mum)).toEqual([])
  })

  test('are not for groups that have ended, which wait for nobody', async () => {
    const { Ada, Mum, club, context, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club), { remind_at: [new Date(Date.now() + 60_000).toISOString()] })
    const waiting = async () => (await Mum.get('/api/acknowledgements/waiting')).body.length
    expect(await waiting()).toBe(1)
    await Ada.put(`/api/groups/${club}/ending`, { has_ended: true })
    expect([await waiting(), (await remind(Ada, id)).status]).toEqual([0, 403])
    const [planned] = await readRows(db, 'acknowledgement_reminders')
    await send(context, planned!.id as number, new AbortController().signal)
    expect(await kindsOf(Mum)).toEqual([])
    await Ada.put(`/api/groups/${club}/ending`, { has_ended: false })
    expect([await waiting(), (await remind(Ada, id)).status]).toEqual([1, 200])
  })

  test('come once in twelve hours, from the author alone, while answers are possible', async () => {
    const { Ada, Ben, Mum, club, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    expect((await remind(Ben, id)).status).toBe(403)
    expect((await remind(Ada, id)).status).toBe(200)
    expect((await remind(Ada, id)).status).toBe(403)
    await remindersSent(db)
    const [{ last_event_id }] = (await Mum.get('/api/notifications')).body
    await Mum.post('/api/notifications/read', { last_event_id })
    expect(await unreadOf(Mum)).toBe(0)
    await age(db)
    expect((await remind(Ada, id)).status).toBe(200)
    await remindersSent(db)
    expect([await kindsOf(Mum), await unreadOf(Mum)]).toEqual([['read_reminder'], 1])
    await age(db)
    await Ada.delete(`${pathOf(id)}-request`)
    expect((await remind(Ada, id)).status).toBe(403)
  })

  test('that are urgent are named as such, and in the audit log', async () => {
    const { Ada, Ben, club, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    await remind(Ada, id, true)
    await remindersSent(db)
    expect(await kindsOf(Ben)).toEqual(['urgent_reminder'])
    expect((await Ada.get('/api/audit-log')).body[0]).toMatchObject({
      ...{ action: 'urgent_reminder', subject: 'post', role: 'admin', actor: { id: Ada.id } },
    })
  })

  test('of a hidden post reach nobody', async () => {
    const { Ada, Ben, club, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    await transaction(db, (tx) =>
      sql`insert into hidden_posts (post_id, created_at) values (${id}, '')`.execute(tx),
    )
    await remind(Ada, id)
    await remindersSent(db)
    expect(await kindsOf(Ben)).toEqual([])
    expect(await readRows(db, 'notifications')).not.toContainEqual(
      expect.objectContaining({ kind: 'read_reminder' }),
    )
  })

  test('are planned: at most three, in order, twelve hours apart', async () => {
    const { Ada, Ben, club, db } = await acknowledgementScene(dialect)
    const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString()
    for (const hours of [[1, 2], [30, 1], [1, 20, 40, 60], [-1]])
      expect((await tryAsk(Ada, {}, { remind_at: hours.map(inHours) })).status).toBe(422)
    const id = await ask(Ada, inGroup(club), { remind_at: [24, 48, 72].map(inHours) })
    const planned = await readRows(db, 'acknowledgement_reminders')
    expect(planned.map(({ sent_at }) => sent_at)).toEqual([null, null, null])
    const makeDue = (count: number) =>
      transaction(db, (tx) =>
        sql`update jobs set run_at = '2026-01-01T00:00:00.000Z' where kind = 'acknowledgement_reminder'
          and id in (select id from jobs where kind = 'acknowledgement_reminder' order by id limit ${count})`.execute(
          tx,
        ),
      )
    await makeDue(2)
    await remind(Ada, await ask(Ada, inGroup(club)))
    const sent = async () =>
      (await readRows(db, 'acknowledgement_reminders')).filter(
        (row) => row.post_id === id && row.sent_at !== null,
      ).length
    await expect.poll(sent).toBe(1)
    expect(await stateFor(Ada, id)).toMatchObject({ reminded_at: expect.any(String) })
    await expect.poll(() => kindsOf(Ben)).toEqual(['read_reminder', 'read_reminder'])
  })
})
