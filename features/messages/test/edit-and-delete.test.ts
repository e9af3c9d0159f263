import { describe, expect, test } from 'vitest'
import {
  conversationKinds,
  conversationScene,
  invalidIds,
  spyOnBroadcasts,
  UNUSED_ID,
  userChannels,
} from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(cases)('a stored $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)

  test('can be edited by its author, and gets an edit time', async () => {
    const { ann, ben, sendMessage, editMessage, readHistory, channel, events, ...testApp } = await open()
    const before = await sendMessage(ann, 'Helo', { client_id: 'c-1' })
    const { recorded } = spyOnBroadcasts(testApp)
    const { status, body } = await editMessage(ann, before.id, '  Hello ')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: before.id, message: 'Hello', edited_at: time, deleted_at: null },
    })
    const after = { ...before, message: 'Hello', edited_at: body.edited_at }
    for (const who of [ann, ben]) expect(await readHistory(who)).toEqual([after])
    const { message, id, client_id, created_at, edited_at } = after
    expect(recorded()).toMatchObject([
      { event: events.changed, data: { id, message, client_id, created_at, edited_at, deleted_at: null } },
    ])
    expect(recorded()[0]!.to.sort()).toEqual([...userChannels(ann, ben), channel].sort())
  })

  test('can be deleted by its author; an empty message remains', async () => {
    const { ann, ben, sendMessage, editMessage, deleteMessage, readHistory, channel, events, ...testApp } =
      await open()
    const [before, other] = [await sendMessage(ann, 'Oops'), await sendMessage(ben, 'What?')]
    await editMessage(ann, before.id, 'Ooops')
    const { recorded } = spyOnBroadcasts(testApp)
    const { status, body } = await deleteMessage(ann, before.id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: before.id, message: '', deleted_at: time },
    })
    for (const who of [ann, ben]) {
      const [tombstone, after] = await readHistory(who)
      expect(tombstone).toEqual({ ...before, message: '', edited_at: null, deleted_at: body.deleted_at })
      expect(after).toEqual(other)
    }
    expect(recorded()).toMatchObject([
      {
        event: events.changed,
        data: { id: before.id, message: '', images: [], deleted_at: body.deleted_at },
      },
    ])
    expect(recorded()[0]!.to).toContain(channel)
  })

  test('stays deleted after its deletion', async () => {
    const { ann, sendMessage, editMessage, deleteMessage, readHistory, trySend } = await open()
    const { id } = await sendMessage(ann, 'Oops', { client_id: 'c-1' })
    const first = await deleteMessage(ann, id)
    expect((await editMessage(ann, id, 'Back again')).status).toBe(404)
    expect(await deleteMessage(ann, id)).toMatchObject({ status: 200, body: first.body })
    // Sending a deleted message again with the same client id returns the deleted message, and does not
    // restore it.
    expect((await trySend(ann, 'Oops', { client_id: 'c-1' })).body.message).toMatchObject({
      id,
      message: '',
      deleted_at: time,
    })
    expect(await readHistory(ann)).toMatchObject([{ id, message: '', deleted_at: first.body.deleted_at }])
  })

  test('cannot be changed by anybody else', async () => {
    const { ann, ben, eve, sendMessage, editMessage, deleteMessage, readHistory, ...testApp } = await open()
    const mine = await sendMessage(ben, 'Mine')
    const { recorded } = spyOnBroadcasts(testApp)
    for (const who of [ann, eve]) {
      expect((await editMessage(who, mine.id, 'Yours')).status).toBe(404)
      expect((await deleteMessage(who, mine.id)).status).toBe(404)
    }
    expect((await editMessage(ben, UNUSED_ID, 'x')).status).toBe(404)
    expect((await deleteMessage(ben, UNUSED_ID)).status).toBe(404)
    for (const id of invalidIds)
      expect([(await editMessage(ben, id, 'x')).status, (await deleteMessage(ben, id)).status], id).toEqual([
        422, 422,
      ])
    expect(await readHistory(ann)).toEqual([mine])
    expect(recorded()).toEqual([])
  })

  test('is validated when it is edited, as a new message is', async () => {
    const { ann, sendMessage, editMessage, readHistory } = await open()
    const before = await sendMessage(ann, 'Hello')
    for (const message of ['', ' \n', null, undefined, 5, ['x'], 'a'.repeat(1001), '😀'.repeat(1001)])
      expect(await editMessage(ann, before.id, message)).toMatchObject({
        status: 422,
        body: { errors: { message: [expect.any(String)] } },
      })
    expect(await readHistory(ann)).toEqual([before])
    expect((await editMessage(ann, before.id, '😀'.repeat(1000))).status).toBe(200)
    const forged = {
      message: 'Hi',
      id: 1,
      user_id: 2,
      created_at: '2001-01-01T00:00:00.000Z',
      deleted_at: '2001-01-01T00:00:00.000Z',
    }
    expect((await ann.send('PUT', `/api/chat-messages/${before.id}`, forged)).status).toBe(200)
    expect(await readHistory(ann)).toMatchObject([{ ...before, message: 'Hi', edited_at: time }])
  })

  test('gets no edit time when it is edited to the same text', async () => {
    const { ann, sendMessage, editMessage, readHistory } = await open()
    const before = await sendMessage(ann, 'Hello')
    expect((await editMessage(ann, before.id, 'Hello')).status).toBe(200)
    expect(await readHistory(ann)).toEqual([before])
  })

  test('cannot be changed by an author who has lost access to the chat', async () => {
    const { ann, ben, group, sendMessage, editMessage, deleteMessage, readHistory } = await open()
    const before = await sendMessage(ben, 'Mine')
    if (kind === 'private') await ben.delete(`/api/unfollow/${ann.id}`)
    else await ben.post(`/api/groups/${group}/leave`)
    expect((await editMessage(ben, before.id, 'Changed')).status).toBe(403)
    expect((await deleteMessage(ben, before.id)).status).toBe(403)
    expect(await readHistory(ann)).toEqual([before])
  })

  test('is deleted and empty after concurrent edits and a deletion', async () => {
    const { ann, sendMessage, editMessage, deleteMessage, readHistory } = await open()
    for (let round = 0; round < 15; round++) {
      const { id } = await sendMessage(ann, 'Secret')
      const answers = await Promise.all([
        editMessage(ann, id, 'Secret 1'),
        deleteMessage(ann, id),
        editMessage(ann, id, 'Secret 2'),
        editMessage(ann, id, 'Secret 3'),
      ])
      expect(answers[1]).toMatchObject({ status: 200, body: { message: '' } })
      for (const { status } of answers) expect([200, 404]).toContain(status)
      expect((await readHistory(ann, '?limit=1'))[0]).toMatchObject({
        id,
        message: '',
        edited_at: null,
        deleted_at: time,
      })
    }
  })

  test('is last broadcast with its stored text after concurrent edits', async () => {
    const { ann, sendMessage, editMessage, readHistory, events, ...testApp } = await open()
    const { id } = await sendMessage(ann, '0')
    const { recorded } = spyOnBroadcasts(testApp)
    await Promise.all(Array.from({ length: 20 }, (_, i) => editMessage(ann, id, `${i + 1}`)))
    const [stored] = await readHistory(ann)
    expect(recorded(events.changed).at(-1)!.data.message).toBe(stored!.message)
  })
})
