import { describe, expect, test, vi } from 'vitest'
import {
  pinTestPostAndTellEveryone,
  waitForTestAnnouncementJobs,
} from '#features/notifications/test/announcement-helpers.ts'
import { sendTestPrivateMessage } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'

import {
  createTestQuietHoursAroundNow,
  fetchNewestNotificationIdOfTestMember,
  readDeliveryStepsOfChannelAsTestMember,
  saveNotificationSettingsAsTestMember,
  startDeliveryTestApp,
  waitUntilLastDeliveryStepMatches,
} from './delivery-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(dialectsInTurn())('the trace of a push message on %s', (dialect) => {
  test('says that the push service took it, or refused it, and why', async () => {
    const { Ann, Ben, service, addDevice, db } = await startDeliveryTestApp(dialect)
    const phone = await addDevice(Ben)
    const taken = await sendTestPrivateMessage(Ann, Ben, 'Taken')
    await waitUntilLastDeliveryStepMatches(Ben, taken.id, 'push', { outcome: 'waiting' })
    await waitUntilLastDeliveryStepMatches(Ben, taken.id, 'push', {
      outcome: 'accepted',
      reason: null,
      at: expect.any(String),
    })
    service.answer(phone.path, [400])
    const refused = await sendTestPrivateMessage(Ann, Ben, 'Refused')
    await waitUntilLastDeliveryStepMatches(Ben, refused.id, 'push', { outcome: 'refused', reason: '400' })
    service.answer(phone.path, [410])
    const gone = await sendTestPrivateMessage(Ann, Ben, 'Gone')
    await waitUntilLastDeliveryStepMatches(Ben, gone.id, 'push', { outcome: 'gone', reason: '410' })
    const none = await sendTestPrivateMessage(Ann, Ben, 'None')
    await waitUntilLastDeliveryStepMatches(Ben, none.id, 'push', { outcome: 'no_device', at: null })
    const stored = JSON.stringify([
      await readTestTableRows(db, 'delivery_steps'),
      await readTestTableRows(db, 'delivery_counts'),
      await readTestTableRows(db, 'live_deliveries'),
    ])
    expect(stored).not.toMatch(new RegExp(`Taken|Refused|Gone|${phone.path}`))
  })

  test.each([429, 503])('says that it is tried again after %i', async (status) => {
    const { Ann, Ben, service, addDevice } = await startDeliveryTestApp(dialect)
    const phone = await addDevice(Ben)
    service.answer(phone.path, [status, { 'retry-after': '1800' }])
    const { id } = await sendTestPrivateMessage(Ann, Ben, 'One')
    await waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'delayed' })
    const [delayed, ...others] = await readDeliveryStepsOfChannelAsTestMember(Ben, id, 'push')
    expect(others).toEqual([])
    expect(delayed).toMatchObject({ reason: String(status), until: expect.any(String) })
    expect(Date.parse(delayed!.until!) - Date.parse(delayed!.at!)).toBeGreaterThan(1_700_000)
  })

  test.each([
    ['a number of seconds', '999999999'],
    ['the year 10000', '+010000-01-01T00:00:00Z'],
    ['the last date', '+275760-09-13T00:00:00Z'],
  ])('names the next attempt, however late the push service wants it: %s', async (_, retryAfter) => {
    const { Ann, Ben, service, addDevice } = await startDeliveryTestApp(dialect)
    const phone = await addDevice(Ben)
    service.answer(phone.path, [429, { 'retry-after': retryAfter }])
    const { id } = await sendTestPrivateMessage(Ann, Ben, 'One')
    await waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'delayed', until: expect.any(String) })
    const [delayed] = await readDeliveryStepsOfChannelAsTestMember(Ben, id, 'push')
    // The job runner of this test waits at most an hour before the next attempt, however late the push
    // service wants it.
    const wait = Date.parse(delayed!.until!) - Date.parse(delayed!.at!)
    expect(wait).toBeGreaterThan(3_500_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  })

  test('says that the push service does not answer, and admins see the pause', async () => {
    const { Ann, Ben, service, addDevice, logInAgain } = await startDeliveryTestApp(dialect)
    const phones: Awaited<ReturnType<typeof addDevice>>[] = []
    for (const session of [Ben, await logInAgain(), await logInAgain()]) phones.push(await addDevice(session))
    for (const { path } of phones) service.answer(path, 'hang')
    const { id } = await sendTestPrivateMessage(Ann, Ben, 'One')
    await eventually(async () =>
      expect(await readDeliveryStepsOfChannelAsTestMember(Ben, id, 'push')).toMatchObject(
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
    const later = await sendTestPrivateMessage(Ann, Ben, 'Two')
    await waitUntilLastDeliveryStepMatches(Ben, later.id, 'push', { outcome: 'waiting' })
    service.breakHanging()
  })

  test('says that quiet hours hold it back, and then that it was sent', async () => {
    const { Ann, Ben, addDevice } = await startDeliveryTestApp(dialect)
    await addDevice(Ben)
    await saveNotificationSettingsAsTestMember(Ben, { quiet_hours: createTestQuietHoursAroundNow() })
    const { id } = await sendTestPrivateMessage(Ann, Ben, 'One')
    await waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'held', until: expect.any(String) })
    const second = await sendTestPrivateMessage(Ann, Ben, 'Two')
    await waitUntilLastDeliveryStepMatches(Ben, second.id, 'push', { outcome: 'held' })
    expect(await readDeliveryStepsOfChannelAsTestMember(Ben, id, 'push')).toHaveLength(1)
    await saveNotificationSettingsAsTestMember(Ben, { quiet_hours: null })
    await waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'accepted' })
    expect(
      (await readDeliveryStepsOfChannelAsTestMember(Ben, id, 'push')).map(({ outcome }) => outcome),
    ).toEqual(['held', 'accepted'])
  })

  test('says why it was not sent', async () => {
    const { Ann, Ben, addDevice } = await startDeliveryTestApp(dialect)
    const phone = await addDevice(Ben)
    const expectDropped = (id: number, reason: string) =>
      waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'dropped', reason })
    const read = await sendTestPrivateMessage(Ann, Ben, 'Read')
    await Ben.put(`/api/conversations/${Ann.id}/read`, { last_read_id: read.id })
    await expectDropped(read.id, 'read')
    await saveNotificationSettingsAsTestMember(Ben, {
      switch: { kind: 'message', channel: 'push', is_on: false },
    })
    await expectDropped((await sendTestPrivateMessage(Ann, Ben, 'Off')).id, 'switched_off')
    await saveNotificationSettingsAsTestMember(Ben, {
      switch: { kind: 'message', channel: 'push', is_on: true },
    })
    await Ben.post(`/api/users/${Ann.id}/mute`)
    await expectDropped((await sendTestPrivateMessage(Ann, Ben, 'Muted')).id, 'muted')
    await Ben.delete(`/api/users/${Ann.id}/mute`)
    await saveNotificationSettingsAsTestMember(Ben, { quiet_hours: createTestQuietHoursAroundNow() })
    const held = await sendTestPrivateMessage(Ann, Ben, 'Held')
    await waitUntilLastDeliveryStepMatches(Ben, held.id, 'push', { outcome: 'held' })
    await Ben.delete(`/api/push/devices/${phone.id}`)
    await expectDropped(held.id, 'device_removed')
  })

  test('of an announcement says how it reached each member, and why not', async () => {
    const { Ann, Ben, Cleo, addDevice, db, service } = await startDeliveryTestApp(dialect)
    const [phone, off] = [await addDevice(Ben), await addDevice(Cleo)]
    await saveNotificationSettingsAsTestMember(Cleo, {
      switch: { kind: 'announcement', channel: 'push', is_on: false },
    })
    const announce = async () => {
      const { id } = (await Ann.post('/api/posts', { text: 'The door code changes' })).body.post
      await pinTestPostAndTellEveryone(Ann, id)
      await waitForTestAnnouncementJobs(db)
    }
    const expectStep = async (who: typeof Ben, expected: object) => {
      const id = await fetchNewestNotificationIdOfTestMember(who, 'announcement')
      await waitUntilLastDeliveryStepMatches(who, id, 'push', expected, 'notifications')
    }
    await announce()
    await eventually(() => expect(service.receivedAt(phone.path).map(phone.decrypt)).toHaveLength(1))
    expect(service.receivedAt(phone.path).map(phone.decrypt)).toMatchObject([
      { body: 'A post by Ann was pinned for everyone: The door code changes' },
    ])
    await expectStep(Ben, { outcome: 'accepted' })
    await expectStep(Cleo, { outcome: 'dropped', reason: 'switched_off' })
    await saveNotificationSettingsAsTestMember(Ben, { quiet_hours: createTestQuietHoursAroundNow() })
    await announce()
    await expectStep(Ben, { outcome: 'held' })
    expect(service.receivedAt(phone.path)).toHaveLength(1)
    expect(service.receivedAt(off.path)).toEqual([])
  })

  test('of a notification about a message names the push message of the message', async () => {
    const { Ann, Ben, addDevice } = await startDeliveryTestApp(dialect)
    await addDevice(Ben)
    await sendTestPrivateMessage(Ann, Ben, 'First')
    const id = await fetchNewestNotificationIdOfTestMember(Ben, 'first_message')
    await waitUntilLastDeliveryStepMatches(Ben, id, 'push', { outcome: 'as_message' }, 'notifications')
    await Ann.post(`/api/posts/${(await Ben.post('/api/posts', { text: 'x' })).body.post.id}/like`)
    const like = await fetchNewestNotificationIdOfTestMember(Ben, 'like')
    await waitUntilLastDeliveryStepMatches(Ben, like, 'push', { outcome: 'accepted' }, 'notifications')
  })
})
