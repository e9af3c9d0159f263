import { describe, expect, test, vi } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import {
  createTestApp,
  type Dialect,
  dialectsInTurn,
  formData,
  readRows,
  type TestClient,
} from '#tests/harness.ts'
import { uploadFile } from '#tests/pictures.ts'
import { startPushService } from '#tests/push-service.ts'

vi.setConfig({ testTimeout: 60_000 })
/**
 * The delay in ms before the job runner repeats a failed job. It is so long that no job is repeated during a
 * test, unless the test makes jobs due itself.
 */
const HOUR = 3600_000

type Member = TestClient & { id: number }

async function open(dialect: Dialect, jobRetryDelays: readonly number[] = [HOUR]) {
  const service = await startPushService()
  const env = { PUSH_LOCAL_SERVICE: service.origin }
  const app = await createTestApp({ dialect, env, jobRetryDelays })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  await befriend(people.Ann, people.Ben)
  await befriend(people.Ann, people.Cleo)
  const addDevice = async (who: Member) => {
    const browser = service.createBrowser()
    const { status, body } = await who.post('/api/push/devices', browser.subscription)
    expect(status).toBe(201)
    const shown = () => service.receivedAt(browser.path).map(browser.decrypt)
    return { ...browser, id: body.id as number, shown }
  }
  /** Waits until a device has received push messages with exactly these texts. */
  const expectBodies = (device: Awaited<ReturnType<typeof addDevice>>, ...bodies: string[]) =>
    eventually(() => expect(device.shown().map(({ body }) => body)).toEqual(bodies))
  return { ...app, ...people, service, addDevice, expectBodies }
}

describe.each(dialectsInTurn())('push messages on %s', (dialect) => {
  test('show a private message to the devices of the recipient, and to nobody else', async () => {
    const { Ann, Ben, Cleo, addDevice, expectBodies } = await open(dialect)
    const [own, phone, other] = [await addDevice(Ann), await addDevice(Ben), await addDevice(Cleo)]
    await sendPrivate(Ann, Ben, 'Are you there?')
    await expectBodies(phone, 'Are you there?')
    expect(phone.shown()[0]).toMatchObject({
      title: 'Ann',
      navigate: expect.stringMatching(new RegExp(`/privatechat/${Ann.id}$`)),
      data: {
        member: Ben.id,
        path: `/privatechat/${Ann.id}`,
        read: { path: `/api/conversations/${Ann.id}/read` },
      },
    })
    await sendPrivate(Ann, Cleo, 'And you?')
    await expectBodies(other, 'And you?')
    expect(own.shown()).toEqual([])
    expect(phone.shown()).toHaveLength(1)
  })

  test('name a voice message', async () => {
    const { Ann, Ben, addDevice, expectBodies } = await open(dialect)
    const phone = await addDevice(Ben)
    const fields = { targetUserId: String(Ben.id), voice_duration: '61500', voice_wave: '0,7,55,100' }
    const files = [uploadFile(Buffer.from('\x1a\x45\xdf\xa3voice', 'latin1'), 'voice.weba')]
    expect((await Ann.post('/api/send-private-message', formData(fields, { 'files[]': files }))).status).toBe(
      200,
    )
    await expectBodies(phone, 'Voice message')
  })

  test('show no more than the member allows', async () => {
    const { Ann, Ben, addDevice, expectBodies } = await open(dialect)
    const phone = await addDevice(Ben)
    const group = await createGroup(Ann, 'Garden', Ben)
    await expectBodies(phone, 'Ann added you to a group: Garden')
    await Ben.send('PATCH', '/api/push', { privacy: 'name' })
    await sendPrivate(Ann, Ben, 'Secret one')
    await expectBodies(phone, 'Ann added you to a group: Garden', 'New message')
    expect(phone.shown()[1]).toMatchObject({ title: 'Ann' })
    await Ben.send('PATCH', '/api/push', { privacy: 'none' })
    await sendPrivate(Ann, Ben, 'Secret two')
    await eventually(() => expect(phone.shown()).toHaveLength(3))
    await Ann.post(`/api/follow/${Ben.id}`)
    expect(phone.shown()[2]).toMatchObject({ title: 'Engawa', body: 'New message' })
    expect(JSON.stringify(phone.shown().slice(1))).not.toContain('Secret')
    expect(JSON.stringify(phone.shown()[2])).not.toContain('Ann')
    expect(group).toBeGreaterThan(0)
  })

  test('show likes and new followers once, and nothing that is read', async () => {
    const { Ann, Ben, Cleo, addDevice, expectBodies } = await open(dialect)
    const phone = await addDevice(Ann)
    const post = (await Ann.post('/api/posts', { text: 'Rhubarb' })).body.post.id as number
    await Ben.post(`/api/posts/${post}/like`)
    await expectBodies(phone, 'Ben liked your post: Rhubarb')
    const [{ last_event_id }] = (await Ann.get('/api/notifications')).body
    await Ann.post('/api/notifications/read', { last_event_id })
    await Ben.delete(`/api/posts/${post}/like`)
    await Ben.post(`/api/posts/${post}/like`)
    await Ann.send('PATCH', '/api/push', { privacy: 'name' })
    await Cleo.post(`/api/posts/${post}/like`)
    await expectBodies(phone, 'Ben liked your post: Rhubarb', 'Cleo, Ben liked your post')
  })

  test('come once for a like or follow that is undone and repeated, and for no act of a muted person', async () => {
    const { Ann, Ben, Cleo, addDevice, expectBodies } = await open(dialect)
    const phone = await addDevice(Ann)
    const post = (await Ann.post('/api/posts', { text: 'Rhubarb' })).body.post.id as number
    const other = (await Cleo.post('/api/posts', { text: 'Beans' })).body.post.id as number
    const answerOther = (who: Member) =>
      who.post(`/api/posts/${other}/replies`, { text: 'Yes' }).then(({ body }) => body.reply.id as number)
    const own = await answerOther(Ann)
    const expected = ['Ben liked your post: Rhubarb']
    await Ben.post(`/api/posts/${post}/like`)
    await expectBodies(phone, ...expected)
    /** Sends a chat message, and waits until its push message is the only new one on the device. */
    const expectOnly = async (text: string) => {
      expected.push(text)
      await sendPrivate(Ben, Ann, text)
      await expectBodies(phone, ...expected)
    }
    for (let n = 0; n < 5; n++) {
      await Ben.delete(`/api/posts/${post}/like`)
      expect((await Ben.post(`/api/posts/${post}/like`)).status).toBe(200)
      await Ben.delete(`/api/unfollow/${Ann.id}`)
      expect((await Ben.post(`/api/follow/${Ann.id}`)).status).toBe(200)
    }
    await expectOnly('After toggling')
    await Ann.post(`/api/users/${Cleo.id}/mute`)
    await Cleo.post(`/api/posts/${post}/like`)
    for (let n = 0; n < 5; n++) {
      await Cleo.delete(`/api/posts/${post}/like`)
      await Cleo.post(`/api/posts/${post}/like`)
    }
    await expectOnly('After the muted likes')
    for (const reply of ['One', 'Two']) {
      const input = { text: reply, answers_id: own }
      expect((await Ben.post(`/api/posts/${other}/replies`, input)).status).toBe(201)
      expected.push(expect.stringContaining(reply))
      await expectBodies(phone, ...expected)
    }
  })

  test('leave out what is read, deleted, or not visible any more when it is sent', async () => {
    const { Ann, Ben, Cleo, db, addDevice, expectBodies } = await open(dialect)
    const phone = await addDevice(Ben)
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    const first = 'Ann added you to a group: Garden'
    await expectBodies(phone, first)
    const read = await sendPrivate(Ann, Ben, 'Read at once')
    await Ben.put(`/api/conversations/${Ann.id}/read`, { last_read_id: read.id })
    const deleted = await sendPrivate(Ann, Ben, 'Deleted')
    expect((await Ann.delete(`/api/chat-messages/${deleted.id}`)).status).toBeLessThan(300)
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    await sendToGroup(Cleo, group, 'Muted')
    await Ben.delete(`/api/users/${Cleo.id}/mute`)
    await Ben.post(`/api/users/${Cleo.id}/mute`)
    await sendToGroup(Ann, group, 'After')
    await expectBodies(phone, first, 'After')
    await Ben.delete(`/api/users/${Cleo.id}/mute`)
    await Ben.post(`/api/users/${Cleo.id}/block`)
    await sendToGroup(Cleo, group, 'Blocked')
    await sendToGroup(Ann, group, 'Before leaving')
    await expectBodies(phone, first, 'After', 'Before leaving')
    await sendToGroup(Ann, group, 'Left')
    await Ben.post(`/api/groups/${group}/leave`)
    await sendPrivate(Ann, Ben, 'Last')
    await expectBodies(phone, first, 'After', 'Before leaving', 'Last')
    await eventually(async () => expect(await readRows(db, 'push_items')).toEqual([]))
  })

  test('wait for a push service that is busy or fails, and do not delay other devices', async () => {
    const { Ann, Ben, Cleo, db, service, addDevice, expectBodies } = await open(dialect, [60_000, HOUR])
    const [busy, well] = [await addDevice(Ben), await addDevice(Cleo)]
    service.answer(busy.path, [429, { 'retry-after': '1800' }])
    const begun = Date.now()
    await sendPrivate(Ann, Ben, 'One')
    await sendPrivate(Ann, Cleo, 'Two')
    await expectBodies(well, 'Two')
    const findJob = async () =>
      (await readRows(db, 'jobs')).find(
        ({ kind, finished_at, leased_by }) => kind === 'push_delivery' && !finished_at && !leased_by,
      )
    await eventually(async () => expect(await findJob()).toMatchObject({ last_error: 'Status 429' }))
    const job = await findJob()
    const wait = Date.parse(String(job!.run_at)) - begun
    expect(wait).toBeGreaterThanOrEqual(1_800_000)
    expect(wait).toBeLessThan(1_900_000)
    expect(service.receivedAt(busy.path)).toHaveLength(1)
    // Waits until only the item of the busy device is left. The server removes the item of the other device a
    // moment after the push service accepted it.
    await eventually(async () => expect(await readRows(db, 'push_items')).toHaveLength(1))
  })

  test('are repeated after 5xx and broken connections, and dropped for a device that is gone', async () => {
    const { Ann, Ben, Cleo, db, service, addDevice, expectBodies } = await open(dialect, Array(100).fill(20))
    const [failing, gone] = [await addDevice(Ben), await addDevice(Cleo)]
    service.answer(failing.path, [503])
    service.answer(gone.path, [410])
    await sendPrivate(Ann, Ben, 'One')
    await sendPrivate(Ann, Cleo, 'Two')
    await eventually(() => expect(service.receivedAt(failing.path).length).toBeGreaterThan(2))
    service.answer(failing.path, 'hang')
    const before = service.receivedAt(failing.path).length
    await eventually(() => expect(service.receivedAt(failing.path).length).toBeGreaterThan(before))
    service.answerAgain(failing.path)
    service.breakHanging()
    await eventually(async () => expect(await readRows(db, 'push_items')).toEqual([]))
    expect(failing.shown().at(-1)).toMatchObject({ body: 'One' })
    expect(await readRows(db, 'push_subscriptions')).toHaveLength(1)
    await expectBodies(gone, 'Two')
  })

  test('that a push service refuses are not sent again', async () => {
    const { Ann, Ben, db, service, addDevice } = await open(dialect)
    const phone = await addDevice(Ben)
    service.answer(phone.path, [413])
    await sendPrivate(Ann, Ben, 'One')
    await eventually(() => expect(service.receivedAt(phone.path)).toHaveLength(1))
    await eventually(async () => expect(await readRows(db, 'push_items')).toEqual([]))
    expect(await readRows(db, 'push_subscriptions')).toHaveLength(1)
  })
})
