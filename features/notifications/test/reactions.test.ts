import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import {
  befriend,
  createGroup,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  userChannels,
} from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { startPushService } from '#tests/push-service.ts'
import { CHANGED_EVENT } from '../contract.ts'
import { describeNotification } from '../describe.ts'
import { notificationPath } from '../path-contract.ts'

type Member = TestClient & { id: number }
const [THUMB, PARTY] = ['👍', '🎉'] as const
vi.setConfig({ testTimeout: 60_000 })

async function open(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await createTestApp({ dialect, env })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
}
async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}
const post = async (author: Member, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post('/api/posts', { text, ...more }))).post.id
const reply = async (author: Member, id: number, text: string): Promise<number> =>
  (await succeed(author.post(`/api/posts/${id}/replies`, { text }))).reply.id
const toPath = (thing: string, emoji: string) => `/api/${thing}/reactions/${encodeURIComponent(emoji)}`
const react = (who: Member, thing: string, emoji: string = THUMB) => succeed(who.put(toPath(thing, emoji)))
const takeBack = (who: Member, thing: string, emoji: string = THUMB) =>
  succeed(who.delete(toPath(thing, emoji)))
const listOf = async (who: Member) => (await who.get('/api/notifications')).body
const kindsOf = async (who: Member) => (await listOf(who)).map(({ kind }: { kind: string }) => kind)
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
/** Returns the sentence and the path of each notification of a member. */
const sentencesOf = async (who: Member, lang: 'en' | 'ja' = 'en') =>
  (await listOf(who)).map((one: Parameters<typeof describeNotification>[0]) => [
    describeNotification(one, lang),
    notificationPath(one),
  ])
const readAll = async (who: Member) => {
  const [{ last_event_id }] = await listOf(who)
  await succeed(who.post('/api/notifications/read', { last_event_id }))
}

describe.each(dialectsInTurn())('notifications about reactions on %s', (dialect) => {
  test('have one row for each post, with the people and the emoji', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann, 'Cake')
    await react(Ann, `posts/${id}`)
    expect(await listOf(Ann)).toEqual([])
    await react(Ben, `posts/${id}`, PARTY)
    expect(await sentencesOf(Ann)).toEqual([['Ben reacted 🎉 to your post: Cake', `/posts/${id}`]])
    expect(await sentencesOf(Ann, 'ja')).toEqual([
      ['Benさんがあなたの投稿に🎉でリアクションしました：Cake', `/posts/${id}`],
    ])
    await react(Cleo, `posts/${id}`)
    await react(Ben, `posts/${id}`)
    expect(await listOf(Ann)).toMatchObject([
      { kind: 'reaction', people_count: 2, emoji: [THUMB, PARTY], post: { id, is_own: true } },
    ])
    expect(await sentencesOf(Ann)).toEqual([['Cleo, Ben reacted 👍 🎉 to your post: Cake', `/posts/${id}`]])
    expect(await unreadOf(Ann)).toBe(1)
  })

  test('are announced to the windows of the author, and not for own acts', async () => {
    const app = await open(dialect)
    const { Ann, Ben } = app
    const id = await post(Ann, 'Cake')
    const { recorded, clear } = spyOnBroadcasts(app)
    const announcements = () => {
      const to = recorded(CHANGED_EVENT).map((event) => event.to)
      clear()
      return to
    }
    await react(Ann, `posts/${id}`)
    expect(announcements()).toEqual([])
    for (const act of [
      () => react(Ben, `posts/${id}`),
      () => react(Ben, `posts/${id}`, PARTY),
      () => takeBack(Ben, `posts/${id}`),
      () => takeBack(Ben, `posts/${id}`, PARTY),
    ]) {
      await act()
      expect(announcements()).toEqual([userChannels(Ann)])
    }
  })

  test('lead to the reply and to the message, also in a private chat', async () => {
    const { Ann, Ben } = await open(dialect)
    await befriend(Ann, Ben)
    const id = await post(Ben, 'Cake')
    const answer = await reply(Ann, id, 'With cherries')
    const group = await createGroup(Ann, 'Garden', Ben)
    const inGroup = (await sendToGroup(Ann, group, 'Hello all')).id
    const privately = (await sendPrivate(Ann, Ben, 'Hello Ben')).id
    const before = await kindsOf(Ann)
    for (const thing of [`replies/${answer}`, `chat-messages/${inGroup}`, `chat-messages/${privately}`])
      await react(Ben, thing)
    expect((await sentencesOf(Ann)).slice(0, 3)).toEqual([
      ['Ben reacted 👍 to your message: Hello Ben', `/privatechat/${Ben.id}?message=${privately}`],
      ['Ben reacted 👍 to your message: Hello all', `/group-chat/${group}?message=${inGroup}`],
      ['Ben reacted 👍 to your reply: With cherries', `/posts/${id}?reply=${answer}`],
    ])
    expect((await sentencesOf(Ann, 'ja'))[0][0]).toBe(
      'Benさんがあなたのメッセージに👍でリアクションしました：Hello Ben',
    )
    expect(await kindsOf(Ann)).toEqual(['message_reaction', 'message_reaction', 'reply_reaction', ...before])
    await react(Ann, `chat-messages/${inGroup}`, PARTY)
    expect((await listOf(Ann))[1]).toMatchObject({ emoji: [THUMB], group: { id: group, name: 'Garden' } })
  })

  test('end with the last emoji of a person, and are not new again when it comes back', async () => {
    const { Ann, Ben } = await open(dialect)
    const id = await post(Ann, 'Cake')
    await react(Ben, `posts/${id}`)
    await readAll(Ann)
    await react(Ben, `posts/${id}`, PARTY)
    expect(await unreadOf(Ann)).toBe(0)
    await takeBack(Ben, `posts/${id}`)
    expect(await sentencesOf(Ann)).toEqual([['Ben reacted 🎉 to your post: Cake', `/posts/${id}`]])
    await takeBack(Ben, `posts/${id}`, PARTY)
    expect(await listOf(Ann)).toEqual([])
    await react(Ben, `posts/${id}`)
    expect(await unreadOf(Ann)).toBe(0)
    expect(await kindsOf(Ann)).toEqual(['reaction'])
  })

  test('are deleted with the post, reply or message', async () => {
    const { Ann, Ben, db } = await open(dialect)
    const [id, others] = [await post(Ann, 'Cake'), await post(Ben, 'Tea')]
    const answer = await reply(Ann, others, 'With milk')
    const group = await createGroup(Ann, 'Garden', Ben)
    const message = (await sendToGroup(Ann, group, 'Hello')).id
    const things = [`posts/${id}`, `replies/${answer}`, `chat-messages/${message}`]
    for (const thing of things) await react(Ben, thing)
    expect(await unreadOf(Ann)).toBe(3)
    for (const thing of things) await succeed(Ann.delete(`/api/${thing}`))
    expect(await listOf(Ann)).toEqual([])
    expect(await unreadOf(Ann)).toBe(0)
    const rows = await readRows(db, 'notifications')
    expect(rows.filter(({ kind }) => String(kind).includes('reaction'))).toEqual([])
  })

  test('name nobody whom the member may not see or has muted, and no emoji of such people', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann, 'Cake')
    await react(Ben, `posts/${id}`)
    await react(Cleo, `posts/${id}`, PARTY)
    await succeed(Ann.post(`/api/users/${Ben.id}/mute`))
    expect(await sentencesOf(Ann)).toEqual([['Cleo reacted 🎉 to your post: Cake', `/posts/${id}`]])
    await succeed(Ann.delete(`/api/users/${Ben.id}/mute`))
    expect(await sentencesOf(Ann)).toEqual([['Cleo, Ben reacted 👍 🎉 to your post: Cake', `/posts/${id}`]])
    await succeed(Cleo.post(`/api/users/${Ann.id}/block`))
    expect(await sentencesOf(Ann)).toEqual([['Ben reacted 👍 to your post: Cake', `/posts/${id}`]])
    await succeed(Cleo.delete(`/api/users/${Ann.id}/block`))
    // Cleo's block has also removed Cleo's reaction, so the reaction does not come back when the block ends.
    expect(await sentencesOf(Ann)).toEqual([['Ben reacted 👍 to your post: Cake', `/posts/${id}`]])
    await succeed(Ann.post(`/api/users/${Ben.id}/block`))
    expect(await listOf(Ann)).toEqual([])
    expect(await unreadOf(Ann)).toBe(0)
  })

  test('are left out while the author does not see the reply or message', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    await succeed(Ben.post(`/api/follow/${Ann.id}`))
    const id = await post(Ann, 'Cake', { audience: 'followers' })
    const answer = await reply(Ben, id, 'With cherries')
    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    const [one, two] = [await sendToGroup(Ben, group, 'One'), await sendToGroup(Ben, group, 'Two')]
    await react(Ann, `replies/${answer}`)
    await react(Ann, `chat-messages/${one.id}`)
    await readAll(Ben)
    await react(Cleo, `chat-messages/${one.id}`)
    expect(await unreadOf(Ben)).toBe(1)
    await succeed(Ben.delete(`/api/unfollow/${Ann.id}`))
    await succeed(Ann.delete(`/api/groups/${group}/members/${Ben.id}`))
    expect(await listOf(Ben)).toEqual([])
    expect(await unreadOf(Ben)).toBe(0)
    // The server stores no notification about a reaction to a message that its author cannot see at that
    // time.
    await react(Ann, `chat-messages/${two.id}`)
    await succeed(Ann.post(`/api/groups/${group}/add-user`, { user_id: Ben.id }))
    expect(await kindsOf(Ben)).toEqual(['group', 'message_reaction'])
  })

  test('have one switch for the three kinds', async () => {
    const { Ann, Ben, db } = await open(dialect)
    await befriend(Ann, Ben)
    const turn = (is_on: boolean) =>
      Ann.send('PATCH', '/api/notification-settings', {
        switch: { kind: 'reaction', channel: 'app', is_on },
      })
    const kind = 'message_reaction'
    const refused = { switch: { kind, channel: 'app', is_on: false } }
    expect((await Ann.send('PATCH', '/api/notification-settings', refused)).status).toBe(422)
    const { body } = await turn(false)
    expect(body.switches).toContainEqual({ kind: 'reaction', channel: 'app', is_on: false })
    expect(body.switches.map((one: { kind: string }) => one.kind)).not.toContain(kind)
    expect(await readRows(db, 'notification_switches_off')).toHaveLength(3)
    const id = await post(Ann, 'Cake')
    const message = (await sendPrivate(Ann, Ben, 'Hello')).id
    const before = await unreadOf(Ann)
    for (const thing of [`posts/${id}`, `chat-messages/${message}`]) await react(Ben, thing)
    expect(await unreadOf(Ann)).toBe(before)
    await turn(true)
    expect(await readRows(db, 'notification_switches_off')).toEqual([])
    expect(await unreadOf(Ann)).toBe(before)
  })

  test('are pushed once for each person, with no more than the member allows, not from muted chats', async () => {
    const service = await startPushService()
    const { Ann, Ben, Cleo } = await open(dialect, { PUSH_LOCAL_SERVICE: service.origin })
    const browser = service.createBrowser()
    await succeed(Ann.post('/api/push/devices', browser.subscription))
    const bodies = () => service.receivedAt(browser.path).map((sent) => browser.decrypt(sent).body)
    const id = await post(Ann, 'Cake')
    await react(Ben, `posts/${id}`)
    const texts = ['Ben reacted 👍 to your post: Cake']
    await eventually(() => expect(bodies()).toEqual(texts))
    const group = await createGroup(Ann, 'Garden', Ben)
    const message = (await sendToGroup(Ann, group, 'Hello')).id
    await succeed(Ann.send('PUT', `/api/groups/${group}/mute`, { for: 'always' }))
    await react(Ben, `chat-messages/${message}`)
    // A second emoji of the same person causes no further push message.
    await react(Ben, `posts/${id}`, PARTY)
    await succeed(Ann.send('PATCH', '/api/push', { privacy: 'name' }))
    await react(Cleo, `posts/${id}`)
    texts.push('Cleo, Ben reacted to your post')
    await eventually(() => expect(bodies()).toEqual(texts))
    await succeed(Ann.delete(`/api/groups/${group}/mute`))
    const later = (await sendToGroup(Ann, group, 'Good night')).id
    await react(Ben, `chat-messages/${later}`)
    texts.push('Ben reacted to your message')
    await eventually(() => expect(bodies()).toEqual(texts))
    expect(await kindsOf(Ann)).toEqual(['message_reaction', 'reaction', 'message_reaction'])
  })

  test('are not stored for former members', async () => {
    const { Ann, Ben, context, db } = await open(dialect)
    await befriend(Ann, Ben)
    const { id } = await sendPrivate(Ben, Ann, 'Goodbye')
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: true }))
    await react(Ann, `chat-messages/${id}`)
    const kinds = (await readRows(db, 'notifications')).map(({ kind }) => kind)
    expect(kinds).not.toContain('message_reaction')
  })
})
