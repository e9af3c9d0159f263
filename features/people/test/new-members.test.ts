import { describe, expect, test, vi } from 'vitest'
import type { SettingValues } from '#core/community/settings-contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const post = (member: TestClient, text = 'x') => member.post('/api/posts', { text })

describe.each(dialectsInTurn())('limits for new members on %s', (dialect) => {
  async function open(settings: Partial<SettingValues> = { new_member_days: 3 }) {
    const app = await createTestApp({ dialect })
    const { Ann, Ben, Cho } = await app.members('Ann', 'Ben', 'Cho')
    await transaction(app.db, (tx) => app.context.settings.save(tx, settings))
    return { app, Ann, Ben, Cho }
  }
  /**
   * Writes posts as the member until one is refused, at most ten. Returns the number of posts that were
   * accepted.
   */
  async function countPosts(member: TestClient) {
    for (let written = 0; written < 10; written++) if ((await post(member)).status === 429) return written
    return 10
  }

  test('are off unless an admin turns them on, and only to a value that exists', async () => {
    const { app, Ann, Ben } = await open({})
    expect(await countPosts(Ben)).toBe(10)
    expect(await readRows(app.db, 'new_member_counts')).toEqual([])
    const save = (new_member_days: unknown) => Ann.send('PATCH', '/api/admin/settings', { new_member_days })
    for (const value of [2, -1, '3', null]) expect((await save(value)).status).toBe(422)
    expect((await save(3)).status).toBe(200)
    expect(await countPosts(Ben)).toBe(5)
  })

  test('say why and until when, in the language of the member, and leave nothing behind', async () => {
    const { app, Ben } = await open()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(Ben)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
    const refused = await post(Ben)
    expect(refused.body.message).toBe(
      'New members can write 5 posts an hour. Try again in 60 minutes. The limit ends in 3 days, or at once when an admin or a moderator confirms that they know you.',
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
    const inJapanese = await Ben.send('POST', '/api/posts', { text: 'x' }, { 'accept-language': 'ja' })
    expect(inJapanese.body.message).toContain('登録してしばらくは、投稿は1時間に5件までです。')
    expect(await readRows(app.db, 'posts')).toHaveLength(5)
    expect(await readRows(app.db, 'new_member_counts')).toMatchObject([{ kind: 'post', count: 5 }])
  })

  test('start again after their time, and end after the days of the setting', async () => {
    const { Ben } = await open()
    const start = Date.now()
    expect(await countPosts(Ben)).toBe(5)
    vi.setSystemTime(start + HOUR - 10_000)
    expect((await post(Ben)).status).toBe(429)
    vi.setSystemTime(start + HOUR + 10_000)
    expect(await countPosts(Ben)).toBe(5)
    vi.setSystemTime(start + 3 * DAY + 10_000)
    expect(await countPosts(Ben)).toBe(10)
    vi.useRealTimers()
  })

  test('do not concern admins and moderators', async () => {
    const { Ann, Ben } = await open()
    expect(await countPosts(Ann)).toBe(10)
    expect((await Ann.post('/api/moderators', { handle: 'ben' })).status).toBe(200)
    expect(await countPosts(Ben)).toBe(10)
  })

  test('count follows of new people, and not those that exist', async () => {
    const { app, Ben, Cho } = await open()
    const others = Object.values(await app.members(...Array.from({ length: 21 }, (_, n) => `Person${n}`)))
    for (const { id } of others.slice(0, 20)) expect((await Ben.post(`/api/follow/${id}`)).status).toBe(200)
    expect((await Ben.post(`/api/follow/${others[0]!.id}`)).status).toBe(200)
    expect((await Ben.post(`/api/follow/${others[20]!.id}`)).status).toBe(429)
    expect(await readRows(app.db, 'follows')).toHaveLength(20)
    expect((await Cho.post(`/api/follow/${Ben.id}`)).status).toBe(200)
  })

  test('count new chats with people who do not follow the member', async () => {
    const { app, Ben, Cho } = await open()
    const others = Object.values(await app.members('Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida'))
    const write = (id: number) => Ben.post('/api/send-private-message', { targetUserId: id, input: 'hello' })
    for (const { id } of [...others, Cho]) await Ben.post(`/api/follow/${id}`)
    await Cho.post(`/api/follow/${Ben.id}`)
    for (const { id } of others.slice(0, 5)) expect((await write(id)).status).toBe(200)
    expect((await write(others[5]!.id)).status).toBe(429)
    // A new member can still write in a private chat that has begun, and to somebody who follows the new
    // member.
    expect((await write(others[0]!.id)).status).toBe(200)
    expect((await write(Cho.id)).status).toBe(200)
    expect(await readRows(app.db, 'messages')).toHaveLength(7)
  })

  test('keep new members from inviting people', async () => {
    const { Ann, Ben } = await open({ new_member_days: 3, who_can_invite: 'members' })
    const refused = await Ben.post('/api/invitations', { max_uses: 1 })
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^New members cannot invite people yet\. You can in 3 days/) },
    })
    expect((await Ann.put(`/api/users/${Ben.id}/known`)).status).toBe(200)
    expect((await Ben.post('/api/invitations', { max_uses: 1 })).status).toBe(201)
  })

  test('end when a moderator knows the member; only moderators see who is new', async () => {
    const { app, Ann, Ben, Cho } = await open()
    await Ann.post('/api/moderators', { handle: 'cho' })
    const seen = async (viewer: TestClient) => (await viewer.get(`/api/users/${Ben.id}`)).body.is_new
    const { Dan } = await app.members('Dan')
    expect([await seen(Ann), await seen(Cho), await seen(Dan), await seen(Ben)]).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
    expect(await countPosts(Ben)).toBe(5)
    expect((await Dan.put(`/api/users/${Ben.id}/known`)).status).toBe(403)
    expect((await Cho.put('/api/users/999/known')).status).toBe(404)
    for (let n = 0; n < 2; n++)
      expect((await Cho.put(`/api/users/${Ben.id}/known`)).body).toEqual({ status: 'known' })
    expect(await seen(Ann)).toBe(undefined)
    expect(await countPosts(Ben)).toBe(10)
    expect(await readRows(app.db, 'known_members')).toMatchObject([{ user_id: Ben.id, known_by: Cho.id }])
    const log = await readRows(app.db, 'audit_log')
    expect(log.filter(({ action }) => action === 'marked_as_known')).toMatchObject([
      { role: 'moderator', actor_id: Cho.id, subject: 'member', subject_id: Ben.id },
    ])
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect((await Cho.put(`/api/users/${Dan.id}/known`)).status).toBe(423)
    vi.useRealTimers()
  })

  test('do not concern members whom an admin has created from a list', async () => {
    const { app, Ann } = await open()
    const list = { key: 'list 1', rows: [{ name: 'Zoe' }] }
    const { body } = await Ann.post('/api/admin/member-lists', list)
    expect(await readRows(app.db, 'known_members')).toMatchObject([
      { user_id: body.cards[0].user_id, known_by: Ann.id },
    ])
  })
})
