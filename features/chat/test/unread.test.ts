import { describe, expect, test } from 'vitest'
import {
  befriend,
  createConversation,
  groupOf,
  kinds,
  listenAs,
  nobody,
  nonsense,
  openGroup,
  say,
  userChannels,
  write,
} from '#tests/chat.ts'
import { createTestApp, dialects } from '#tests/harness.ts'

const cases = dialects.flatMap((dialect) => kinds.map((kind) => ({ dialect, kind })))

describe.each(cases)('what is unread in a $kind chat on $dialect', ({ dialect, kind }) => {
  const open = () => createConversation(dialect, kind)

  test('is what others said, and nothing of one’s own', async () => {
    const { ann, ben, eve, says, unread, group } = await open()
    for (const text of ['1', '2', '3']) await says(ann, text)
    await says(ben, '4')
    expect([await unread(ann), await unread(ben), await unread(eve)]).toEqual([1, 3, 0])
    const { body } = await ben.get('/api/unread')
    expect(body).toEqual(
      kind === 'private' ? { private: { [ann.id]: 3 }, groups: {} } : { private: {}, groups: { [group]: 3 } },
    )
    expect((await eve.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
  })

  test('is read up to the message that was seen, and no further', async () => {
    const { ann, ben, says, reads, unread } = await open()
    const ids: number[] = []
    for (const text of ['1', '2', '3', '4']) ids.push((await says(ann, text)).id)
    expect(await reads(ben, ids[1])).toMatchObject({ status: 200, body: { unread: 2 } })
    expect(await unread(ben)).toBe(2)
    // Never back.
    expect((await reads(ben, ids[0])).body).toEqual({ unread: 2 })
    expect((await reads(ben, String(ids[2]))).body).toEqual({ unread: 1 })
    expect((await reads(ben, ids[1])).body).toEqual({ unread: 1 })
    expect((await reads(ben, ids[3])).body).toEqual({ unread: 0 })
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
    await says(ann, '5')
    expect(await unread(ben)).toBe(1)
  })

  test('is not read by looking, nor by others', async () => {
    const { ann, ben, eve, says, hears, reads, unread, history, conversation } = await open()
    const { id } = await says(ann, '1')
    await hears(ben)
    await ben.get(conversation(ben))
    await reads(ann, id)
    for (const path of [conversation(ann), conversation(ben)])
      expect((await eve.send('PUT', `${path}/read`, { last_read_id: id })).status).toBe(403)
    expect((await eve.get(history(ann))).status).toBe(403)
    expect(await unread(ben)).toBe(1)
  })

  test('cannot be read ahead', async () => {
    const { ann, ben, eve, says, reads, unread, conversation } = await open()
    const { id } = await says(ann, '1')
    expect((await reads(ben, nobody)).body).toEqual({ unread: 0 })
    expect((await ben.get(conversation(ben))).body.last_read_id).toBe(id)
    // A message of another chat reads what came before it.
    await befriend(ann, eve)
    await says(ann, '2')
    const foreign = await write(ann, eve, 'Elsewhere')
    await says(ann, '3')
    expect((await reads(ben, foreign.id)).body).toEqual({ unread: 1 })
    expect(await unread(ben)).toBe(1)
  })

  test('takes no id that is none, and no chat that is none', async () => {
    const { ann, ben, says, reads, unread } = await open()
    await says(ann, '1')
    for (const id of [...nonsense, '', null, undefined, {}])
      expect(await reads(ben, id), JSON.stringify(id)).toMatchObject({
        status: 422,
        body: { errors: { last_read_id: {} } },
      })
    const elsewhere = kind === 'private' ? `/api/conversations/${nobody}/read` : `/api/groups/${nobody}/read`
    expect((await ben.send('PUT', elsewhere, { last_read_id: 1 })).status).toBe(
      kind === 'private' ? 404 : 403,
    )
    expect(await unread(ben)).toBe(1)
  })

  test('is nothing after one’s own message, where everything had been read', async () => {
    const { ann, ben, says, reads, unread } = await open()
    const { id } = await says(ann, '1')
    await reads(ben, id)
    await says(ben, '2')
    await says(ben, '3')
    expect([await unread(ann), await unread(ben)]).toEqual([2, 0])
    await says(ann, '4')
    expect(await unread(ben)).toBe(1)
  })

  test('stays unread when one writes without having seen it', async () => {
    const { ann, ben, says, reads, unread } = await open()
    const first = await says(ann, '1')
    await says(ben, '2')
    await says(ann, '3')
    await says(ben, '4')
    expect(await unread(ben)).toBe(2)
    expect((await reads(ben, first.id)).body).toEqual({ unread: 1 })
  })

  test('does not count what was deleted, and counts what was edited once', async () => {
    const { ann, ben, says, edits, deletes, unread } = await open()
    const [one, two] = [await says(ann, '1'), await says(ann, '2')]
    await deletes(ann, one.id)
    await edits(ann, two.id, 'two')
    expect(await unread(ben)).toBe(1)
    await deletes(ann, two.id)
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
  })

  test('is counted up to a hundred', async () => {
    const { ann, ben, says, reads, unread } = await open()
    const sent = await Promise.all(Array.from({ length: 103 }, (_, i) => says(ann, `${i}`)))
    const ids = sent.map(({ id }) => id).sort((a, b) => a - b)
    expect(await unread(ben)).toBe(100)
    expect((await reads(ben, ids[1])).body).toEqual({ unread: 100 })
    expect((await reads(ben, ids[3])).body).toEqual({ unread: 99 })
  })

  test('is told to the chat as seen, and how much is left to the reader’s own windows alone', async () => {
    const { ann, ben, says, reads, channel, key, group, conversation, ...place } = await open()
    const [one, two] = [await says(ann, '1'), await says(ann, '2')]
    const { heard, forget } = listenAs(place)
    await reads(ben, one.id)
    const left = {
      userId: kind === 'private' ? ann.id : null,
      groupId: kind === 'private' ? null : group,
      unread: 1,
    }
    const told = [
      { to: [channel], event: 'MessagesRead', data: { user_id: ben.id, last_read_id: one.id } },
      { to: userChannels(ben), event: 'UnreadChanged', data: left },
    ]
    expect(heard()).toEqual(told)
    forget()
    // The same mark again changes nothing, so no event is sent.
    await reads(ben, one.id)
    expect(heard()).toEqual([])
    await reads(ben, two.id)
    expect(heard('UnreadChanged')).toMatchObject([{ data: { unread: 0 } }])
    const { body } = await ann.get(conversation(ann))
    if (kind === 'private') expect(body).toMatchObject({ seen_id: two.id })
    else expect(body.reads).toEqual([{ user_id: ben.id, last_read_id: two.id }])
    expect((await ben.get(conversation(ben))).body).toMatchObject({ last_read_id: two.id })
  })

  test('is read once, however many windows say so at one moment', async () => {
    const { ann, ben, says, reads, unread, ...place } = await open()
    const ids: number[] = []
    for (const text of ['1', '2', '3', '4', '5']) ids.push((await says(ann, text)).id)
    const { heard } = listenAs(place)
    const answers = await Promise.all([...ids, ...ids.toReversed(), ...ids].map((id) => reads(ben, id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await unread(ben)).toBe(0)
    const marks = heard('MessagesRead').map(({ data }) => data.last_read_id)
    expect(marks.at(-1)).toBe(ids.at(-1))
    expect(new Set(marks).size).toBe(marks.length)
    expect(heard('UnreadChanged').at(-1)!.data.unread).toBe(0)
  })
})

describe.each(dialects)('unread on %s', (dialect) => {
  test('is counted for each conversation by itself', async () => {
    const place = await createTestApp({ dialect })
    const { ann, ben, eve } = await place.members('ann', 'ben', 'eve')
    await befriend(ann, ben)
    await befriend(ann, eve)
    const [one, two] = [await groupOf(ann, 'One', ben, eve), await groupOf(ann, 'Two', ben)]
    for (const text of ['1', '2']) await write(ben, ann, text)
    await write(eve, ann, '1')
    for (const who of [ben, eve, ben]) await say(who, one, 'x')
    await say(ben, two, 'x')
    expect((await ann.get('/api/unread')).body).toEqual({
      private: { [ben.id]: 2, [eve.id]: 1 },
      groups: { [one]: 3, [two]: 1 },
    })
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: { [one]: 1 } })
    await ann.send('PUT', `/api/groups/${one}/read`, { last_read_id: nobody })
    expect((await ann.get('/api/unread')).body).toEqual({
      private: { [ben.id]: 2, [eve.id]: 1 },
      groups: { [two]: 1 },
    })
  })

  test('begins with the group itself for one who is added, and ends with leaving it', async () => {
    const { ann, ben, eve, group, says } = await createConversation(dialect, 'group')
    await says(ann, '1')
    const add = (id: number) => ann.post(`/api/groups/${group}/add-user`, { user_id: id })
    const unread = async () => (await eve.get('/api/unread')).body.groups
    const isNew = async () => (await eve.get(`/api/groups/${group}`)).body.is_new
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    expect(await isNew()).toBe(true)
    await says(ben, '2')
    expect(await unread()).toEqual({ [group]: 2 })
    await openGroup(eve, group)
    expect(await unread()).toEqual({ [group]: 1 })
    expect(await isNew()).toBe(false)
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    await eve.post(`/api/groups/${group}/leave`)
    expect(await unread()).toEqual({})
    await says(ben, '3')
    await add(eve.id)
    expect(await unread()).toEqual({ [group]: 1 })
    // To write is to have opened it.
    await says(eve, '4')
    expect(await unread()).toEqual({})
    expect((await ben.get('/api/unread')).body.groups).toEqual({ [group]: 2 })
  })

  test('of a new group is told to the windows of the member who opens it, once', async () => {
    const place = await createTestApp({ dialect })
    const { ann, ben, eve } = await place.members('ann', 'ben', 'eve')
    const group = await groupOf(ann, 'Club', ben)
    const { heard } = listenAs(place)
    await openGroup(ben, group)
    await openGroup(ben, group)
    expect(heard('UnreadChanged')).toEqual([
      { to: userChannels(ben), event: 'UnreadChanged', data: { userId: null, groupId: group, unread: 0 } },
    ])
    // A creator has opened it, and a stranger cannot.
    expect((await ann.get('/api/unread')).body.groups).toEqual({})
    const answer = await eve.send('PUT', `/api/groups/${group}/read`, { last_read_id: 0 })
    expect(answer.status).toBe(403)
  })
})
