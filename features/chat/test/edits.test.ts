import { describe, expect, test } from 'vitest'
import { createConversation, kinds, listenAs, nobody, nonsense, userChannels } from '#tests/chat.ts'
import { dialects } from '#tests/harness.ts'

const cases = dialects.flatMap((dialect) => kinds.map((kind) => ({ dialect, kind })))
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(cases)('one’s own $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => createConversation(dialect, kind)

  test('can be edited, and says when', async () => {
    const { ann, ben, says, edits, hears, channel, events, ...place } = await open()
    const before = await says(ann, 'Helo', { client_id: 'c-1' })
    const { heard } = listenAs(place)
    const { status, body } = await edits(ann, before.id, '  Hello ')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: before.id, message: 'Hello', edited_at: time, deleted_at: null },
    })
    const after = { ...before, message: 'Hello', edited_at: body.edited_at }
    for (const who of [ann, ben]) expect(await hears(who)).toEqual([after])
    const { message, id, client_id, created_at, edited_at } = after
    expect(heard()).toMatchObject([
      { event: events.changed, data: { id, message, client_id, created_at, edited_at, deleted_at: null } },
    ])
    expect(heard()[0]!.to.sort()).toEqual([...userChannels(ann, ben), channel].sort())
  })

  test('can be deleted, and leaves a tombstone', async () => {
    const { ann, ben, says, edits, deletes, hears, channel, events, ...place } = await open()
    const [before, other] = [await says(ann, 'Oops'), await says(ben, 'What?')]
    await edits(ann, before.id, 'Ooops')
    const { heard } = listenAs(place)
    const { status, body } = await deletes(ann, before.id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: before.id, message: '', deleted_at: time },
    })
    for (const who of [ann, ben]) {
      const [tombstone, after] = await hears(who)
      expect(tombstone).toEqual({ ...before, message: '', edited_at: null, deleted_at: body.deleted_at })
      expect(after).toEqual(other)
    }
    expect(heard()).toMatchObject([
      {
        event: events.changed,
        data: { id: before.id, message: '', images: [], deleted_at: body.deleted_at },
      },
    ])
    expect(heard()[0]!.to).toContain(channel)
  })

  test('that is deleted stays so', async () => {
    const { ann, says, edits, deletes, hears, tries } = await open()
    const { id } = await says(ann, 'Oops', { client_id: 'c-1' })
    const first = await deletes(ann, id)
    expect((await edits(ann, id, 'Back again')).status).toBe(404)
    expect(await deletes(ann, id)).toMatchObject({ status: 200, body: first.body })
    // Nor does it come back by being sent again.
    expect((await tries(ann, 'Oops', { client_id: 'c-1' })).body.message).toMatchObject({
      id,
      message: '',
      deleted_at: time,
    })
    expect(await hears(ann)).toMatchObject([{ id, message: '', deleted_at: first.body.deleted_at }])
  })

  test('is changed by nobody else', async () => {
    const { ann, ben, eve, says, edits, deletes, hears, ...place } = await open()
    const mine = await says(ben, 'Mine')
    const { heard } = listenAs(place)
    for (const who of [ann, eve]) {
      expect((await edits(who, mine.id, 'Yours')).status).toBe(404)
      expect((await deletes(who, mine.id)).status).toBe(404)
    }
    expect((await edits(ben, nobody, 'x')).status).toBe(404)
    expect((await deletes(ben, nobody)).status).toBe(404)
    for (const id of nonsense)
      expect([(await edits(ben, id, 'x')).status, (await deletes(ben, id)).status], id).toEqual([422, 422])
    expect(await hears(ann)).toEqual([mine])
    expect(heard()).toEqual([])
  })

  test('is edited to what could have been sent, and to nothing else', async () => {
    const { ann, says, edits, hears } = await open()
    const before = await says(ann, 'Hello')
    for (const message of ['', ' \n', null, undefined, 5, ['x'], 'a'.repeat(1001), '😀'.repeat(1001)])
      expect(await edits(ann, before.id, message)).toMatchObject({
        status: 422,
        body: { errors: { message: [expect.any(String)] } },
      })
    expect(await hears(ann)).toEqual([before])
    expect((await edits(ann, before.id, '😀'.repeat(1000))).status).toBe(200)
    const forged = {
      message: 'Hi',
      id: 1,
      user_id: 2,
      created_at: '2001-01-01T00:00:00.000Z',
      deleted_at: '2001-01-01T00:00:00.000Z',
    }
    expect((await ann.send('PUT', `/api/chat-messages/${before.id}`, forged)).status).toBe(200)
    expect(await hears(ann)).toMatchObject([{ ...before, message: 'Hi', edited_at: time }])
  })

  test('that is edited to what it was has not been edited', async () => {
    const { ann, says, edits, hears } = await open()
    const before = await says(ann, 'Hello')
    expect((await edits(ann, before.id, 'Hello')).status).toBe(200)
    expect(await hears(ann)).toEqual([before])
  })

  test('is out of reach for one to whom the chat is closed', async () => {
    const { ann, ben, group, says, edits, deletes, hears } = await open()
    const before = await says(ben, 'Mine')
    if (kind === 'private') await ben.delete(`/api/unfollow/${ann.id}`)
    else await ben.post(`/api/groups/${group}/leave`)
    expect((await edits(ben, before.id, 'Changed')).status).toBe(403)
    expect((await deletes(ben, before.id)).status).toBe(403)
    expect(await hears(ann)).toEqual([before])
  })

  test('that is edited and deleted at one moment is deleted, words and all', async () => {
    const { ann, says, edits, deletes, hears } = await open()
    for (let round = 0; round < 15; round++) {
      const { id } = await says(ann, 'Secret')
      const answers = await Promise.all([
        edits(ann, id, 'Secret 1'),
        deletes(ann, id),
        edits(ann, id, 'Secret 2'),
        edits(ann, id, 'Secret 3'),
      ])
      expect(answers[1]).toMatchObject({ status: 200, body: { message: '' } })
      for (const { status } of answers) expect([200, 404]).toContain(status)
      expect((await hears(ann, '?limit=1'))[0]).toMatchObject({
        id,
        message: '',
        edited_at: null,
        deleted_at: time,
      })
    }
  })

  test('that is edited many times at one moment is told last as it is', async () => {
    const { ann, says, edits, hears, events, ...place } = await open()
    const { id } = await says(ann, '0')
    const { heard } = listenAs(place)
    await Promise.all(Array.from({ length: 20 }, (_, i) => edits(ann, id, `${i + 1}`)))
    const [stored] = await hears(ann)
    expect(heard(events.changed).at(-1)!.data.message).toBe(stored!.message)
  })
})
