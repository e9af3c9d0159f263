import { describe, expect, test, vi } from 'vitest'
import { announced, pinAndTell } from '#features/notifications/test/announcement-helpers.ts'
import { sendPrivate } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'

import {
  deliveryApp,
  deliverySteps,
  lastStepMatches,
  newestNotification,
  quietHoursNow,
  saveSettings,
} from './delivery-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(dialectsInTurn())('the trace of a push message on %s', (dialect) => {
  test('says that the push service took it, or refused it, and why', async () => {
    const { Ann, Ben, service, addDevice, db } = await deliveryApp(dialect)
    const phone = await addDevice(Ben)
    const taken = await sendPrivate(Ann, Ben, 'Taken')
    await lastStepMatches(Ben, taken.id, 'push', { outcome: 'waiting' })
    await lastStepMatches(Ben, taken.id, 'push', {
      outcome: 'accepted',
      reason: null,
      at: expect.any(String),
    })
    service.answer(phone.path, [400])
    const refused = await sendPrivate(Ann, Ben, 'Refused')
    await lastStepMatches(Ben, refused.id, 'push', { outcome: 'refused', reason: '400' })
    service.answer(phone.path, [410])
    const gone = await sendPrivate(Ann, Ben, 'Gone')
    await lastStepMatches(Ben, gone.id, 'push', { outcome: 'gone', reason: '410' })
    const none = await sendPrivate(Ann, Ben, 'None')
    await lastStepMatches(Ben, none.id, 'push', { outcome: 'no_device', at: null })
    const stored = JSON.stringify([
      await readRows(db, 'delivery_steps'),
      await readRows(db, 'delivery_counts'),
      await readRows(db, 'live_deliveries'),
    ])
    expect(stored).not.toMatch(new RegExp(`Taken|Refused|Gone|${phone.path}`))
  })

  test.each([429, 503])('says that it is tried again after %i', async (status) => {
    const { Ann, Ben, service, addDevice } = await deliveryApp(dialect)
    const phone = await addDevice(Ben)
    service.answer(phone.path, [status, { 'retry-after': '1800' }])
    const { id } = await sendPrivate(Ann, Ben, 'One')
    await lastStepMatches(Ben, id, 'push', { outcome: 'delayed' })
    const [delayed, ...others] = await deliverySteps(Ben, id, 'push')
    expect(others).toEqual([])
    expect(delayed).toMatchObject({ reason: String(status), until: expect.any(String) })
    expect(Date.parse(delayed!.until!) - Date.parse(delayed!.at!)).toBeGreaterThan(1_700_000)
  })

  test.each([
    ['a number of seconds', '999999999'],
    ['the year 10000', '+010000-01-01T00:00:00Z'],
    ['the last date', '+275760-09-13T00:00:00Z'],
  ])('names the next attempt, however late the push service wants it: %s', async (_, retryAfter) => {
    const { Ann, Ben, service, addDevice } = await deliveryApp(dialect)
    const phone = await addDevice(Ben)
    service.answer(phone.path, [429, { 'retry-after': retryAfter }])
    const { id } = await sendPrivate(Ann, Ben, 'One')
    await lastStepMatches(Ben, id, 'push', { outcome: 'delayed', until: expect.any(String) })
    const [delayed] = await deliverySteps(Ben, id, 'push')
    // The job runner of this test waits at most an hour before the next attempt, however late the push
    // service wants it.
    const wait = Date.parse(delayed!.until!) - Date.parse(delayed!.at!)
    expect(wait).toBeGreaterThan(3_500_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  })

  test('says that the push service does not answer, and admins see the pause', async () => {
    const { Ann, Ben, service, addDevice, logInAgain } = await deliveryApp(dialect)
    const phones: Awaited<ReturnType<typeof addDevice>>[] = []
    for (const session of [Ben, await logInAgain(), await logInAgain()]) phones.push(await addDevice(session))
    for (const { path } of phones) service.answer(path, 'hang')
    const { id } = await sendPrivate(Ann, Ben, 'One')
    await eventually(async () =>
      expect(await deliverySteps(Ben, id, 'push')).toMatchObject(
        phones.map(() => ({ outcome: 'delayed', reason: 'timeout' })),
      ),
    )
    const readProvider = async () => (await Ann.get('/api/admin/deliveries')).body.push_providers[0]
    await eventually(async () =>
      expect(await readProvider()).toMatchObject({
        accepted: { day: 0, week: 0 },
        failures: [{ reason: 'timeout', day: 3, week: 3 }],
        last_success_at: null,
        paused_until: expect.any(String),
      }),
    )
    for (const { path } of phones) service.answerAgain(path)
    const later = await sendPrivate(Ann, Ben, 'Two')
    await lastStepMatches(Ben, later.id, 'push', { outcome: 'waiting' })
    service.breakHanging()
  })

  test('says that quiet hours hold it back, and then that it was sent', async () => {
    const { Ann, Ben, addDevice } = await deliveryApp(dialect)
    await addDevice(Ben)
    await saveSettings(Ben, { quiet_hours: quietHoursNow() })
    const { id } = await sendPrivate(Ann, Ben, 'One')
    await lastStepMatches(Ben, id, 'push', { outcome: 'held', until: expect.any(String) })
    const second = await sendPrivate(Ann, Ben, 'Two')
    await lastStepMatches(Ben, second.id, 'push', { outcome: 'held' })
    expect(await deliverySteps(Ben, id, 'push')).toHaveLength(1)
    await saveSettings(Ben, { quiet_hours: null })
    await lastStepMatches(Ben, id, 'push', { outcome: 'accepted' })
    expect((await deliverySteps(Ben, id, 'push')).map(({ outcome }) => outcome)).toEqual(['held', 'accepted'])
  })

  test('says why it was not sent', async () => {
    const { Ann, Ben, addDevice } = await deliveryApp(dialect)
    const phone = await addDevice(Ben)
    const expectDropped = (id: number, reason: string) =>
      lastStepMatches(Ben, id, 'push', { outcome: 'dropped', reason })
    const read = await sendPrivate(Ann, Ben, 'Read')
    await Ben.put(`/api/conversations/${Ann.id}/read`, { last_read_id: read.id })
    await expectDropped(read.id, 'read')
    await saveSettings(Ben, {
      switch: { kind: 'message', channel: 'push', is_on: false },
    })
    await expectDropped((await sendPrivate(Ann, Ben, 'Off')).id, 'switched_off')
    await saveSettings(Ben, {
      switch: { kind: 'message', channel: 'push', is_on: true },
    })
    await Ben.post(`/api/users/${Ann.id}/mute`)
    await expectDropped((await sendPrivate(Ann, Ben, 'Muted')).id, 'muted')
    await Ben.delete(`/api/users/${Ann.id}/mute`)
    await saveSettings(Ben, { quiet_hours: quietHoursNow() })
    const held = await sendPrivate(Ann, Ben, 'Held')
    await lastStepMatches(Ben, held.id, 'push', { outcome: 'held' })
    await Ben.delete(`/api/push/devices/${phone.id}`)
    await expectDropped(held.id, 'device_removed')
  })

  test('of an announcement says how it reached each member, and why not', async () => {
    const { Ann, Ben, Cleo, addDevice, db, service } = await deliveryApp(dialect)
    const [phone, off] = [await addDevice(Ben), await addDevice(Cleo)]
    await saveSettings(Cleo, {
      switch: { kind: 'announcement', channel: 'push', is_on: false },
    })
    const announce = async () => {
      const { id } = (await Ann.post('/api/posts', { text: 'The door code changes' })).body.post
      await pinAndTell(Ann, id)
      await announced(db)
    }
    const expectStep = async (who: typeof Ben, expected: object) => {
      const id = await newestNotification(who, 'announcement')
      await lastStepMatches(who, id, 'push', expected, 'notifications')
    }
    await announce()
    await eventually(() => expect(service.receivedAt(phone.path).map(phone.decrypt)).toHaveLength(1))
    expect(service.receivedAt(phone.path).map(phone.decrypt)).toMatchObject([
      { body: 'Announcement by Ann: The door code changes' },
    ])
    await expectStep(Ben, { outcome: 'accepted' })
    await expectStep(Cleo, { outcome: 'dropped', reason: 'switched_off' })
    await saveSettings(Ben, { quiet_hours: quietHoursNow() })
    await announce()
    await expectStep(Ben, { outcome: 'held' })
    expect(service.receivedAt(phone.path)).toHaveLength(1)
    expect(service.receivedAt(off.path)).toEqual([])
  })

  test('of a notification about a message names the push message of the message', async () => {
    const { Ann, Ben, addDevice } = await deliveryApp(dialect)
    await addDevice(Ben)
    await sendPrivate(Ann, Ben, 'First')
    const id = await newestNotification(Ben, 'first_message')
    await lastStepMatches(Ben, id, 'push', { outcome: 'as_message' }, 'notifications')
    await Ann.post(`/api/posts/${(await Ben.post('/api/posts', { text: 'x' })).body.post.id}/like`)
    const like = await newestNotification(Ben, 'like')
    await lastStepMatches(Ben, like, 'push', { outcome: 'accepted' }, 'notifications')
  })
})
