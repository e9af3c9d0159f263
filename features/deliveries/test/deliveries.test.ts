import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueDue } from '#features/digest/model.ts'
import { ageMember, daysAgo, makeJobsDue } from '#tests/absent-members.ts'
import { createGroup, eachPage, sendPrivate, sendToGroup, UNUSED_ID } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { deleteOldTraces } from '../cleanup.ts'
import type { Delivery } from '../contract.ts'

import { deliveryApp, deliverySteps, newestNotification, saveSettings } from './delivery-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(dialectsInTurn())('the trace of a mail on %s', (dialect) => {
  test('says when it was prepared, put off and sent', async () => {
    const { Ann, Ben, db, context, mailServer, ...app } = await deliveryApp(dialect)
    await verifyAllEmails({ db, ...app } as never)
    const { id } = await sendPrivate(Ann, Ben, 'One')
    expect(await deliverySteps(Ben, id, 'mail')).toMatchObject([{ outcome: 'none', reason: 'not_away' }])
    await ageMember(db, Ben.id, 9)
    mailServer.state.isBusy = true
    await enqueueDue(context)
    await context.jobs.idle()
    mailServer.state.isBusy = false
    await makeJobsDue(db)
    context.jobs.wake()
    await context.jobs.idle()
    expect((await deliverySteps(Ben, id, 'mail')).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['queued', null],
      ['deferred', 'mail_server'],
      ['sent', null],
    ])
    const later = await sendPrivate(Ann, Ben, 'Later')
    expect(await deliverySteps(Ben, later.id, 'mail')).toMatchObject([{ outcome: 'none' }])
    await eventually(async () => {
      const { body } = await Ann.get('/api/admin/deliveries')
      expect(body.channels[2]).toMatchObject({
        channel: 'mail',
        delayed: { day: 1, week: 1 },
        waiting: 0,
        last_success_at: expect.any(String),
      })
    })
  })

  test('says why there was none', async () => {
    const { Ann, Ben, db, ...app } = await deliveryApp(dialect)
    const { id } = await sendPrivate(Ann, Ben, 'One')
    const expectNone = async (reason: string) =>
      expect(await deliverySteps(Ben, id, 'mail')).toMatchObject([{ outcome: 'none', reason, at: null }])
    await expectNone('no_address')
    await verifyAllEmails({ db, ...app } as never)
    await Ben.put('/api/digest', { frequency: 'never' })
    await expectNone('off')
    await saveSettings(Ben, {
      switch: { kind: 'message', channel: 'mail', is_on: false },
    })
    await expectNone('switched_off')
  })
})

describe.each(dialectsInTurn())('deliveries on %s', (dialect) => {
  test('are listed for the member, newest first, page by page', async () => {
    const { Ann, Ben, Cleo } = await deliveryApp(dialect)
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    for (let n = 1; n <= 5; n++) {
      await sendToGroup(Ann, group, `Group ${n}`)
      await sendPrivate(Ann, Ben, `Private ${n}`)
      await sendPrivate(Ben, Ann, `Own ${n}`)
      const { id } = (await Ben.post('/api/posts', { text: `Post ${n}` })).body.post
      await Cleo.post(`/api/posts/${id}/like`)
    }
    await sendPrivate(Ann, Cleo, 'Not for Ben')
    const pages = await eachPage<Delivery>(Ben, '/api/deliveries?limit=4')
    const rows = pages.flat()
    expect(pages.every((page) => page.length <= 4)).toBe(true)
    const texts = rows.flatMap((row) => (row.kind === 'message' ? row.text : []))
    expect(texts).toEqual([5, 4, 3, 2, 1].flatMap((n) => [`Private ${n}`, `Group ${n}`]))
    const kinds = rows.flatMap((row) => (row.kind === 'notification' ? row.notification.kind : []))
    expect(kinds.filter((kind) => kind === 'like')).toHaveLength(5)
    expect(kinds).toEqual(expect.arrayContaining(['group', 'first_message', 'follow']))
    const times = rows.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(rows.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(rows.length)
    expect(rows[0]!.steps[0]).toMatchObject({ channel: 'app', outcome: 'stored' })
  })

  test('of the same moment are listed once each', async () => {
    const { Ann, Ben, db } = await deliveryApp(dialect)
    for (let n = 1; n <= 5; n++) await sendPrivate(Ann, Ben, `${n}`)
    await transaction(db, (tx) =>
      tx.updateTable('messages').set({ created_at: new Date().toISOString() }).execute(),
    )
    const pages = await eachPage<Delivery>(Ben, '/api/deliveries?limit=2')
    const texts = pages.flat().flatMap((row) => (row.kind === 'message' ? row.text : []))
    expect(texts).toEqual(['5', '4', '3', '2', '1'])
  })

  test('are shown to nobody else', async () => {
    const { Ann, Ben, Cleo, visitor } = await deliveryApp(dialect)
    const { id } = await sendPrivate(Ann, Ben, 'One')
    const notification = await newestNotification(Ben, 'first_message')
    const paths = [
      '/api/deliveries',
      `/api/chat-messages/${id}/delivery`,
      `/api/notifications/${notification}/delivery`,
    ]
    for (const path of [...paths, '/api/admin/deliveries'])
      expect((await visitor().get(path)).status, path).toBe(401)
    for (const path of paths) expect((await Ben.get(path)).status, path).toBe(200)
    for (const path of paths.slice(1)) {
      expect((await Cleo.get(path)).status, path).toBe(404)
      expect((await Ann.get(path)).status, path).toBe(404)
    }
    for (const kind of ['chat-messages', 'notifications'])
      expect((await Ben.get(`/api/${kind}/${UNUSED_ID}/delivery`)).status).toBe(404)
    expect((await Ben.get('/api/admin/deliveries')).status).toBe(403)
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect((await Ben.get(paths[1]!)).status).toBe(404)
    expect((await Ben.get('/api/deliveries')).body.filter((row: Delivery) => row.kind === 'message')).toEqual(
      [],
    )
  })

  test('show admins the health of the channels and push services, without members and contents', async () => {
    const { Ann, Ben, Cleo, service, addDevice, subscribeAs } = await deliveryApp(dialect)
    const [phone, other] = [await addDevice(Ben), await addDevice(Cleo)]
    service.answer(other.path, [503])
    await subscribeAs(Ben, `presence-user.${Ben.id}`)
    await sendPrivate(Ann, Ben, 'Rhubarb')
    await sendPrivate(Ann, Cleo, 'Rhubarb')
    await eventually(async () => {
      const { status, body } = await Ann.get('/api/admin/deliveries')
      expect(status).toBe(200)
      const [live, push, mail] = body.channels
      expect(mail.accepted.day).toBeGreaterThan(0)
      expect(mail).not.toHaveProperty('written')
      expect(live.accepted.day).toBeGreaterThan(0)
      expect(push).toMatchObject({
        accepted: { day: 1, week: 1 },
        refused: { day: 0, week: 0 },
        delayed: { day: 1, week: 1 },
        waiting: 1,
        oldest_waiting_at: expect.any(String),
      })
      expect(body.push_providers).toEqual([
        {
          host: service.origin.replace('http://', ''),
          last_success_at: expect.any(String),
          accepted: { day: 1, week: 1 },
          failures: [{ reason: '503', day: 1, week: 1 }],
          paused_until: null,
        },
      ])
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`Rhubarb|Ben|Cleo|${phone.path}|${other.path}`))
    })
  })

  test('count mails that are only files as such', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann } = await app.members('Ann')
    await eventually(async () => {
      const { body } = await Ann.get('/api/admin/deliveries')
      const none = { accepted: { day: 0, week: 0 }, last_success_at: null }
      expect(body.channels[2]).toMatchObject({ ...none, written: { day: 1, week: 1 } })
    })
  })

  test('are deleted after seven days, and before if there are too many', async () => {
    const { db, ...app } = await realtimeApp({ dialect })
    // Alone, and so without traces of what others do.
    const { Ben } = await app.members('Ben')
    await transaction(db, async (tx) => {
      for (const [subject_id, days] of [
        [1, 8],
        [2, 6],
        [3, 1],
      ] as const) {
        const time = daysAgo(days)
        const subject = { subject_kind: 'message' as const, subject_id }
        await tx
          .insertInto('delivery_steps')
          .values({
            ...{ ...subject, user_id: Ben.id, channel: 'push', outcome: 'accepted', created_at: time },
            ...{ reason: null, until_time: null, device: null },
          })
          .execute()
        await tx
          .insertInto('live_deliveries')
          .values({ ...subject, broadcast_at: time, windows: '{}' })
          .execute()
      }
    })
    const listIds = async () =>
      Promise.all(
        ['delivery_steps', 'live_deliveries'].map(async (table) =>
          (await readRows(db, table)).map(({ subject_id }) => subject_id),
        ),
      )
    await deleteOldTraces(db)
    expect((await listIds()).map((ids) => ids.map(Number).toSorted())).toEqual([
      [2, 3],
      [2, 3],
    ])
    await deleteOldTraces(db, { maxRows: { delivery_steps: 1, live_deliveries: 0 } })
    expect((await listIds()).map((ids) => ids.map(Number))).toEqual([[3], []])
  })
})
