import { describe, expect, test, vi } from 'vitest'
import { conversationKinds, conversationScene, createGroup } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'

/**
 * Records the domain events that the app emits from now on, with their data. Leaves out the events about
 * notifications, which are consequences of the events of chat.
 */
function recordEvents({ context }: Pick<TestApp, 'context'>) {
  const emit = vi.spyOn(context, 'emit')
  return () =>
    emit.mock.calls
      .splice(0)
      .filter(([, name]) => name !== 'notification.created')
      .map(([, name, data]) => [name, data])
}

describe.each(dialectsInTurn())('domain events of chat on %s', (dialect) => {
  test.each(conversationKinds)('announce each change of a %s message once', async (kind) => {
    const chat = await conversationScene(dialect, kind)
    const { ann } = chat
    const events = recordEvents(chat)
    const { id } = await chat.sendMessage(ann, 'Hello', { client_id: 'a' })
    const [{ conversation_id } = { conversation_id: 0 }] = await readRows(chat.db, 'messages')
    const message = { id, conversation_id, user_id: ann.id, is_group: kind === 'group' }
    const first_recipient_id = kind === 'private' ? chat.ben.id : null
    const created = { ...message, body: 'Hello', quoted_user_id: null, first_recipient_id }
    expect(events()).toEqual([['message.created', created]])

    await chat.sendMessage(ann, 'Hello', { client_id: 'a' })
    await chat.editMessage(ann, id, 'Hello')
    expect(events()).toEqual([])

    await chat.editMessage(ann, id, 'Good morning')
    expect(events()).toEqual([['message.edited', message]])
    await chat.deleteMessage(ann, id)
    expect(events()).toEqual([['message.deleted', message]])

    await chat.deleteMessage(ann, id)
    await chat.editMessage(ann, id, 'Too late')
    expect(events()).toEqual([])
  })

  test('announce each change of a group once', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben, eve } = await app.members('ann', 'ben', 'eve')
    const events = recordEvents(app)
    const group = await createGroup(ann, 'Club', ben, eve)
    const by = (actor: { id: number }) => ({ conversation_id: group, actor_id: actor.id })
    expect(events()).toEqual([
      ['group.created', by(ann)],
      ['group.member_added', { ...by(ann), user_id: ben.id }],
      ['group.member_added', { ...by(ann), user_id: eve.id }],
    ])

    await ann.post(`/api/groups/${group}/add-user`, { user_id: ben.id })
    await ann.send('PUT', `/api/groups/${group}`, { name: 'Club' })
    expect(events()).toEqual([])

    await ann.send('PUT', `/api/groups/${group}`, { name: 'Circle' })
    for (const seconds of [30, 30]) await ann.send('PUT', `/api/groups/${group}/slow-mode`, { seconds })
    await ben.post(`/api/groups/${group}/leave`)
    await ann.delete(`/api/groups/${group}/members/${eve.id}`)
    expect(events()).toEqual([
      ['group.renamed', { ...by(ann), by_owner: false }],
      ['group.slow_mode_changed', { ...by(ann), by_owner: false }],
      ['group.member_removed', { ...by(ben), user_id: ben.id, by_owner: false }],
      ['group.member_removed', { ...by(ann), user_id: eve.id, by_owner: false }],
    ])

    await ben.post(`/api/groups/${group}/leave`)
    await ann.delete(`/api/groups/${group}/members/${eve.id}`)
    expect(events()).toEqual([])
    await ann.delete(`/api/groups/${group}`)
    expect(events()).toEqual([
      ['group.deleted', { ...by(ann), by_owner: false, name: 'Circle', member_ids: [ann.id] }],
    ])
  })

  test('roll the change back when a listener throws', async () => {
    const chat = await conversationScene(dialect, 'group')
    vi.spyOn(chat.context, 'emit').mockRejectedValueOnce(new Error('A listener failed.'))
    expect((await chat.trySend(chat.ann, 'Hello')).status).toBe(500)
    expect(await readRows(chat.db, 'messages')).toEqual([])
  })
})
