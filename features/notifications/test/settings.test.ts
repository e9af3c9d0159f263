import { describe, expect, test } from 'vitest'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

type Member = TestClient & { id: number }
const PATH = '/api/notification-settings'

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
}
const settingsOf = async (who: Member) => (await who.get(PATH)).body
const save = (who: Member, changes: object) => who.send('PATCH', PATH, changes)
const turn = (who: Member, kind: string, channel: string, is_on: boolean) =>
  save(who, { switch: { kind, channel, is_on } })
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
const listOf = async (who: Member) =>
  (await who.get('/api/notifications')).body.map(
    ({ kind, is_read }: { kind: string; is_read: boolean }) => `${kind}${is_read ? ' read' : ''}`,
  )

describe.each(dialectsInTurn())('notification settings on %s', (dialect) => {
  test('are all on at first but new posts on devices, and have rows only for what is off', async () => {
    const { Ann, Ben, db } = await open(dialect)
    const { switches, ...hours } = await settingsOf(Ann)
    expect(hours).toEqual({ quiet_hours: null, community_quiet_hours: null })
    expect(switches.filter(({ is_on }: { is_on: boolean }) => !is_on)).toEqual([
      { kind: 'new_post', channel: 'push', is_on: false },
    ])
    expect(switches).toContainEqual({ kind: 'message', channel: 'push', is_on: true })
    for (const refused of [
      { kind: 'message', channel: 'app' },
      { kind: 'first_message', channel: 'push' },
    ])
      expect(switches).not.toContainEqual({ ...refused, is_on: true })
    const { body } = await turn(Ann, 'like', 'push', false)
    expect(body.switches).toContainEqual({ kind: 'like', channel: 'push', is_on: false })
    expect(body.switches).toContainEqual({ kind: 'like', channel: 'app', is_on: true })
    await turn(Ann, 'like', 'push', false)
    expect(await readRows(db, 'notification_switches_off')).toHaveLength(1)
    expect((await settingsOf(Ben)).switches).toEqual(switches)
    await turn(Ann, 'like', 'push', true)
    expect(await readRows(db, 'notification_switches_off')).toEqual([])
  })

  test('keep what is off in the app out of the count, also after it is switched on again', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const post = (await Ann.post('/api/posts', { text: 'Rhubarb' })).body.post.id
    await turn(Ann, 'like', 'app', false)
    await Ben.post(`/api/posts/${post}/like`)
    await Ben.post(`/api/follow/${Ann.id}`)
    expect(await unreadOf(Ann)).toBe(1)
    expect(await listOf(Ann)).toEqual(['follow', 'like read'])
    await turn(Ann, 'like', 'app', true)
    expect(await unreadOf(Ann)).toBe(1)
    expect(await listOf(Ann)).toEqual(['follow', 'like read'])
    await Cleo.post(`/api/posts/${post}/like`)
    expect(await unreadOf(Ann)).toBe(2)
  })

  test('have quiet hours in a time zone', async () => {
    const { Ann, db } = await open(dialect)
    const quiet_hours = { from: '22:00', to: '07:30', time_zone: 'Asia/Tokyo' }
    expect((await save(Ann, { quiet_hours })).body.quiet_hours).toEqual(quiet_hours)
    expect((await save(Ann, { quiet_hours: { ...quiet_hours, to: '08:00' } })).status).toBe(200)
    expect((await settingsOf(Ann)).quiet_hours.to).toBe('08:00')
    expect((await save(Ann, { quiet_hours: null })).body.quiet_hours).toBe(null)
    expect(await readRows(db, 'quiet_hours')).toEqual([])
  })

  test('refuse what does not exist', async () => {
    const { Ann, visitor } = await open(dialect)
    const hours = { from: '22:00', to: '07:30', time_zone: 'Asia/Tokyo' }
    for (const changes of [
      { switch: { kind: 'poke', channel: 'push', is_on: true } },
      { switch: { kind: 'like', channel: 'fax', is_on: true } },
      { switch: { kind: 'like', channel: 'push', is_on: 'yes' } },
      { switch: { kind: 'message', channel: 'app', is_on: false } },
      { quiet_hours: { ...hours, from: '24:00' } },
      { quiet_hours: { ...hours, to: '22:00' } },
      { quiet_hours: { ...hours, to: '7:30' } },
      { quiet_hours: { ...hours, time_zone: 'Mars/Base' } },
      { quiet_hours: { ...hours, time_zone: 'x'.repeat(100) } },
    ])
      expect((await save(Ann, changes)).status, JSON.stringify(changes)).toBe(422)
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.get(PATH)).status).toBe(401)
    expect((await stranger.send('PATCH', PATH, { quiet_hours: null })).status).toBe(401)
  })

  test('show the quiet hours of the community, which only admins set', async () => {
    const { Ann, Ben } = await open(dialect)
    const quiet_hours = { from: '23:00', to: '06:00' }
    expect((await Ben.send('PATCH', '/api/admin/settings', { quiet_hours })).status).toBe(403)
    expect((await Ann.send('PATCH', '/api/admin/settings', { quiet_hours })).status).toBe(200)
    expect((await settingsOf(Ben)).community_quiet_hours).toEqual({ ...quiet_hours, time_zone: 'UTC' })
    await Ann.send('PATCH', '/api/admin/settings', { time_zone: 'Asia/Tokyo' })
    expect((await settingsOf(Ben)).community_quiet_hours.time_zone).toBe('Asia/Tokyo')
    for (const wrong of [{ from: '23:00', to: '23:00' }, { from: '23:00' }, '23:00', { from: 1, to: 2 }])
      expect((await Ann.send('PATCH', '/api/admin/settings', { quiet_hours: wrong })).status).toBe(422)
  })
})
