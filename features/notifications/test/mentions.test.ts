import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { describeNotification } from '../describe.ts'
import { notificationPath } from '../path-contract.ts'

type Member = TestClient & { id: number }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
}
async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}
const post = async (author: Member, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post('/api/posts', { text, ...more }))).post.id
const reply = async (author: Member, id: number, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post(`/api/posts/${id}/replies`, { text, ...more }))).reply.id
const listOf = async (who: Member) => (await who.get('/api/notifications')).body
const kindsOf = async (who: Member) => (await listOf(who)).map(({ kind }: { kind: string }) => kind)
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
/** Returns the sentence and the path of each notification of a member. */
const sentencesOf = async (who: Member, lang: 'en' | 'ja' = 'en') =>
  (await listOf(who)).map((one: Parameters<typeof describeNotification>[0]) => [
    describeNotification(one, lang),
    notificationPath(one),
  ])

describe.each(dialectsInTurn())('notifications about mentions on %s', (dialect) => {
  test('have one row for each post with its replies, and name the newest text', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann, 'Cake for @ben')
    expect(await sentencesOf(Ben)).toEqual([['Ann mentioned you in a post: Cake for @ben', `/posts/${id}`]])
    expect(await sentencesOf(Ben, 'ja')).toEqual([
      ['Annさんが投稿であなたをメンションしました：Cake for @ben', `/posts/${id}`],
    ])
    const tea = await reply(Cleo, id, 'and tea for @ben')
    expect(await listOf(Ben)).toMatchObject([{ kind: 'mention', people_count: 2, post: { id } }])
    expect(await sentencesOf(Ben)).toEqual([
      ['Cleo, Ann mentioned you in a reply: and tea for @ben', `/posts/${id}?reply=${tea}`],
    ])
    expect(await unreadOf(Ben)).toBe(1)
    await reply(Ben, id, 'Thank you, @ben')
    expect(await unreadOf(Ben)).toBe(1)
  })

  test('lead to the newest message of a group', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const group = await createGroup(Ann, 'Garden', Ben)
    await sendToGroup(Ann, group, '@ben and @cleo')
    const { id } = await sendToGroup(Ann, group, 'I mean you, @ben')
    expect(await sentencesOf(Ben)).toEqual([
      ['Ann mentioned you in a message: Garden: I mean you, @ben', `/group-chat/${group}?message=${id}`],
      ['Ann added you to a group: Garden', `/group-chat/${group}`],
    ])
    expect(await listOf(Cleo)).toEqual([])
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await listOf(Ben)).toEqual([])
  })

  test('come only if no other notification tells of the text', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ben, 'Cake')
    const first = await reply(Cleo, id, 'With cherries, @ben?')
    expect(await kindsOf(Ben)).toEqual(['reply'])
    await reply(Ann, id, '@cleo @ben With plums', { answers_id: first })
    expect(await kindsOf(Ben)).toEqual(['reply'])
    expect(await kindsOf(Cleo)).toEqual(['reply'])

    const group = await createGroup(Ann, 'Garden', Ben, Cleo)
    const quoted = await sendToGroup(Ben, group, 'Mine')
    await sendToGroup(Ann, group, '@ben and @cleo', { quotes_id: quoted.id })
    expect(await kindsOf(Ben)).toEqual(['quote', 'group', 'reply'])
    expect(await kindsOf(Cleo)).toEqual(['group_mention', 'group', 'reply'])

    await befriend(Ann, Ben)
    await sendPrivate(Ann, Ben, '@ben')
    expect(await kindsOf(Ben)).toEqual(['first_message', 'follow', 'quote', 'group', 'reply'])
  })

  test('end with the mention, and are not new again when it comes back', async () => {
    const { Ann, Ben } = await open(dialect)
    const id = await post(Ann, '@ben')
    const answer = await reply(Ann, id, '@ben too')
    const [{ last_event_id }] = await listOf(Ben)
    await Ben.post('/api/notifications/read', { last_event_id })
    await succeed(Ann.put(`/api/replies/${answer}`, { text: 'nobody' }))
    expect(await sentencesOf(Ben)).toEqual([['Ann mentioned you in a post: @ben', `/posts/${id}`]])
    await succeed(Ann.put(`/api/replies/${answer}`, { text: '@ben again' }))
    expect(await unreadOf(Ben)).toBe(0)
    expect(await sentencesOf(Ben)).toEqual([
      ['Ann mentioned you in a reply: @ben again', `/posts/${id}?reply=${answer}`],
    ])
    await succeed(Ann.delete(`/api/replies/${answer}`))
    expect(await sentencesOf(Ben)).toEqual([['Ann mentioned you in a post: @ben', `/posts/${id}`]])
    await succeed(Ann.put(`/api/posts/${id}`, { text: 'nobody' }))
    expect(await listOf(Ben)).toEqual([])
    await reply(Ann, id, '@ben once more')
    expect(await unreadOf(Ben)).toBe(1)
    await succeed(Ann.delete(`/api/posts/${id}`))
    expect(await listOf(Ben)).toEqual([])

    const group = await createGroup(Ann, 'Garden', Ben)
    const message = await sendToGroup(Ann, group, '@ben')
    expect(await kindsOf(Ben)).toEqual(['group_mention', 'group'])
    await succeed(Ann.delete(`/api/chat-messages/${message.id}`))
    expect(await kindsOf(Ben)).toEqual(['group'])
  })

  test('come to nobody who may not see the text or has muted its author', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    await befriend(Ann, Ben)
    const id = await post(Ann, '@ben @cleo', { audience: 'followers' })
    expect(await kindsOf(Ben)).toEqual(['mention', 'follow'])
    expect(await listOf(Cleo)).toEqual([])
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect((await Ben.get(`/api/posts/${id}`)).status).toBe(404)
    expect(await kindsOf(Ben)).toEqual(['follow'])
    expect(await unreadOf(Ben)).toBe(1)
    await succeed(Cleo.post(`/api/users/${Ann.id}/mute`))
    await post(Ann, 'for all, @cleo')
    expect(await listOf(Cleo)).toEqual([])
    await succeed(Ben.post(`/api/users/${Ann.id}/block`))
    await post(Ann, 'for all, @ben')
    expect(await listOf(Ben)).toEqual([])
  })

  test('are switched off by their kinds', async () => {
    const { Ann, Ben } = await open(dialect)
    const change = { switch: { kind: 'mention', channel: 'app', is_on: false } }
    expect((await Ben.send('PATCH', '/api/notification-settings', change)).status).toBe(200)
    await post(Ann, '@ben')
    expect(await unreadOf(Ben)).toBe(0)
    const group = await createGroup(Ann, 'Garden', Ben)
    expect(await unreadOf(Ben)).toBe(1)
    await sendToGroup(Ann, group, '@ben')
    expect(await unreadOf(Ben)).toBe(2)
  })
})
