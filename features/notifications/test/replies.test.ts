import { describe, expect, test } from 'vitest'
import { runDeletions } from '#tests/account-deletion.ts'
import { befriend, createGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

type Member = TestClient & { id: number }
type Row = { kind: string; people: { name: string }[]; people_count: number; is_read: boolean }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo', 'Dora')) }
}

const publish = async (author: Member, fields: object = {}) =>
  (await author.post('/api/posts', { text: 'Rhubarb', ...fields })).body.post.id as number
async function reply(author: Member, post: number, text: string, answers_id?: number) {
  const { status, body } = await author.post(`/api/posts/${post}/replies`, {
    text,
    ...(answers_id && { answers_id }),
  })
  expect(status).toBe(201)
  return body.reply.id as number
}
const listOf = async (who: Member) => (await who.get('/api/notifications')).body
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
async function readAll(who: Member) {
  const [{ last_event_id }] = await listOf(who)
  expect((await who.post('/api/notifications/read', { last_event_id })).body).toEqual({ count: 0 })
}
const summaryOf = async (who: Member) =>
  (await listOf(who)).map(
    ({ kind, people, people_count, is_read }: Row) =>
      `${kind} ${people.map(({ name }) => name)} ${people_count}${is_read ? ' read' : ''}`,
  )

describe.each(dialectsInTurn())('notifications about replies on %s', (dialect) => {
  test('tell the author of a post, with each person once and the newest reply', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const post = await publish(Ann)
    await reply(Ben, post, 'One')
    await reply(Cleo, post, 'Two')
    const newest = await reply(Ben, post, 'Three')
    await reply(Ann, post, 'My own')
    expect(await listOf(Ann)).toMatchObject([
      {
        kind: 'reply',
        people: [{ name: 'Ben' }, { name: 'Cleo' }],
        people_count: 2,
        post: { id: post, body: 'Rhubarb', is_own: true },
        reply: { id: newest, body: 'Three' },
        is_read: false,
      },
    ])
    for (const who of [Ben, Cleo]) expect(await listOf(who)).toEqual([])
  })

  test('tell the author of an answered reply, and nobody twice', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const post = await publish(Ann)
    const first = await reply(Ben, post, 'Question')
    await readAll(Ann)
    await reply(Cleo, post, 'Answer', first)
    expect(await listOf(Ben)).toMatchObject([
      { kind: 'reply', post: { id: post, is_own: false }, reply: { body: 'Answer' } },
    ])
    expect(await summaryOf(Ann)).toEqual(['reply Cleo,Ben 2'])
    const own = await reply(Ann, post, 'Mine')
    await readAll(Ann)
    await reply(Cleo, post, 'To you, Ann', own)
    expect(await unreadOf(Ann)).toBe(1)
    expect(await summaryOf(Ann)).toEqual(['reply Cleo,Ben 2'])
    expect(await summaryOf(Cleo)).toEqual([])
  })

  test('become unread again with another reply of the same person', async () => {
    const { Ann, Ben } = await open(dialect)
    const post = await publish(Ann)
    await reply(Ben, post, 'One')
    await readAll(Ann)
    await reply(Ben, post, 'Two')
    expect(await summaryOf(Ann)).toEqual(['reply Ben 1'])
    expect(await unreadOf(Ann)).toBe(1)
  })

  test('end with the reply, and with the post', async () => {
    const { Ann, Ben, Cleo, db } = await open(dialect)
    const post = await publish(Ann)
    const first = await reply(Ben, post, 'One')
    const second = await reply(Cleo, post, 'Two', first)
    expect((await Cleo.delete(`/api/replies/${second}`)).status).toBeLessThan(300)
    expect(await summaryOf(Ann)).toEqual(['reply Ben 1'])
    expect(await listOf(Ben)).toEqual([])
    expect(await readRows(db, 'notifications')).toHaveLength(1)
    await reply(Cleo, post, 'Again', first)
    expect(await summaryOf(Ben)).toEqual(['reply Cleo 1'])
    await Ann.delete(`/api/posts/${post}`)
    for (const who of [Ann, Ben]) expect(await listOf(who)).toEqual([])
    expect(await readRows(db, 'notifications')).toEqual([])
  })

  test('end with the account of the author of the post', async () => {
    const { Ben, Cleo, Dora, context, db } = await open(dialect)
    const post = await publish(Dora)
    const first = await reply(Ben, post, 'One')
    await reply(Cleo, post, 'Two', first)
    expect((await Dora.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    await runDeletions({ context, db })
    expect(await listOf(Ben)).toEqual([])
    expect(await readRows(db, 'notifications')).toEqual([])
  })

  test('leave out people whom the member may not see or has muted', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const post = await publish(Ann)
    await reply(Ben, post, 'One')
    await reply(Cleo, post, 'Two')
    await Ann.post(`/api/users/${Cleo.id}/block`)
    expect(await listOf(Ann)).toMatchObject([{ people: [{ name: 'Ben' }], reply: { body: 'One' } }])
    await Ann.post(`/api/users/${Ben.id}/mute`)
    expect(await listOf(Ann)).toEqual([])
    await reply(Ben, post, 'Three')
    expect(await unreadOf(Ann)).toBe(0)
  })

  test('are hidden as long as the member may not see the post', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    const post = await publish(Ann, { audience: 'group', group_id: group })
    const first = await reply(Ben, post, 'One')
    await reply(Cleo, post, 'Secret', first)
    expect(await summaryOf(Ben)).toEqual(['reply Cleo 1', 'group Ann 1'])
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await listOf(Ben)).toEqual([])
    expect(await unreadOf(Ben)).toBe(0)
    const followers = await publish(Ann, { audience: 'followers' })
    await befriend(Ann, Cleo)
    await reply(Ann, followers, 'Nothing', await reply(Cleo, followers, 'Hello'))
    expect((await summaryOf(Cleo))[0]).toBe('reply Ann 1')
    await Cleo.delete(`/api/unfollow/${Ann.id}`)
    expect(JSON.stringify(await listOf(Cleo))).not.toContain('Nothing')
  })

  test('arrive live in the windows of the member', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const post = await publish(Ann)
    const window = await app.subscribeAs(Ann, `presence-user.${Ann.id}`)
    const id = await reply(Ben, post, 'One')
    expect((await window.nextMessage('NotificationsChanged')).data).toEqual({ is_only_read: false })
    await Ben.delete(`/api/replies/${id}`)
    expect((await window.nextMessage('NotificationsChanged')).data).toEqual({ is_only_read: false })
  })
})
