import { describe, expect, test } from 'vitest'
import {
  befriend,
  createConversation,
  groupOf,
  kinds,
  listenAs,
  nobody,
  nonsense,
  say,
  userChannels,
  write,
} from '#tests/chat.ts'
import { dialects, rowsOf } from '#tests/harness.ts'

const cases = dialects.flatMap((dialect) => kinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('a $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => createConversation(dialect, kind)

  test('is answered, kept and told as it is', async () => {
    const { ann, ben, group, tries, hears, channel, events, from, ...place } = await open()
    const { heard } = listenAs(place)
    const { status, body } = await tries(ann, 'Hello', { client_id: 'c-1' })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const plain = { id: expect.any(Number), message: 'Hello', created_at: time, client_id: 'c-1' }
    const user = { id: ann.id, name: 'ann', profile_image: null }
    const shape =
      kind === 'private'
        ? { ...plain, from_user_id: ann.id, to_user_id: ben.id }
        : { ...plain, group_id: group, user_id: ann.id, user }
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'Message sent!', message: shape } })
    expect(body.message).toMatchObject({ images: [], edited_at: null, deleted_at: null })
    for (const who of [ann, ben]) expect(await hears(who)).toEqual([body.message])
    const told = kind === 'private' ? shape : { ...plain, groupId: group, userId: ann.id, user }
    expect(heard()).toMatchObject([{ event: events.sent, data: { ...told, id: body.message.id } }])
    expect(heard()[0]!.to.sort()).toEqual([...userChannels(ann, ben), channel].sort())
    expect(body.message[from]).toBe(ann.id)
  })

  test('is trimmed, and keeps its lines', async () => {
    const { ann, tries, hears } = await open()
    for (const [given, stored] of [
      ['  Hello \n', 'Hello'],
      ['\u3000こんにちは\u3000', 'こんにちは'],
      ['one\r\ntwo\n\n three', 'one\ntwo\n\n three'],
      ['<b>&amp;</b> \' " ; -- %', '<b>&amp;</b> \' " ; -- %'],
      ['\ud800 alone', '\ufffd alone'],
    ] as const) {
      expect((await tries(ann, given)).body.message.message).toBe(stored)
      expect((await hears(ann)).at(-1)).toMatchObject({ message: stored })
    }
  })

  test.each([['a'], ['あ'], ['😀'], ['\n']])(
    'has at most a thousand characters, as in %j',
    async (letter) => {
      const { ann, tries, hears, field, db } = await open()
      const text = (length: number) => `a${letter.repeat(length - 2)}z`
      expect(await tries(ann, text(1001))).toMatchObject({
        status: 422,
        body: {
          message: expect.stringContaining('1000'),
          errors: { [field]: [expect.stringContaining('1000')] },
        },
      })
      expect(await rowsOf(db, 'messages')).toEqual([])
      expect((await tries(ann, ` ${text(1000)} `)).status).toBe(200)
      expect(await hears(ann)).toMatchObject([{ message: text(1000) }])
    },
  )

  test('that says nothing is refused, as is one that is no text', async () => {
    const { ann, tries, field, db, ...place } = await open()
    const { heard } = listenAs(place)
    for (const text of ['', '  ', '\u3000\n', null, undefined, 5, true, {}, ['Hello'], 'nul\0'])
      expect(await tries(ann, text), JSON.stringify(text)).toMatchObject({
        status: 422,
        body: { message: expect.any(String), errors: { [field]: [expect.any(String)] } },
      })
    expect(await rowsOf(db, 'messages')).toEqual([])
    expect(heard()).toEqual([])
  })

  test('may name its target by a string of digits, and by nothing else', async () => {
    const { ann, ben, tries, target, key, db } = await open()
    expect((await tries(ann, 'Hello', { [target]: String(key(ann)) })).status).toBe(200)
    expect((await tries(ben, 'Hello', { [target]: ` ${key(ben)} ` })).status).toBe(200)
    for (const id of [
      ...nonsense,
      '',
      null,
      undefined,
      [key(ann)],
      { id: key(ann) },
      `${key(ann)}x`,
      -1,
      1.5,
    ])
      expect(await tries(ann, 'Hello', { [target]: id }), JSON.stringify(id)).toMatchObject({
        status: 422,
        body: { errors: { [target]: {} } },
      })
    expect((await tries(ann, 'Hello', { [target]: nobody })).status).toBe(kind === 'private' ? 404 : 403)
    expect(await rowsOf(db, 'messages')).toHaveLength(2)
  })

  test('takes no field that is not the sender’s to set', async () => {
    const { ann, ben, eve, tries, hears, from } = await open()
    const [long, forged] = [
      '2001-01-01T00:00:00.000Z',
      { id: 77, user_id: eve.id, from_user_id: eve.id, to_user_id: eve.id },
    ]
    const { body } = await tries(ann, 'Mine', {
      ...forged,
      created_at: long,
      edited_at: long,
      deleted_at: long,
      conversation_id: 9,
    })
    expect(body.message).toMatchObject({ [from]: ann.id, edited_at: null, deleted_at: null, message: 'Mine' })
    expect(body.message.created_at > '2020').toBe(true)
    expect(await hears(ben)).toEqual([body.message])
  })

  test('that is sent again is stored and told once, and answered the same', async () => {
    const { ann, ben, tries, hears, events, ...place } = await open()
    const { heard } = listenAs(place)
    const first = await tries(ann, 'Hello', { client_id: 'c-1' })
    expect(await tries(ann, 'Hello', { client_id: 'c-1' })).toMatchObject({ status: 200, body: first.body })
    // The id alone decides: the same id with another text is the same message.
    expect((await tries(ann, 'Other words', { client_id: ' c-1 ' })).body).toEqual(first.body)
    expect(await hears(ben)).toEqual([first.body.message])
    expect(heard(events.sent)).toHaveLength(1)
    // Without an id, every message is one of its own.
    for (const client_id of [undefined, null, '', ' ']) await tries(ann, 'Hello', { client_id })
    expect(await hears(ben)).toHaveLength(5)
  })

  test('that is sent twenty times at one moment is stored and told once', async () => {
    const { ann, ben, tries, hears, events, ...place } = await open()
    const { heard } = listenAs(place)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tries(ann, 'Hello', { client_id: 'c-1' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await hears(ben)).toEqual([answers[0]!.body.message])
    expect(heard(events.sent)).toHaveLength(1)
  })

  test('shares its client’s id with messages of others and of other chats', async () => {
    const { ann, ben, eve, says, hears } = await open()
    const client_id = 'c-1'
    const ids = [await says(ann, 'One', { client_id }), await says(ben, 'Two', { client_id })].map(
      ({ id }) => id,
    )
    await befriend(ann, eve)
    ids.push((await write(ann, eve, 'Three', { client_id })).id)
    ids.push((await say(ann, await groupOf(ann, 'Another'), 'Four', { client_id })).id)
    expect(new Set(ids).size).toBe(4)
    expect(await hears(ann)).toMatchObject([
      { message: 'One', client_id },
      { message: 'Two', client_id },
    ])
  })

  test('has a client’s id of at most 64 characters', async () => {
    const { ann, tries } = await open()
    expect((await tries(ann, 'Hello', { client_id: 'c'.repeat(64) })).status).toBe(200)
    for (const client_id of ['c'.repeat(65), 7, {}, ['c']])
      expect(await tries(ann, 'Hello', { client_id })).toMatchObject({
        status: 422,
        body: { errors: { client_id: [expect.any(String)] } },
      })
  })
})
