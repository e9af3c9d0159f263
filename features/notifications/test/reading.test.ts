import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

type Member = TestClient & { id: number }
type Notification = { kind: string; is_read: boolean; last_event_id: number }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
}
async function openGroup(dialect: Dialect) {
  const { Ann, Ben, Cleo } = await open(dialect)
  return { Ann, Ben, Cleo, group: await createGroup(Ann, 'Garden', Ben, Cleo) }
}
async function succeed(answer: ReturnType<TestClient['send']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}
const post = async (author: Member): Promise<number> =>
  (await succeed(author.post('/api/posts', { text: 'Rhubarb' }))).post.id
const reply = async (author: Member, id: number, text: string): Promise<number> =>
  (await succeed(author.post(`/api/posts/${id}/replies`, { text }))).reply.id
const react = (who: Member, path: string) =>
  succeed(who.put(`/api/${path}/reactions/${encodeURIComponent('👍')}`))
const unreadOf = async (who: Member) => succeed(who.get('/api/notifications/unread'))
const unreadKindsOf = async (who: Member) =>
  (await succeed(who.get('/api/notifications')))
    .filter(({ is_read }: Notification) => !is_read)
    .map(({ kind }: Notification) => kind)
    .sort()
const readGroup = (who: Member, group: number, last_read_id: number) =>
  succeed(who.put(`/api/groups/${group}/read`, { last_read_id }))

/**
 * Sends the request with which the page of a post marks notifications as read, as if the page showed these
 * replies and knew all events until now.
 */
async function showPost(
  who: Member,
  post_id: number,
  first_reply_id?: number,
  last_reply_id = first_reply_id,
) {
  const { last_event_id } = await unreadOf(who)
  const shown = { post_id, last_event_id, ...(first_reply_id && { first_reply_id, last_reply_id }) }
  return succeed(who.post('/api/notifications/read-about', shown))
}

describe.each(dialectsInTurn())('notifications about what the member has seen, on %s', (dialect) => {
  test('about messages of a group are read with the messages up to the read mark', async () => {
    const { Ann, Ben, Cleo, group } = await openGroup(dialect)
    const own = await sendToGroup(Ben, group, 'Mine')
    expect(await unreadKindsOf(Ben)).toEqual(['group'])
    const first = await sendToGroup(Ann, group, '@ben and @cleo')
    await readGroup(Ben, group, first.id)
    expect(await unreadKindsOf(Ben)).toEqual([])
    await sendToGroup(Ann, group, 'Cake', { quotes_id: own.id })
    const last = await sendToGroup(Cleo, group, 'And you, @ben')
    await react(Cleo, `chat-messages/${own.id}`)
    expect(await unreadKindsOf(Ben)).toEqual(['group_mention', 'message_reaction', 'quote'])
    await readGroup(Ben, group, last.id - 1)
    expect(await unreadKindsOf(Ben)).toEqual(['group_mention', 'message_reaction'])
    await readGroup(Ben, group, last.id)
    expect(await unreadKindsOf(Ben)).toEqual(['message_reaction'])
    expect(await unreadKindsOf(Cleo)).toEqual(['group', 'group_mention'])
  })

  test('about another group stay unread, and about a group are read when it is opened', async () => {
    const { Ann, Ben, group } = await openGroup(dialect)
    const other = await createGroup(Ann, 'Kitchen', Ben)
    await sendToGroup(Ann, group, '@ben')
    const { id } = await sendToGroup(Ann, other, 'Hello')
    await readGroup(Ben, other, id)
    expect(await unreadKindsOf(Ben)).toEqual(['group', 'group_mention'])
  })

  test('about a message that was edited stay unread until all its mentions are seen', async () => {
    const { Ann, Ben, group } = await openGroup(dialect)
    const edited = await sendToGroup(Ann, group, 'Hello')
    const newest = await sendToGroup(Ann, group, '@ben')
    await succeed(Ann.put(`/api/chat-messages/${edited.id}`, { message: 'Hello @ben' }))
    await readGroup(Ben, group, edited.id)
    expect(await unreadKindsOf(Ben)).toEqual(['group_mention'])
    await readGroup(Ben, group, newest.id)
    expect(await unreadKindsOf(Ben)).toEqual([])
  })

  test('about a new private chat are read with its first message', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    for (const other of [Ann, Cleo]) await befriend(Ben, other)
    const { id } = await sendPrivate(Ann, Ben, 'Hello')
    await sendPrivate(Cleo, Ben, 'Hello')
    await succeed(Ben.put(`/api/conversations/${Ann.id}/read`, { last_read_id: id }))
    expect(await unreadKindsOf(Ben)).toEqual(['first_message', 'follow'])
  })

  test('about a message of somebody who has blocked the member stay unread for the time after', async () => {
    const { Ann, Ben, Cleo, group } = await openGroup(dialect)
    await readGroup(Ben, group, 1)
    await sendToGroup(Ann, group, '@ben')
    const { id } = await sendToGroup(Cleo, group, 'Hello')
    await succeed(Ann.post(`/api/users/${Ben.id}/block`))
    await readGroup(Ben, group, id)
    expect((await unreadOf(Ben)).count).toBe(0)
    await succeed(Ann.delete(`/api/users/${Ben.id}/block`))
    expect(await unreadKindsOf(Ben)).toEqual(['group_mention'])
  })

  test('about a muted person make no difference to those about others', async () => {
    const { Ann, Ben, Cleo, group } = await openGroup(dialect)
    const { id } = await sendToGroup(Ann, group, '@ben')
    await succeed(Ben.post(`/api/users/${Cleo.id}/mute`))
    await sendToGroup(Cleo, group, '@ben')
    await readGroup(Ben, group, id)
    expect(await unreadKindsOf(Ben)).toEqual([])
  })

  test('about a post and the replies on its page are read with the page', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann)
    const other = await post(Ann)
    const own = await reply(Ann, id, 'Mine')
    await reply(Ben, other, 'One')
    for (const path of [`posts/${id}`, `replies/${own}`]) await react(Ben, path)
    await succeed(Ben.put(`/api/posts/${id}/like`))
    const last = await reply(Ben, id, 'For @cleo')
    expect(await unreadKindsOf(Ann)).toEqual(['like', 'reaction', 'reply', 'reply', 'reply_reaction'])
    expect(await showPost(Ann, id, own, last)).toEqual({ count: 1 })
    expect(await unreadKindsOf(Ann)).toEqual(['reply'])
    expect(await unreadKindsOf(Cleo)).toEqual(['mention'])
    expect(await showPost(Cleo, id, last)).toEqual({ count: 0 })
  })

  test('about replies that the page does not show stay unread', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const [id, other] = [await post(Ann), await post(Ann)]
    const elsewhere = await reply(Ann, other, 'Mine, elsewhere')
    const mention = await reply(Ben, id, 'For @cleo')
    const shown = await reply(Ben, id, 'Two')
    await react(Ben, `replies/${elsewhere}`)
    expect(await showPost(Cleo, id, shown)).toEqual({ count: 1 })
    expect(await showPost(Cleo, id)).toEqual({ count: 1 })
    expect(await showPost(Ann, id, mention)).toEqual({ count: 2 })
    expect(await showPost(Ann, id, elsewhere, shown)).toEqual({ count: 1 })
    expect(await unreadKindsOf(Ann)).toEqual(['reply_reaction'])
    expect(await showPost(Cleo, id, mention, shown)).toEqual({ count: 0 })
  })

  test('about an act that the page does not know of stay unread', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann)
    await succeed(Ben.put(`/api/posts/${id}/like`))
    const { last_event_id } = await unreadOf(Ann)
    await succeed(Cleo.put(`/api/posts/${id}/like`))
    const page = { post_id: id, last_event_id }
    expect(await succeed(Ann.post('/api/notifications/read-about', page))).toEqual({ count: 1 })
    expect(await showPost(Ann, id)).toEqual({ count: 0 })
  })

  test('about a post are not read by the page of another member', async () => {
    const { Ann, Ben, Cleo } = await open(dialect)
    const id = await post(Ann)
    await succeed(Ben.put(`/api/posts/${id}/like`))
    const { last_event_id } = await unreadOf(Ann)
    for (const who of [Ben, Cleo])
      expect(
        await succeed(who.post('/api/notifications/read-about', { post_id: id, last_event_id })),
      ).toEqual({ count: 0 })
    expect((await unreadOf(Ann)).count).toBe(1)
    expect(await succeed(Ann.post('/api/notifications/read-about', { post_id: 999, last_event_id }))).toEqual(
      {
        count: 1,
      },
    )
  })

  test('about a post by people whom the member may not see stay unread for the time after', async () => {
    const { Ann, Ben } = await open(dialect)
    const id = await post(Ann)
    await reply(Ben, id, 'One')
    await succeed(Ben.post(`/api/users/${Ann.id}/block`))
    expect(await showPost(Ann, id)).toEqual({ count: 0 })
    await succeed(Ben.delete(`/api/users/${Ann.id}/block`))
    expect(await unreadKindsOf(Ann)).toEqual(['reply'])
  })

  test('tell all windows of the member once, and only if some became read', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const group = await createGroup(Ann, 'Garden', Ben)
    const window = await app.subscribeAs(Ben, `presence-user.${Ben.id}`)
    const next = async () => (await window.nextMessage('NotificationsChanged')).data
    const { id } = await sendToGroup(Ann, group, '@ben')
    expect(await next()).toEqual({ is_only_read: false })
    await readGroup(Ben, group, id)
    expect(await next()).toEqual({ is_only_read: true })
    const plain = await sendToGroup(Ann, group, 'Hello')
    await readGroup(Ben, group, plain.id)
    const own = await post(Ben)
    await showPost(Ben, own)
    await succeed(Ann.put(`/api/posts/${own}/like`))
    expect(await next()).toEqual({ is_only_read: false })
    await showPost(Ben, own)
    expect(await next()).toEqual({ is_only_read: true })
  })
})
