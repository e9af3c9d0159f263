import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deletionScene, runDeletions } from '#tests/account-deletion.ts'
import {
  type Actor,
  befriend,
  createGroup,
  type SentMessage,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
} from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestAppOptions } from '#tests/harness.ts'

type Forwarded = SentMessage & { forwarded?: { from: { id: number; name: string } | null } }

const forward = (who: Actor, id: number, target: object) =>
  who.post(`/api/chat-messages/${id}/forward`, target)
const readGroup = async (who: Actor, group: number): Promise<Forwarded[]> =>
  (await who.get(`/api/group-messages/${group}`)).body
const readPrivate = async (who: Actor, other: Actor): Promise<Forwarded[]> =>
  (await who.get(`/api/messages/${other.id}`)).body

/**
 * Creates an app in which ann is the admin and all members but ida are in the group `club`. Ben and eve
 * follow each other, and so do eve and ida.
 */
async function open(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await createTestApp({ dialect, ...options })
  const people = await app.members('ann', 'ben', 'eve', 'ida')
  const { ann, ben, eve, ida } = people
  await befriend(ben, eve)
  await befriend(eve, ida)
  const club = await createGroup(ann, 'Club', ben, eve)
  return { ...app, ...people, club }
}

describe.each(dialectsInTurn())('forwarding a message on %s', (dialect) => {
  test('sends its text to a private chat and to a group, with the name of its author', async () => {
    const { ben, eve, ida, ann, club } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'The key is under the pot')
    const toGroup = await forward(eve, id, { group_id: club })
    expect(toGroup).toMatchObject({
      status: 200,
      body: { status: 'Message sent!', id: expect.any(Number) },
    })
    expect((await forward(eve, id, { user_id: ida.id })).status).toBe(200)
    const copy = { message: 'The key is under the pot', forwarded: { from: { id: ben.id, name: 'ben' } } }
    expect(await readGroup(ann, club)).toMatchObject([{ id: toGroup.body.id, user_id: eve.id, ...copy }])
    expect(await readPrivate(ida, eve)).toMatchObject([{ from_user_id: eve.id, ...copy }])
    expect(await readPrivate(eve, ben)).not.toMatchObject([{ forwarded: expect.anything() }])
  })

  test('of a copy names the author of the first message', async () => {
    const { ben, eve, ida, club } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'First')
    const { body } = await forward(eve, id, { group_id: club })
    await forward(eve, body.id, { user_id: ida.id })
    expect(await readPrivate(ida, eve)).toMatchObject([{ forwarded: { from: { id: ben.id } } }])
  })

  test('leaves the quote behind', async () => {
    const { ben, eve, club } = await open(dialect)
    const secret = await sendPrivate(ben, eve, 'Secret')
    const { id } = await sendPrivate(ben, eve, 'Answer', { quotes_id: secret.id })
    await forward(eve, id, { group_id: club })
    const [copy] = await readGroup(ben, club)
    expect(copy).toMatchObject({ message: 'Answer' })
    expect(copy).not.toHaveProperty('quoted')
    expect(JSON.stringify(copy)).not.toContain('Secret')
  })

  test('is stored once if the client sends it again', async () => {
    const { ben, eve, club } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'Once')
    const target = { group_id: club, client_id: 'copy-1' }
    const [one, two] = [await forward(eve, id, target), await forward(eve, id, target)]
    expect(two).toMatchObject({ status: 200, body: { id: one.body.id } })
    expect(await readGroup(ben, club)).toHaveLength(1)
  })

  test('needs one target', async () => {
    const { ben, eve, club } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'Where to?')
    for (const target of [{}, { user_id: ben.id, group_id: club }, { user_id: 'x' }, { group_id: -1 }])
      expect((await forward(eve, id, target)).status, JSON.stringify(target)).toBe(422)
  })

  test('cannot be edited, but deleted', async () => {
    const { ben, eve, club, db } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'Words of ben')
    const { body } = await forward(eve, id, { group_id: club })
    for (const message of ['Other words', 'Words of ben'])
      expect((await eve.put(`/api/chat-messages/${body.id}`, { message })).status).toBe(403)
    expect((await eve.delete(`/api/chat-messages/${body.id}`)).status).toBe(200)
    const [copy] = await readGroup(ben, club)
    expect(copy).toMatchObject({ message: '', deleted_at: expect.any(String) })
    expect(copy).not.toHaveProperty('forwarded')
    expect(await readRows(db, 'forwarded_messages')).toEqual([])
  })
})

describe.each(dialectsInTurn())('forwarding is refused on %s', (dialect) => {
  test('for messages that the member may not read', async () => {
    const { ann, ben, eve, ida, club } = await open(dialect)
    const other = await createGroup(ann, 'Other', ida)
    const { id } = await sendPrivate(ben, eve, 'Between us')
    const inClub = await sendToGroup(ben, club, 'In the club')
    expect((await forward(ann, id, { group_id: club })).status).toBe(404)
    expect((await forward(ida, inClub.id, { group_id: other })).status).toBe(404)
    expect((await forward(eve, UNUSED_ID, { group_id: club })).status).toBe(404)
    await eve.post(`/api/groups/${club}/leave`)
    expect((await forward(eve, inClub.id, { user_id: ida.id })).status).toBe(404)
    for (const group of [club, other])
      expect(await readGroup(ann, group)).toHaveLength(group === club ? 1 : 0)
  })

  test('for deleted and hidden messages, also to their authors', async () => {
    const { ben, eve, ida, club, db } = await open(dialect)
    const deleted = await sendToGroup(ben, club, 'Deleted')
    await ben.delete(`/api/chat-messages/${deleted.id}`)
    const hidden = await sendToGroup(eve, club, 'Hidden')
    await transaction(db, (tx) =>
      tx
        .updateTable('messages')
        .set({ hidden_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', hidden.id)
        .execute(),
    )
    for (const { id } of [deleted, hidden])
      expect((await forward(eve, id, { user_id: ida.id })).status).toBe(404)
    expect(await readPrivate(ida, eve)).toEqual([])
  })

  test.each(['block', 'mute'])('in groups for messages of people after a %s', async (verb) => {
    const { ben, eve, ida, club } = await open(dialect)
    const { id } = await sendToGroup(ben, club, 'From ben')
    await eve.post(`/api/users/${ben.id}/${verb}`)
    expect((await forward(eve, id, { user_id: ida.id })).status).toBe(404)
    expect(await readPrivate(ida, eve)).toEqual([])
  })

  test('to chats that the member cannot write in', async () => {
    const { ann, ben, eve, ida, club } = await open(dialect)
    const other = await createGroup(ann, 'Other', ida)
    const { id } = await sendPrivate(ben, eve, 'News')
    expect((await forward(eve, id, { group_id: other })).status).toBe(403)
    expect((await forward(eve, id, { group_id: UNUSED_ID })).status).toBe(403)
    // Eve cannot forward a message to ann, because she does not follow ann and has received no message from
    // her.
    expect((await forward(eve, id, { user_id: ann.id })).status).toBe(403)
    expect((await forward(eve, id, { user_id: UNUSED_ID })).status).toBe(404)
    await ida.post(`/api/users/${eve.id}/block`)
    expect((await forward(eve, id, { user_id: ida.id })).status).toBe(404)
    await ben.post(`/api/users/${eve.id}/block`)
    expect((await forward(eve, id, { group_id: club })).status).toBe(404)
  })

  test('while slow mode makes the member wait', async () => {
    const { ann, ben, eve, club } = await open(dialect)
    const { id } = await sendPrivate(ben, eve, 'Slowly')
    expect((await ann.put(`/api/groups/${club}/slow-mode`, { seconds: 60 })).status).toBe(200)
    expect((await forward(eve, id, { group_id: club })).status).toBe(200)
    expect(await forward(eve, id, { group_id: club })).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
    })
    expect(await readGroup(ann, club)).toHaveLength(1)
  })
})

describe.each(dialectsInTurn())('the author of a forwarded message on %s', (dialect) => {
  test('is hidden from viewers who may not see that person, also in live events', async () => {
    const { ann, ben, eve, ida, club, ...app } = await open(dialect)
    await ann.post(`/api/groups/${club}/add-user`, { user_id: ida.id })
    await ben.post(`/api/users/${ida.id}/block`)
    await ann.post(`/api/users/${ben.id}/mute`)
    const { id } = await sendPrivate(ben, eve, 'Who said it?')
    const { recorded } = spyOnBroadcasts(app)
    await forward(eve, id, { group_id: club })
    const named = { from: expect.objectContaining({ id: ben.id }) }
    const froms = async (who: Actor) => (await readGroup(who, club)).map(({ forwarded }) => forwarded)
    for (const who of [ben, eve]) expect(await froms(who)).toEqual([named])
    for (const who of [ida, ann]) expect(await froms(who)).toEqual([{ from: null }])
    const trace = { kind: 'message', id: expect.any(Number) }
    const shared = { unlessMuted: true, inGroup: true }
    const { calls } = (app.context.realtime.broadcast as unknown as { mock: { calls: unknown[][] } }).mock
    const sent = calls.filter(([, event]) => event === 'GroupMessageSent')
    const onlyFor = expect.any(Array)
    expect(sent.map(([, , data, options]) => [(data as Forwarded).forwarded, options])).toEqual([
      [named, { aboutUsers: [eve.id, ben.id], ...shared, onlyFor, trace }],
      [{ from: null }, { aboutUsers: [eve.id], ...shared, onlyFor, trace }],
    ])
    const viewers = sent.map(([, , , options]) => (options as { onlyFor: number[] }).onlyFor.toSorted())
    expect(viewers).toEqual([[ben.id, eve.id].toSorted(), [ann.id, ida.id].toSorted()])
    expect(recorded('GroupMessageSent')).toHaveLength(2)
  })

  test('is hidden in a private chat from the one who may not see that person', async () => {
    const { ben, eve, ida, ...app } = await open(dialect)
    await ben.post(`/api/users/${ida.id}/block`)
    const { id } = await sendPrivate(ben, eve, 'Who said it?')
    const { recorded } = spyOnBroadcasts(app)
    await forward(eve, id, { user_id: ida.id })
    expect(await readPrivate(ida, eve)).toMatchObject([{ forwarded: { from: null } }])
    expect(await readPrivate(eve, ida)).toMatchObject([{ forwarded: { from: { id: ben.id } } }])
    expect(recorded('PrivateMessageSent').map(({ data }) => data.forwarded.from?.id ?? null)).toEqual([
      ben.id,
      null,
    ])
    const { calls } = (app.context.realtime.broadcast as unknown as { mock: { calls: unknown[][] } }).mock
    expect(
      calls.filter(([, event]) => event === 'PrivateMessageSent').map(([, , , options]) => options),
    ).toMatchObject([{ onlyFor: [eve.id] }, { onlyFor: [ida.id] }])
  })

  test('is forgotten with the account, and the copy stays', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, leaver, group, db } = community
    const [hello] = (await ann.get(`/api/messages/${leaver.id}`)).body.filter(
      ({ from_user_id }: { from_user_id: number }) => from_user_id === leaver.id,
    )
    expect((await forward(ann, hello.id, { group_id: group })).status).toBe(200)
    expect((await readGroup(ben, group)).at(-1)).toMatchObject({ forwarded: { from: { id: leaver.id } } })
    await leaver.send('DELETE', '/api/account', { messages: 'delete' })
    await runDeletions(community)
    expect((await readGroup(ben, group)).at(-1)).toMatchObject({
      message: 'hello ann',
      forwarded: { from: null },
    })
    expect(await readRows(db, 'forwarded_messages')).toMatchObject([{ author_id: null }])
  })

  test('is not named for a former member', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, leaver, group } = community
    await leaver.send('DELETE', '/api/account', { messages: 'keep' })
    await runDeletions(community)
    const [first] = await readGroup(ann, group)
    const { status } = await forward(ann, first!.id, { group_id: group })
    expect(status).toBe(200)
    expect((await readGroup(ben, group)).at(-1)).toMatchObject({
      message: 'to the club',
      forwarded: { from: null },
    })
  })
})

test('a mention in a forwarded message is only text for people outside of the chat', async () => {
  const { ben, eve, ida, club, db } = await open('sqlite')
  const { id } = await sendPrivate(ben, eve, 'Ask @ida')
  await forward(eve, id, { group_id: club })
  expect(await readRows(db, 'mentions')).toEqual([])
  expect((await ida.get('/api/notifications')).body).not.toMatchObject([{ kind: 'group_mention' }])
})
