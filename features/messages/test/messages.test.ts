import { describe, expect, test } from 'vitest'
import {
  befriend,
  conversationKinds,
  conversationScene,
  createGroup,
  invalidIds,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
  userChannels,
} from '#tests/conversations.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('a $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)

  // spec: 3.3, 3.5, 7.24, 7.28
  test('has the same shape in the response, the history and the event', async () => {
    const { ann, ben, group, trySend, readHistory, channel, events, from, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const { status, body } = await trySend(ann, 'Hello', { client_id: 'c-1' })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const plain = { id: expect.any(Number), message: 'Hello', created_at: time, client_id: 'c-1' }
    const user = { id: ann.id, name: 'ann', profile_image: null }
    const shape =
      kind === 'private'
        ? { ...plain, from_user_id: ann.id, to_user_id: ben.id }
        : { ...plain, group_id: group, user_id: ann.id, user }
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'Message sent!', message: shape } })
    expect(body.message).toMatchObject({ images: [], edited_at: null, deleted_at: null })
    for (const who of [ann, ben]) expect(await readHistory(who)).toEqual([body.message])
    const expectedData = kind === 'private' ? shape : { ...plain, groupId: group, userId: ann.id, user }
    expect(recorded()).toMatchObject([{ event: events.sent, data: { ...expectedData, id: body.message.id } }])
    expect(recorded()[0]!.to.sort()).toEqual([...userChannels(ann, ben), channel].sort())
    expect(body.message[from]).toBe(ann.id)
  })

  test('is trimmed, and keeps its line breaks', async () => {
    const { ann, trySend, readHistory } = await open()
    for (const [given, stored] of [
      ['  Hello \n', 'Hello'],
      ['\u3000こんにちは\u3000', 'こんにちは'],
      ['one\r\ntwo\n\n three', 'one\ntwo\n\n three'],
      ['<b>&amp;</b> \' " ; -- %', '<b>&amp;</b> \' " ; -- %'],
      ['\ud800 alone', '\ufffd alone'],
    ] as const) {
      expect((await trySend(ann, given)).body.message.message).toBe(stored)
      expect((await readHistory(ann)).at(-1)).toMatchObject({ message: stored })
    }
  })

  test.each([['a'], ['あ'], ['😀'], ['\n']])(
    'may have at most a thousand characters (%j)',
    async (letter) => {
      const { ann, trySend, readHistory, field, db } = await open()
      const text = (length: number) => `a${letter.repeat(length - 2)}z`
      expect(await trySend(ann, text(1001))).toMatchObject({
        status: 422,
        body: {
          message: expect.stringContaining('1000'),
          errors: { [field]: [expect.stringContaining('1000')] },
        },
      })
      expect(await readRows(db, 'messages')).toEqual([])
      expect((await trySend(ann, ` ${text(1000)} `)).status).toBe(200)
      expect(await readHistory(ann)).toMatchObject([{ message: text(1000) }])
    },
  )

  test('is refused when it is empty or not a text', async () => {
    const { ann, trySend, field, db, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    for (const text of ['', '  ', '\u3000\n', null, undefined, 5, true, {}, ['Hello'], 'nul\0'])
      expect(await trySend(ann, text), JSON.stringify(text)).toMatchObject({
        status: 422,
        body: { message: expect.any(String), errors: { [field]: [expect.any(String)] } },
      })
    expect(await readRows(db, 'messages')).toEqual([])
    expect(recorded()).toEqual([])
  })

  test('accepts its target id as a number or a string of digits only', async () => {
    const { ann, ben, trySend, target, targetId, db } = await open()
    expect((await trySend(ann, 'Hello', { [target]: String(targetId(ann)) })).status).toBe(200)
    expect((await trySend(ben, 'Hello', { [target]: ` ${targetId(ben)} ` })).status).toBe(200)
    for (const id of [
      ...invalidIds,
      '',
      null,
      undefined,
      [targetId(ann)],
      { id: targetId(ann) },
      `${targetId(ann)}x`,
      -1,
      1.5,
    ])
      expect(await trySend(ann, 'Hello', { [target]: id }), JSON.stringify(id)).toMatchObject({
        status: 422,
        body: { errors: { [target]: {} } },
      })
    expect((await trySend(ann, 'Hello', { [target]: UNUSED_ID })).status).toBe(kind === 'private' ? 404 : 403)
    expect(await readRows(db, 'messages')).toHaveLength(2)
  })

  test('ignores fields that the sender must not set', async () => {
    const { ann, ben, eve, trySend, readHistory, from } = await open()
    const [long, forged] = [
      '2001-01-01T00:00:00.000Z',
      { id: 77, user_id: eve.id, from_user_id: eve.id, to_user_id: eve.id },
    ]
    const { body } = await trySend(ann, 'Mine', {
      ...forged,
      created_at: long,
      edited_at: long,
      deleted_at: long,
      conversation_id: 9,
    })
    expect(body.message).toMatchObject({ [from]: ann.id, edited_at: null, deleted_at: null, message: 'Mine' })
    expect(body.message.created_at > '2020').toBe(true)
    expect(await readHistory(ben)).toEqual([body.message])
  })

  test('is stored and broadcast once when it is sent again, with the same response', async () => {
    const { ann, ben, trySend, readHistory, events, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const first = await trySend(ann, 'Hello', { client_id: 'c-1' })
    expect(await trySend(ann, 'Hello', { client_id: 'c-1' })).toMatchObject({ status: 200, body: first.body })
    // Sending another text with the same client id returns the first message, because the server compares
    // only the client ids.
    expect((await trySend(ann, 'Other words', { client_id: ' c-1 ' })).body).toEqual(first.body)
    expect(await readHistory(ben)).toEqual([first.body.message])
    expect(recorded(events.sent)).toHaveLength(1)
    // Without a client id, every sent message is stored, even if the text is the same.
    for (const client_id of [undefined, null, '', ' ']) await trySend(ann, 'Hello', { client_id })
    expect(await readHistory(ben)).toHaveLength(5)
  })

  test('is stored and broadcast once when it is sent twenty times at once', async () => {
    const { ann, ben, trySend, readHistory, events, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => trySend(ann, 'Hello', { client_id: 'c-1' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await readHistory(ben)).toEqual([answers[0]!.body.message])
    expect(recorded(events.sent)).toHaveLength(1)
  })

  test('may have the same client id as messages of others and of other chats', async () => {
    const { ann, ben, eve, sendMessage, readHistory } = await open()
    const client_id = 'c-1'
    const ids = [
      await sendMessage(ann, 'One', { client_id }),
      await sendMessage(ben, 'Two', { client_id }),
    ].map(({ id }) => id)
    await befriend(ann, eve)
    ids.push((await sendPrivate(ann, eve, 'Three', { client_id })).id)
    ids.push((await sendToGroup(ann, await createGroup(ann, 'Another'), 'Four', { client_id })).id)
    expect(new Set(ids).size).toBe(4)
    expect(await readHistory(ann)).toMatchObject([
      { message: 'One', client_id },
      { message: 'Two', client_id },
    ])
  })

  test('has a client id of at most 64 characters', async () => {
    const { ann, trySend } = await open()
    expect((await trySend(ann, 'Hello', { client_id: 'c'.repeat(64) })).status).toBe(200)
    for (const client_id of ['c'.repeat(65), 7, {}, ['c']])
      expect(await trySend(ann, 'Hello', { client_id })).toMatchObject({
        status: 422,
        body: { errors: { client_id: [expect.any(String)] } },
      })
  })
})
