import { describe, expect, test } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { findUnreadMessage } from '#features/messages/for-push.ts'
import { conversationKinds, conversationScene, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { endOfMute } from '../mutes.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('a muted $kind chat on $dialect', ({ dialect, kind }) => {
  type Chat = Awaited<ReturnType<typeof conversationScene>>
  const open = () => conversationScene(dialect, kind)
  const kindKey = kind === 'private' ? 'private' : 'groups'
  const ids = (chat: Chat, who: Chat['ann']) =>
    kind === 'private'
      ? { userId: chat.targetId(who), groupId: null }
      : { userId: null, groupId: chat.targetId(who) }
  const mute = (chat: Chat, who: Chat['ann'], body: object = { for: 'always' }) =>
    who.send('PUT', `${chat.conversation(who)}/mute`, body)

  test('stays unread, is listed with the end of the mute, and is not pushed', async () => {
    const chat = await open()
    const { ann, ben } = chat
    await chat.sendMessage(ann, 'First')
    const { recorded } = spyOnBroadcasts(chat)
    const { status, body } = await mute(chat, ben)
    expect({ status, body }).toEqual({ status: 200, body: { muted_until: expect.stringMatching(/^9999-/) } })
    expect(recorded()).toEqual([
      {
        to: [`presence-user.${ben.id}`],
        event: 'ConversationMuted',
        data: { ...ids(chat, ben), muted_until: body.muted_until },
      },
    ])
    const { id } = await chat.sendMessage(ann, 'Second')
    const muted = { private: {}, groups: {}, [kindKey]: { [chat.targetId(ben)]: body.muted_until } }
    expect((await ben.get('/api/unread')).body).toMatchObject({
      [kindKey]: { [chat.targetId(ben)]: 2 },
      muted,
    })
    expect((await ann.get('/api/unread')).body).not.toHaveProperty('muted')
    const viewer = withoutRoles(chat.context, ben.id)
    expect(await findUnreadMessage(viewer, id)).toBeUndefined()

    const ended = await ben.delete(`${chat.conversation(ben)}/mute`)
    expect(ended).toMatchObject({ status: 200, body: { muted_until: null } })
    expect((await ben.get('/api/unread')).body).not.toHaveProperty('muted')
    expect(await findUnreadMessage(viewer, id)).toMatchObject({ id })
  })

  test('counts again when the time is over', async () => {
    const chat = await open()
    const { ann, ben, db } = chat
    const { id } = await chat.sendMessage(ann, 'First')
    const { body } = await mute(chat, ben, { for: 'hour' })
    const rest = Date.parse(body.muted_until) - Date.now()
    expect(rest).toBeGreaterThan(0)
    expect(rest).toBeLessThanOrEqual(3600_000)
    await transaction(db, (tx) =>
      tx
        .updateTable('conversation_members')
        .set({ muted_until: new Date(Date.now() - 1000).toISOString() })
        .where('user_id', '=', ben.id)
        .execute(),
    )
    expect((await ben.get('/api/unread')).body).not.toHaveProperty('muted')
    const viewer = withoutRoles(chat.context, ben.id)
    expect(await findUnreadMessage(viewer, id)).toMatchObject({ id })
  })

  test('is refused to strangers, and for unknown times', async () => {
    const chat = await open()
    const { ann, ben, eve } = chat
    await chat.sendMessage(ann, 'First')
    expect((await mute(chat, ben, { for: 'ever' })).status).toBe(422)
    const path = kind === 'private' ? `/api/conversations/${ann.id}` : `/api/groups/${chat.group}`
    expect((await eve.send('PUT', `${path}/mute`, { for: 'hour' })).status).toBe(403)
    expect((await eve.delete(`${path}/mute`)).status).toBe(403)
  })
})

describe.each(cases)('unread from a message in a $kind chat on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)

  test('moves the own read mark back, and not the one that others see', async () => {
    const chat = await open()
    const { ann, ben } = chat
    const [one, two, three] = await Promise.all([]).then(async () => [
      await chat.sendMessage(ann, 'One'),
      await chat.sendMessage(ann, 'Two'),
      await chat.sendMessage(ann, 'Three'),
    ])
    await chat.markRead(ben, three!.id)
    const seenByAnn = async () => {
      const { body } = await ann.get(chat.conversation(ann))
      return kind === 'private' ? body.seen_id : body.reads[0].last_read_id
    }
    expect(await seenByAnn()).toBe(three!.id)
    const { recorded, clear } = spyOnBroadcasts(chat)
    const answer = await ben.send('PUT', `/api/chat-messages/${two!.id}/unread`)
    expect(answer).toMatchObject({ status: 200, body: { unread: 2 } })
    expect(recorded()).toMatchObject([
      { to: [`presence-user.${ben.id}`], event: 'UnreadChanged', data: { unread: 2 } },
    ])
    expect(await chat.unreadCount(ben)).toBe(2)
    expect((await ben.get(chat.conversation(ben))).body.last_read_id).toBe(one!.id)
    expect(await seenByAnn()).toBe(three!.id)

    clear()
    await chat.markRead(ben, two!.id)
    expect(recorded().map(({ event }) => event)).toEqual(['UnreadChanged'])
    expect(await chat.unreadCount(ben)).toBe(1)
    expect(await seenByAnn()).toBe(three!.id)
    await chat.markRead(ben, three!.id)
    expect(await chat.unreadCount(ben)).toBe(0)

    // A new message of the member moves the member's read mark only if no message of others before it is
    // unread.
    await ben.send('PUT', `/api/chat-messages/${one!.id}/unread`)
    await chat.sendMessage(ben, 'Mine')
    expect(await chat.unreadCount(ben)).toBe(3)
    await ben.send('PUT', `/api/chat-messages/${one!.id}/unread`)
    expect((await ben.get(chat.conversation(ben))).body.last_read_id).toBe(0)
  })

  test('is refused outside of the chat', async () => {
    const chat = await open()
    const { id } = await chat.sendMessage(chat.ann, 'One')
    for (const message of [id, UNUSED_ID])
      expect((await chat.eve.send('PUT', `/api/chat-messages/${message}/unread`)).status).toBe(404)
  })
})

test.each([
  ['hour', 'Asia/Tokyo', '2026-11-23T12:00:00.000Z', '2026-11-23T13:00:00.000Z'],
  ['tomorrow', 'UTC', '2026-11-23T00:30:00.000Z', '2026-11-24T08:00:00.000Z'],
  ['tomorrow', 'Asia/Tokyo', '2026-11-23T16:00:00.000Z', '2026-11-24T23:00:00.000Z'],
  ['tomorrow', 'America/New_York', '2026-11-24T03:00:00.000Z', '2026-11-24T13:00:00.000Z'],
  // The clocks in Berlin change in the early morning of 25 October.
  ['tomorrow', 'Europe/Berlin', '2026-10-24T20:00:00.000Z', '2026-10-25T07:00:00.000Z'],
  ['tomorrow', 'Asia/Kathmandu', '2026-12-31T20:00:00.000Z', '2027-01-02T02:15:00.000Z'],
] as const)('a mute (%s) in %s from %s ends at %s', (choice, zone, now, end) =>
  expect(endOfMute(choice, zone, new Date(now))).toBe(end),
)
