import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { befriend, createGroup, sendPrivate } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { deleteOld } from '../cleanup.ts'

type Member = TestClient & { id: number }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo', 'Dora', 'Eve')) }
}

const publish = async (author: Member, text = 'Rhubarb') =>
  (await author.post('/api/posts', { text })).body.post.id as number
const like = (who: Member, post: number) => who.post(`/api/posts/${post}/like`)
const unlike = (who: Member, post: number) => who.delete(`/api/posts/${post}/like`)
const listOf = async (who: Member) => (await who.get('/api/notifications')).body
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count

/**
 * Returns a short summary of each notification of a member: kind, names, number of people, and `read` if the
 * member has read it.
 */
const summaryOf = async (who: Member) =>
  (await listOf(who)).map(
    (one: { kind: string; people: { name: string }[]; people_count: number; is_read: boolean }) =>
      `${one.kind} ${one.people.map(({ name }) => name)} ${one.people_count}${one.is_read ? ' read' : ''}`,
  )

describe.each(dialectsInTurn())('notifications on %s', (dialect) => {
  test('say who liked a post, in one row with the newest names and the number of people', async () => {
    const { Ann, Ben, Cleo, Dora, Eve } = await open(dialect)
    const post = await publish(Ann)
    for (const who of [Ben, Cleo, Dora, Eve, Ann]) await like(who, post)
    const [notification, ...others] = await listOf(Ann)
    expect(others).toEqual([])
    expect(notification).toMatchObject({
      kind: 'like',
      people: [{ name: 'Eve' }, { name: 'Dora' }, { name: 'Cleo' }],
      people_count: 4,
      post: { id: post, body: 'Rhubarb' },
      is_read: false,
    })
    expect(await unreadOf(Ann)).toBe(1)
    for (const who of [Ben, Eve]) expect(await listOf(who)).toEqual([])
  })

  test('say who follows, who added the member to a group, and who began a chat, newest first', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    await Ben.post(`/api/follow/${Ann.id}`)
    await Cleo.post(`/api/follow/${Ann.id}`)
    await sendPrivate(Ben, Ann, 'Hello')
    await sendPrivate(Ben, Ann, 'Again')
    await sendPrivate(Ann, Ben, 'Hello to you')
    expect(await summaryOf(Ann)).toEqual(['first_message Ben 1', 'follow Cleo,Ben 2'])
    expect(await summaryOf(Ben)).toEqual([])
    const group = await createGroup(Ann, 'Garden', Ben)
    expect(await listOf(Ben)).toMatchObject([
      { kind: 'group', people: [{ name: 'Ann' }], group: { id: group, name: 'Garden' } },
    ])
    expect(await summaryOf(Ann)).toHaveLength(2)
  })

  test('notify once, although the act is undone and repeated', async () => {
    const { Ann, Ben } = await open(dialect)
    const post = await publish(Ann)
    await like(Ben, post)
    const [{ last_event_id }] = await listOf(Ann)
    expect((await Ann.post('/api/notifications/read', { last_event_id })).body).toEqual({ count: 0 })
    await unlike(Ben, post)
    expect(await listOf(Ann)).toEqual([])
    await like(Ben, post)
    expect(await summaryOf(Ann)).toEqual(['like Ben 1 read'])
    expect(await unreadOf(Ann)).toBe(0)
    await Ben.post(`/api/follow/${Ann.id}`)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await summaryOf(Ann)).toEqual(['like Ben 1 read'])
  })

  test('are not made unread by people who are muted, or who take the act back', async () => {
    const { Ann, Ben, Cleo, Eve } = await open(dialect)
    const [post, other] = [await publish(Ann), await publish(Ann)]
    await like(Ben, post)
    await like(Ben, other)
    const [{ last_event_id }] = await listOf(Ann)
    await Ann.post('/api/notifications/read', { last_event_id })
    await Ann.post(`/api/users/${Eve.id}/mute`)
    await like(Eve, post)
    await like(Cleo, post)
    await unlike(Cleo, post)
    expect(await unreadOf(Ann)).toBe(0)
    const asBefore = ['like Ben 1 read', 'like Ben 1 read']
    expect(await summaryOf(Ann)).toEqual(asBefore)
    await like(Eve, await publish(Ann))
    expect(await summaryOf(Ann)).toEqual(asBefore)
    expect(await unreadOf(Ann)).toBe(0)
  })

  test('name a person who began a chat only once, also after its messages were removed', async () => {
    const { Ann, Ben, db } = await open(dialect)
    await befriend(Ann, Ben)
    await sendPrivate(Ann, Ben, 'Hello')
    await transaction(db, (tx) => tx.deleteFrom('messages').execute())
    await sendPrivate(Ben, Ann, 'Hello again')
    expect(await summaryOf(Ann)).toEqual(['follow Ben 1'])
    expect(await summaryOf(Ben)).toEqual(['first_message Ann 1', 'follow Ann 1'])
  })

  test('become unread again with the next person, and are marked as read up to an event', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const [first, second] = [await publish(Ann, 'First'), await publish(Ann, 'Second')]
    await like(Ben, first)
    const [{ last_event_id }] = await listOf(Ann)
    await like(Ben, second)
    expect((await Ann.post('/api/notifications/read', { last_event_id })).body).toEqual({ count: 1 })
    expect(await summaryOf(Ann)).toEqual(['like Ben 1', 'like Ben 1 read'])
    await like(Cleo, first)
    expect(await summaryOf(Ann)).toEqual(['like Cleo,Ben 2', 'like Ben 1'])
    expect((await Ann.post('/api/notifications/read', { last_event_id: 0 })).status).toBe(422)
    expect((await Ben.post('/api/notifications/read', { last_event_id: 999 })).body).toEqual({ count: 0 })
    expect(await unreadOf(Ann)).toBe(2)
  })

  test('leave out people who were blocked, muted or deleted, and posts and groups that are gone', async () => {
    const { Ann, Ben, Cleo, Dora, Eve } = await open(dialect)
    const post = await publish(Ann)
    for (const who of [Ben, Cleo, Dora]) await like(who, post)
    await Ann.post(`/api/users/${Dora.id}/block`)
    expect(await summaryOf(Ann)).toEqual(['like Cleo,Ben 2'])
    await Ann.delete(`/api/users/${Dora.id}/block`)
    await Ann.post(`/api/users/${Eve.id}/mute`)
    await Eve.post(`/api/follow/${Ann.id}`)
    expect(await summaryOf(Ann)).toEqual(['like Cleo,Ben 2'])
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await listOf(Ben)).toEqual([])
    await Ann.delete(`/api/groups/${group}`)
    expect(await listOf(Cleo)).toEqual([])
    await Ann.delete(`/api/posts/${post}`)
    expect(await listOf(Ann)).toEqual([])
    expect(await unreadOf(Ann)).toBe(0)
  })

  test('are listed in pages, and counted up to a hundred', async () => {
    const { Ann, Ben } = await open(dialect)
    const posts = []
    for (let n = 0; n < 5; n++) posts.push(await publish(Ann, `Post ${n}`))
    for (const post of posts) await like(Ben, post)
    const first = await Ann.get('/api/notifications?limit=3')
    const bodies = (rows: { post: { body: string } }[]) => rows.map(({ post }) => post.body)
    expect(bodies(first.body)).toEqual(['Post 4', 'Post 3', 'Post 2'])
    const rest = await Ann.get(`/api/notifications?limit=3&before=${first.body.at(-1).last_event_id}`)
    expect(bodies(rest.body)).toEqual(['Post 1', 'Post 0'])
    expect(first.headers.link).toContain('rel="next"')
    expect(rest.headers.link).toBeUndefined()
  })

  test('are deleted half a year after their newest event', async () => {
    const { Ann, Ben, Cleo, db } = await open(dialect)
    const [old, recent] = [await publish(Ann), await publish(Ann)]
    await like(Ben, old)
    await like(Ben, recent)
    const longAgo = { created_at: '2020-01-01T00:00:00.000Z' }
    await transaction(db, (tx) => tx.updateTable('notification_events').set(longAgo).execute())
    await like(Cleo, recent)
    await deleteOld(db)
    expect(await summaryOf(Ann)).toEqual(['like Cleo 1'])
    expect(await db.selectFrom('notifications').select('id').execute()).toHaveLength(1)
  })

  test('reach all windows of the member live, and nobody else', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await befriend(Ann, Ben)
    const post = await publish(Ann)
    const [anns, bens] = [
      await app.subscribeAs(Ann, `presence-user.${Ann.id}`),
      await app.subscribeAs(Ben, `presence-user.${Ben.id}`),
    ]
    const next = async (client: typeof anns) => (await client.nextMessage('NotificationsChanged')).data
    await like(Ben, post)
    expect(await next(anns)).toEqual({ is_only_read: false })
    const [{ last_event_id }] = await listOf(Ann)
    await Ann.post('/api/notifications/read', { last_event_id })
    expect(await next(anns)).toEqual({ is_only_read: true })
    // The second request of Ann to mark the same notifications as read changes nothing and sends no event. So
    // Ann's next event is that of the block, and Ben gets none.
    await Ann.post('/api/notifications/read', { last_event_id })
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect(await next(anns)).toEqual({ is_only_read: false })
    app.realtime.broadcast([`presence-user.${Ben.id}`], 'Last', {})
    await bens.nextMessage('Last')
    expect(bens.received('NotificationsChanged')).toEqual([])
  })

  test('are announced to the windows when a like ends and when it comes back', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const post = await publish(Ann)
    const anns = await app.subscribeAs(Ann, `presence-user.${Ann.id}`)
    for (const [act, list, unread] of [
      [like, ['like Ben 1'], 1],
      [unlike, [], 0],
      [like, ['like Ben 1'], 1],
    ] as const) {
      await act(Ben, post)
      expect((await anns.nextMessage('NotificationsChanged')).data).toEqual({ is_only_read: false })
      expect(await summaryOf(Ann)).toEqual(list)
      expect(await unreadOf(Ann)).toBe(unread)
    }
  })
})
