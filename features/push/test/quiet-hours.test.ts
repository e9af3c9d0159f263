import { describe, expect, test, vi } from 'vitest'
import { befriend, sendPrivate } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { startPushService } from '#tests/push-service.ts'

vi.setConfig({ testTimeout: 60_000 })
const HOUR = 3600_000

type Member = TestClient & { id: number }

async function open(dialect: Dialect) {
  const service = await startPushService()
  const env = { PUSH_LOCAL_SERVICE: service.origin }
  const app = await createTestApp({ dialect, env, jobRetryDelays: [HOUR] })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  for (const who of [people.Ann, people.Cleo]) await befriend(who, people.Ben)
  const browser = service.createBrowser()
  expect((await people.Ben.post('/api/push/devices', browser.subscription)).status).toBe(201)
  const [{ last_event_id }] = (await people.Ben.get('/api/notifications')).body
  await people.Ben.post('/api/notifications/read', { last_event_id })
  const shown = () => service.receivedAt(browser.path).map(browser.decrypt)
  const heldItems = async () =>
    (await readRows(app.db, 'push_items')).filter(({ held_until }) => held_until !== null)
  return { ...app, ...people, shown, heldItems }
}

/** Returns settings for quiet hours in UTC that began an hour ago and end in an hour. */
function hoursAroundNow() {
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16)
  return { from: clock(Date.now() - HOUR), to: clock(Date.now() + HOUR) }
}
const save = (who: Member, changes: object) => who.send('PATCH', '/api/notification-settings', changes)
const turnOff = (who: Member, kind: string) => save(who, { switch: { kind, channel: 'push', is_on: false } })

describe.each(dialectsInTurn())('push messages in quiet hours on %s', (dialect) => {
  test('wait, and come as one without what was read meanwhile', async () => {
    const { Ann, Ben, Cleo, db, shown, heldItems } = await open(dialect)
    await save(Ben, { quiet_hours: { ...hoursAroundNow(), time_zone: 'UTC' } })
    const post = (await Ben.post('/api/posts', { text: 'Rhubarb' })).body.post.id as number
    await Ann.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    const seen = (await Ben.post('/api/posts', { text: 'Plums' })).body.post.id as number
    await Ann.post(`/api/posts/${seen}/like`)
    await sendPrivate(Ann, Ben, 'One')
    await sendPrivate(Ann, Ben, 'Two')
    await sendPrivate(Cleo, Ben, 'Three')
    const read = await sendPrivate(Cleo, Ben, 'Four')
    await eventually(async () => expect(await heldItems()).toHaveLength(6))
    const [job] = (await readRows(db, 'jobs')).filter(({ kind }) => kind === 'push_summary')
    const [item] = await heldItems()
    expect(job!.run_at).toBe(item!.held_until)
    expect(Date.parse(String(job!.run_at)) - Date.now()).toBeGreaterThan(HOUR - 180_000)
    expect(shown()).toEqual([])
    // Ben has four unread notifications: about the reply, the like, and the two new chats.
    const unread = (await Ben.get('/api/notifications/unread')).body
    expect(unread.count).toBe(4)
    const page = { post_id: seen, last_event_id: unread.last_event_id }
    await Ben.post('/api/notifications/read-about', page)
    await Ben.put(`/api/conversations/${Cleo.id}/read`, { last_read_id: read.id })
    await save(Ben, { quiet_hours: null })
    await eventually(async () => expect(await readRows(db, 'push_items')).toEqual([]))
    expect(shown()).toMatchObject([
      { title: 'Engawa', body: '2 new messages (Ann), 1 notification', tag: 'summary' },
    ])
  })

  test('of the community wait too, and a single one comes as it is', async () => {
    const { Ann, Ben, shown, heldItems } = await open(dialect)
    await Ann.send('PATCH', '/api/admin/settings', { quiet_hours: hoursAroundNow() })
    await sendPrivate(Ann, Ben, 'One')
    await eventually(async () => expect(await heldItems()).toHaveLength(1))
    await Ann.send('PATCH', '/api/admin/settings', { quiet_hours: null })
    await save(Ben, { quiet_hours: null })
    await eventually(() => expect(shown()).toMatchObject([{ title: 'Ann', body: 'One' }]))
  })

  test('are not sent for kinds that are switched off', async () => {
    const { Ann, Ben, Cleo, db, shown } = await open(dialect)
    await turnOff(Ben, 'like')
    await turnOff(Ben, 'message')
    const post = (await Ben.post('/api/posts', { text: 'Rhubarb' })).body.post.id as number
    await Ann.post(`/api/posts/${post}/like`)
    await sendPrivate(Ann, Ben, 'One')
    await eventually(async () => {
      const open = (await readRows(db, 'jobs')).filter((job) => !job.finished_at)
      expect([...open, ...(await readRows(db, 'push_items'))]).toEqual([])
    })
    await Cleo.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    await eventually(() => expect(shown()).toHaveLength(1))
    expect(shown()[0]).toMatchObject({ body: 'Cleo replied to your post: Lovely' })
  })
})
