import { describe, expect, test } from 'vitest'
import {
  befriend,
  conversationKinds,
  conversationScene,
  createGroup,
  invalidIds,
  openGroup,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
  userChannels,
} from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('unread messages of a $kind chat on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)

  test("are the messages of others, not one's own", async () => {
    const { ann, ben, eve, sendMessage, unreadCount, group } = await open()
    for (const text of ['1', '2', '3']) await sendMessage(ann, text)
    await sendMessage(ben, '4')
    expect([await unreadCount(ann), await unreadCount(ben), await unreadCount(eve)]).toEqual([1, 3, 0])
    const { body } = await ben.get('/api/unread')
    expect(body).toEqual(
      kind === 'private' ? { private: { [ann.id]: 3 }, groups: {} } : { private: {}, groups: { [group]: 3 } },
    )
    expect((await eve.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
  })

  test('are counted after the read mark, which never moves back', async () => {
    const { ann, ben, sendMessage, markRead, unreadCount } = await open()
    const ids: number[] = []
    for (const text of ['1', '2', '3', '4']) ids.push((await sendMessage(ann, text)).id)
    expect(await markRead(ben, ids[1])).toMatchObject({ status: 200, body: { unread: 2 } })
    expect(await unreadCount(ben)).toBe(2)
    // Marking an older message as read changes nothing: Ben's read mark never moves back.
    expect((await markRead(ben, ids[0])).body).toEqual({ unread: 2 })
    expect((await markRead(ben, String(ids[2]))).body).toEqual({ unread: 1 })
    expect((await markRead(ben, ids[1])).body).toEqual({ unread: 1 })
    expect((await markRead(ben, ids[3])).body).toEqual({ unread: 0 })
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
    await sendMessage(ann, '5')
    expect(await unreadCount(ben)).toBe(1)
  })

  test('stay unread when they are only fetched, or when others read them', async () => {
    const { ann, ben, eve, sendMessage, readHistory, markRead, unreadCount, history, conversation } =
      await open()
    const { id } = await sendMessage(ann, '1')
    await readHistory(ben)
    await ben.get(conversation(ben))
    await markRead(ann, id)
    for (const path of [conversation(ann), conversation(ben)])
      expect((await eve.send('PUT', `${path}/read`, { last_read_id: id })).status).toBe(403)
    expect((await eve.get(history(ann))).status).toBe(403)
    expect(await unreadCount(ben)).toBe(1)
  })

  test('cannot be marked as read before they exist', async () => {
    const { ann, ben, eve, sendMessage, markRead, unreadCount, conversation } = await open()
    const { id } = await sendMessage(ann, '1')
    expect((await markRead(ben, UNUSED_ID)).body).toEqual({ unread: 0 })
    expect((await ben.get(conversation(ben))).body.last_read_id).toBe(id)
    // A member may mark as read up to the id of another chat's message: this marks the messages with smaller
    // ids in this chat as read.
    await befriend(ann, eve)
    await sendMessage(ann, '2')
    const foreign = await sendPrivate(ann, eve, 'Elsewhere')
    await sendMessage(ann, '3')
    expect((await markRead(ben, foreign.id)).body).toEqual({ unread: 1 })
    expect(await unreadCount(ben)).toBe(1)
  })

  test('cannot be marked as read with an invalid id or in an unknown chat', async () => {
    const { ann, ben, sendMessage, markRead, unreadCount } = await open()
    await sendMessage(ann, '1')
    for (const id of [...invalidIds, '', null, undefined, {}])
      expect(await markRead(ben, id), JSON.stringify(id)).toMatchObject({
        status: 422,
        body: { errors: { last_read_id: {} } },
      })
    const elsewhere =
      kind === 'private' ? `/api/conversations/${UNUSED_ID}/read` : `/api/groups/${UNUSED_ID}/read`
    expect((await ben.send('PUT', elsewhere, { last_read_id: 1 })).status).toBe(
      kind === 'private' ? 404 : 403,
    )
    expect(await unreadCount(ben)).toBe(1)
  })

  test("are none after one's own message, where everything before was read", async () => {
    const { ann, ben, sendMessage, markRead, unreadCount } = await open()
    const { id } = await sendMessage(ann, '1')
    await markRead(ben, id)
    await sendMessage(ben, '2')
    await sendMessage(ben, '3')
    expect([await unreadCount(ann), await unreadCount(ben)]).toEqual([2, 0])
    await sendMessage(ann, '4')
    expect(await unreadCount(ben)).toBe(1)
  })

  test('stay unread when the user writes without having read them', async () => {
    const { ann, ben, sendMessage, markRead, unreadCount } = await open()
    const first = await sendMessage(ann, '1')
    await sendMessage(ben, '2')
    await sendMessage(ann, '3')
    await sendMessage(ben, '4')
    expect(await unreadCount(ben)).toBe(2)
    expect((await markRead(ben, first.id)).body).toEqual({ unread: 1 })
  })

  test('do not include deleted messages, and include edited ones once', async () => {
    const { ann, ben, sendMessage, editMessage, deleteMessage, unreadCount } = await open()
    const [one, two] = [await sendMessage(ann, '1'), await sendMessage(ann, '2')]
    await deleteMessage(ann, one.id)
    await editMessage(ann, two.id, 'two')
    expect(await unreadCount(ben)).toBe(1)
    await deleteMessage(ann, two.id)
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
  })

  test('are counted up to a hundred', async () => {
    const { ann, ben, sendMessage, markRead, unreadCount } = await open()
    const sent = await Promise.all(Array.from({ length: 103 }, (_, i) => sendMessage(ann, `${i}`)))
    const ids = sent.map(({ id }) => id).sort((a, b) => a - b)
    expect(await unreadCount(ben)).toBe(100)
    expect((await markRead(ben, ids[1])).body).toEqual({ unread: 100 })
    expect((await markRead(ben, ids[3])).body).toEqual({ unread: 99 })
  })

  test('cause two events when they are read: the read mark for the chat, the count for the reader only', async () => {
    const { ann, ben, sendMessage, markRead, channel, targetId, group, conversation, ...testApp } =
      await open()
    const [one, two] = [await sendMessage(ann, '1'), await sendMessage(ann, '2')]
    const { recorded, clear } = spyOnBroadcasts(testApp)
    await markRead(ben, one.id)
    const left = {
      userId: kind === 'private' ? ann.id : null,
      groupId: kind === 'private' ? null : group,
      unread: 1,
    }
    const expectedBroadcasts = [
      { to: [channel], event: 'MessagesRead', data: { user_id: ben.id, last_read_id: one.id } },
      { to: userChannels(ben), event: 'UnreadChanged', data: left },
    ]
    expect(recorded()).toEqual(expectedBroadcasts)
    clear()
    // Marking the same message as read again changes nothing, so no event is broadcast.
    await markRead(ben, one.id)
    expect(recorded()).toEqual([])
    await markRead(ben, two.id)
    expect(recorded('UnreadChanged')).toMatchObject([{ data: { unread: 0 } }])
    const { body } = await ann.get(conversation(ann))
    if (kind === 'private') expect(body).toMatchObject({ seen_id: two.id })
    else expect(body.reads).toEqual([{ user_id: ben.id, last_read_id: two.id }])
    expect((await ben.get(conversation(ben))).body).toMatchObject({ last_read_id: two.id })
  })

  test('are marked as read once when several windows do it at the same moment', async () => {
    const { ann, ben, sendMessage, markRead, unreadCount, ...testApp } = await open()
    const ids: number[] = []
    for (const text of ['1', '2', '3', '4', '5']) ids.push((await sendMessage(ann, text)).id)
    const { recorded } = spyOnBroadcasts(testApp)
    const answers = await Promise.all([...ids, ...ids.toReversed(), ...ids].map((id) => markRead(ben, id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await unreadCount(ben)).toBe(0)
    const marks = recorded('MessagesRead').map(({ data }) => data.last_read_id)
    expect(marks.at(-1)).toBe(ids.at(-1))
    expect(new Set(marks).size).toBe(marks.length)
    expect(recorded('UnreadChanged').at(-1)!.data.unread).toBe(0)
  })
})

describe.each(dialectsInTurn())('unread messages on %s', (dialect) => {
  test('are counted per conversation', async () => {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, eve } = await testApp.members('ann', 'ben', 'eve')
    await befriend(ann, ben)
    await befriend(ann, eve)
    const [one, two] = [await createGroup(ann, 'One', ben, eve), await createGroup(ann, 'Two', ben)]
    for (const text of ['1', '2']) await sendPrivate(ben, ann, text)
    await sendPrivate(eve, ann, '1')
    for (const who of [ben, eve, ben]) await sendToGroup(who, one, 'x')
    await sendToGroup(ben, two, 'x')
    expect((await ann.get('/api/unread')).body).toEqual({
      private: { [ben.id]: 2, [eve.id]: 1 },
      groups: { [one]: 3, [two]: 1 },
    })
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: { [one]: 1 } })
    await ann.send('PUT', `/api/groups/${one}/read`, { last_read_id: UNUSED_ID })
    expect((await ann.get('/api/unread')).body).toEqual({
      private: { [ben.id]: 2, [eve.id]: 1 },
      groups: { [two]: 1 },
    })
  })

  test('include a group that is new to the member, until the member opens or leaves it', async () => {
    const { ann, ben, eve, group, sendMessage } = await conversationScene(dialect, 'group')
    await sendMessage(ann, '1')
    const add = (id: number) => ann.post(`/api/groups/${group}/add-user`, { user_id: id })
    const unread = async () => (await eve.get('/api/unread')).body.groups
    const isNew = async () => (await eve.get(`/api/groups/${group}`)).body.is_new
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    expect(await isNew()).toBe(true)
    await sendMessage(ben, '2')
    expect(await unread()).toEqual({ [group]: 2 })
    await openGroup(eve, group)
    expect(await unread()).toEqual({ [group]: 1 })
    expect(await isNew()).toBe(false)
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    await eve.post(`/api/groups/${group}/leave`)
    expect(await unread()).toEqual({})
    await sendMessage(ben, '3')
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    // Sending a message in a new group also marks the group as opened, so it no longer counts as unread.
    await sendMessage(eve, '4')
    expect(await unread()).toEqual({})
    expect((await ben.get('/api/unread')).body.groups).toEqual({ [group]: 2 })
  })

  test('are announced once, as a count, when a member opens a new group', async () => {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, eve } = await testApp.members('ann', 'ben', 'eve')
    const group = await createGroup(ann, 'Club', ben)
    const { recorded } = spyOnBroadcasts(testApp)
    await openGroup(ben, group)
    await openGroup(ben, group)
    expect(recorded('UnreadChanged')).toEqual([
      {
        to: userChannels(ben),
        event: 'UnreadChanged',
        data: { userId: null, groupId: group, unread: 0 },
      },
    ])
    // A new group does not count as unread for its creator, and somebody who is no member cannot open it.
    expect((await ann.get('/api/unread')).body.groups).toEqual({})
    const answer = await eve.send('PUT', `/api/groups/${group}/read`, { last_read_id: 0 })
    expect(answer.status).toBe(403)
  })
})
