import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  conversationKinds,
  conversationScene,
  createGroup,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
} from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('a quote in a $kind chat on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)
  const image = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')

  test('is in the response, the history and the event', async () => {
    const chat = await open()
    const { ann, ben } = chat
    const first = await chat.sendMessage(ann, 'Shall we meet?')
    const { recorded } = spyOnBroadcasts(chat)
    const { status, body } = await chat.trySend(ben, 'Yes', { quotes_id: first.id })
    const quoted = {
      id: first.id,
      user: { id: ann.id, name: 'ann', profile_image: null },
      ...{ text: 'Shall we meet?', images_count: 0, deleted_at: null },
    }
    expect({ status, body }).toMatchObject({ status: 200, body: { message: { message: 'Yes', quoted } } })
    for (const who of [ann, ben]) expect((await chat.readHistory(who)).at(-1)).toMatchObject({ quoted })
    expect(recorded()).toMatchObject([{ event: chat.events.sent, data: { message: 'Yes', quoted } }])
    expect(body.message.quoted).toEqual(quoted)
    expect(await chat.readHistory(ann)).not.toMatchObject([{ quoted: expect.anything() }, {}])
  })

  test('is sent with a form, shortened, and counts pictures', async () => {
    const chat = await open()
    const { ann, ben } = chat
    const long = await chat.sendMessage(ann, 'あ'.repeat(500))
    const { body } = await chat.trySendPictures(ben, [await image()], { quotes_id: String(long.id) })
    expect(body.message.quoted.text).toBe('あ'.repeat(160))
    const family = await chat.sendMessage(ann, `${'a'.repeat(157)}👨‍👩‍👧‍👦 and more`)
    const cut = await chat.trySend(ann, 'Family', { quotes_id: family.id })
    expect(cut.body.message.quoted.text).toBe('a'.repeat(157))
    const answer = await chat.trySend(ann, 'Nice', { quotes_id: body.message.id })
    expect(answer.body.message.quoted).toMatchObject({ text: '', images_count: 1 })
    const plain = await chat.trySend(ann, 'Plain', { quotes_id: null })
    expect(plain.body.message).not.toHaveProperty('quoted')
  })

  test('follows the quoted message: edits, deletion, and a decision of a moderator', async () => {
    const chat = await open()
    const { ann, ben, db } = chat
    const first = await chat.sendMessage(ann, 'One')
    await chat.sendMessage(ben, 'Answer', { quotes_id: first.id })
    const quote = async (who: typeof ann) =>
      ((await chat.readHistory(who)).at(-1) as unknown as { quoted: object }).quoted
    await chat.editMessage(ann, first.id, 'Two')
    expect(await quote(ben)).toMatchObject({ text: 'Two' })
    const hide = (hidden_at: string | null) =>
      transaction(db, (tx) =>
        tx.updateTable('messages').set({ hidden_at }).where('id', '=', first.id).execute(),
      )
    await hide('2026-01-01T00:00:00.000Z')
    expect(await quote(ann)).toMatchObject({ text: 'Two', deleted_at: null })
    expect(await quote(ben)).toMatchObject({ text: '', deleted_at: '2026-01-01T00:00:00.000Z' })
    const { recorded } = spyOnBroadcasts(chat)
    const hidden = await chat.trySend(ann, 'Hidden', { quotes_id: first.id })
    expect(hidden).toMatchObject({ status: 422, body: { errors: { quotes_id: [expect.any(String)] } } })
    expect(recorded()).toEqual([])
    await hide(null)
    await chat.deleteMessage(ann, first.id)
    for (const who of [ann, ben])
      expect(await quote(who)).toMatchObject({ text: '', deleted_at: expect.any(String) })
  })

  test('of a deleted message disappears with its text', async () => {
    const chat = await open()
    const { ann, ben } = chat
    const first = await chat.sendMessage(ann, 'One')
    const answer = await chat.sendMessage(ben, 'Answer', { quotes_id: first.id })
    const { recorded } = spyOnBroadcasts(chat)
    await chat.deleteMessage(ben, answer.id)
    expect((await chat.readHistory(ann)).at(-1)).not.toHaveProperty('quoted')
    expect(recorded()[0]!.data).not.toHaveProperty('quoted')
  })

  test('is refused for messages that are not in the conversation', async () => {
    const chat = await open()
    const { ann, ben, eve } = chat
    const club = await createGroup(ann, 'Other club', eve)
    const elsewhere = await sendToGroup(ann, club, 'Elsewhere')
    await eve.post(`/api/follow/${ann.id}`)
    const secret = await sendPrivate(eve, ann, 'Secret')
    const last = await chat.sendMessage(ann, 'Last')
    for (const quotes_id of [elsewhere.id, secret.id, UNUSED_ID, last.id + 1, last.id + 2]) {
      expect((await chat.trySend(ben, 'Answer', { quotes_id })).status, String(quotes_id)).toBe(422)
      expect((await chat.trySend(ann, 'Answer', { quotes_id })).status, String(quotes_id)).toBe(422)
    }
    for (const quotes_id of ['x', -1, 1.5, [last.id]])
      expect((await chat.trySend(ben, 'Answer', { quotes_id })).status, String(quotes_id)).toBe(422)
    expect((await chat.readHistory(ben)).map(({ message }) => message)).toEqual(['Last'])
  })

  test('is stored once for a repeated message, also after the quoted message was removed', async () => {
    const chat = await open()
    const { ann, ben, db } = chat
    const first = await chat.sendMessage(ann, 'One')
    const send = () => chat.sendMessage(ben, 'Answer', { quotes_id: first.id, client_id: 'a' })
    const { id } = await send()
    await transaction(db, (tx) => tx.deleteFrom('messages').where('id', '=', first.id).execute())
    expect(await send()).toMatchObject({ id, message: 'Answer' })
    const history = await chat.readHistory(ann)
    expect(history).toMatchObject([{ id }])
    expect(history[0]).not.toHaveProperty('quoted')
  })
})

describe.each(dialectsInTurn())('a quote in a group on %s', (dialect) => {
  type Chat = Awaited<ReturnType<typeof conversationScene>>
  /** Creates a chat app, adds eve to the group, and lets ben reply to a message of eve. */
  async function openWithEve() {
    const chat = await conversationScene(dialect, 'group')
    const { ann, eve, group } = chat
    await ann.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const first = await sendToGroup(eve, group, 'Words of Eve')
    return { ...chat, first }
  }
  const readLast = async (chat: Chat, who: Chat['ann']) =>
    (await chat.readHistory(who)).at(-1) as unknown as { id: number; message: string; quoted?: object }

  test.each(['blocks', 'mutes'] as const)('of a person whom the viewer %s is a note', async (verb) => {
    const chat = await openWithEve()
    const { ann, ben, eve, first } = chat
    await chat.sendMessage(ben, 'Answer', { quotes_id: first.id })
    await ann.post(`/api/users/${eve.id}/${verb === 'blocks' ? 'block' : 'mute'}`)
    expect(await readLast(chat, ann)).toMatchObject({
      message: 'Answer',
      quoted: {
        ...{ id: first.id, text: '', images_count: 0, deleted_at: null },
        user: { id: 0, name: '' },
        [verb === 'blocks' ? 'is_blocked' : 'is_muted']: true,
      },
    })
    expect((await chat.trySend(ann, 'Answer', { quotes_id: first.id })).status).toBe(422)
    expect((await chat.trySend(ben, 'Answer', { quotes_id: first.id })).status).toBe(200)
  })

  test('of a person who has blocked the viewer is left out', async () => {
    const chat = await openWithEve()
    const { ann, ben, eve, first } = chat
    await chat.sendMessage(ben, 'Answer', { quotes_id: first.id })
    await eve.post(`/api/users/${ann.id}/block`)
    const last = await readLast(chat, ann)
    expect(last).toMatchObject({ message: 'Answer' })
    expect(last).not.toHaveProperty('quoted')
    expect((await chat.trySend(ann, 'Answer', { quotes_id: first.id })).status).toBe(422)
  })

  test('is left out of the live events of those who do not see its author', async () => {
    const chat = await openWithEve()
    const { ann, ben, eve, first, group } = chat
    await eve.post(`/api/users/${ann.id}/block`)
    const { recorded } = spyOnBroadcasts(chat)
    await chat.sendMessage(ben, 'Answer', { quotes_id: first.id })
    const [whole, reduced] = recorded('GroupMessageSent')
    expect(whole!.data).toMatchObject({ message: 'Answer', quoted: { text: 'Words of Eve' } })
    expect(reduced!.data).toMatchObject({ message: 'Answer', groupId: group })
    expect(reduced!.data).not.toHaveProperty('quoted')
    const { calls } = (chat.context.realtime.broadcast as unknown as { mock: { calls: unknown[][] } }).mock
    const messageCalls = calls.filter(([, event]) => event === 'GroupMessageSent')
    expect(messageCalls.map(([, , , options]) => options)).toMatchObject([
      { aboutUsers: [ben.id, eve.id], unlessMuted: true },
      { aboutUsers: [ben.id], unlessMuted: true, onlyFor: [ann.id] },
    ])
  })
})
