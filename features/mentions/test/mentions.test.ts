import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { jsonOfExport, makeExport } from '../../export/test/exports.ts'

type Member = TestClient & { id: number }

async function startMentionTestApp(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo', 'Dan')
  const emit = vi.spyOn(app.context, 'emit')
  /**
   * Returns the events `mention.created` (+) and `mention.deleted` (-) that were emitted since the last call,
   * as texts such as `+ post 1 of Ben by Ann`.
   */
  const announced = () => {
    const names = new Map(Object.entries(people).map(([name, { id }]) => [id, name]))
    const found = emit.mock.calls.flatMap(([, name, event]) => {
      if (name !== 'mention.created' && name !== 'mention.deleted') return []
      const { source, source_id, user_id, mentioned_id } = event as Record<string, number>
      const sign = name === 'mention.created' ? '+' : '-'
      return `${sign} ${source} ${source_id} of ${names.get(mentioned_id!)} by ${names.get(user_id!)}`
    })
    emit.mockClear()
    return found.sort()
  }
  return { ...app, ...people, announced }
}

async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}
const post = async (author: Member, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post('/api/posts', { text, ...more }))).post.id
const reply = async (author: Member, id: number, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post(`/api/posts/${id}/replies`, { text, ...more }))).reply.id

describe.each(dialectsInTurn())('mentions on %s', (dialect) => {
  test('are stored for members who exist and see the post, once each, and not for the author', async () => {
    const { Ann, announced } = await startMentionTestApp(dialect)
    const id = await post(Ann, '@ann @ben, @BEN and ＠cleoさんへ, not @nobody, x@dan.example')
    expect(announced()).toEqual([`+ post ${id} of Ben by Ann`, `+ post ${id} of Cleo by Ann`])
    await succeed(Ann.delete(`/api/posts/${id}`))
    expect(announced()).toEqual([`- post ${id} of Ben by Ann`, `- post ${id} of Cleo by Ann`])
  })

  test('are stored once if the request is repeated', async () => {
    const { Ann, announced } = await startMentionTestApp(dialect)
    const once = { client_id: 'same' }
    const id = await post(Ann, '@ben', once)
    expect(await post(Ann, '@ben', once)).toBe(id)
    expect(announced()).toEqual([`+ post ${id} of Ben by Ann`])
  })

  test('follow the audience of the post and blocks in both directions', async () => {
    const { Admin, Ann, Ben, Cleo, Dan, announced } = await startMentionTestApp(dialect)
    const all = '@admin @ben @cleo @dan'
    await succeed(Ben.post(`/api/follow/${Ann.id}`))
    const club = await createGroup(Admin, 'Club', Ann, Cleo)
    const some = await post(Ann, all, { audience: 'followers' })
    expect(announced()).toEqual([`+ post ${some} of Ben by Ann`])
    const group = await post(Ann, all, { audience: 'group', group_id: club })
    expect(announced()).toEqual([`+ post ${group} of Admin by Ann`, `+ post ${group} of Cleo by Ann`])
    await succeed(Ann.post(`/api/users/${Dan.id}/block`))
    await succeed(Ben.post(`/api/users/${Ann.id}/block`))
    const open = await post(Ann, all)
    expect(announced()).toEqual([`+ post ${open} of Admin by Ann`, `+ post ${open} of Cleo by Ann`])
  })

  test('in replies follow the edits, and leave out people who hear of the reply anyway', async () => {
    const { Ann, Ben, Cleo, Dan, announced } = await startMentionTestApp(dialect)
    const id = await post(Ann, 'Hi')
    const first = await reply(Ben, id, '@ann look')
    const second = await reply(Cleo, id, '@ann @ben @dan', { answers_id: first })
    expect(announced()).toEqual([`+ reply ${second} of Dan by Cleo`])
    await succeed(Cleo.put(`/api/replies/${second}`, { text: '@admin @ben' }))
    expect(announced()).toEqual([`+ reply ${second} of Admin by Cleo`, `- reply ${second} of Dan by Cleo`])
    await succeed(Cleo.put(`/api/replies/${second}`, { text: '@admin again' }))
    expect(announced()).toEqual([])
    await succeed(Ann.post(`/api/users/${Dan.id}/block`))
    await reply(Cleo, id, '@dan cannot see the post')
    expect(announced()).toEqual([])
    await succeed(Cleo.delete(`/api/replies/${second}`))
    expect(announced()).toEqual([`- reply ${second} of Admin by Cleo`])
    const last = await reply(Cleo, id, '@admin')
    announced()
    await succeed(Ann.delete(`/api/posts/${id}`))
    expect(announced()).toEqual([`- reply ${last} of Admin by Cleo`])
  })

  test('in chats are those of its members', async () => {
    const { Admin, Ann, Ben, Cleo, announced, db } = await startMentionTestApp(dialect)
    const club = await createGroup(Admin, 'Club', Ann, Ben)
    const { id } = await sendToGroup(Ann, club, '@ben @cleo')
    expect(announced()).toEqual([`+ message ${id} of Ben by Ann`])
    await succeed(Ann.put(`/api/chat-messages/${id}`, { message: '@admin' }))
    expect(announced()).toEqual([`+ message ${id} of Admin by Ann`, `- message ${id} of Ben by Ann`])
    await succeed(Ann.delete(`/api/chat-messages/${id}`))
    expect(announced()).toEqual([`- message ${id} of Admin by Ann`])
    await befriend(Ann, Cleo)
    const letter = await sendPrivate(Ann, Cleo, '@ben told @cleo')
    expect(announced()).toEqual([`+ message ${letter.id} of Cleo by Ann`])
    await sendToGroup(Ann, club, '@ben')
    await succeed(Admin.delete(`/api/groups/${club}`))
    expect(await readRows(db, 'mentions')).toHaveLength(1)
  })

  test('of a hidden post end until it is shown again', async () => {
    const { Admin, Ann, Ben, announced } = await startMentionTestApp(dialect)
    const id = await post(Ann, '@ben')
    await succeed(Ben.post('/api/reports', { kind: 'post', id, reason: 'spam' }))
    announced()
    const [{ id: open }] = (await Admin.get('/api/moderation/cases')).body
    await succeed(Admin.post(`/api/moderation/cases/${open}/decisions`, { action: 'hide', note: 'x' }))
    expect(announced()).toEqual([`- post ${id} of Ben by Ann`])
    await succeed(Admin.post(`/api/moderation/cases/${open}/decisions`, { action: 'restore', note: 'x' }))
    expect(announced()).toEqual([`+ post ${id} of Ben by Ann`])
  })

  test('end with the account of the author or of the mentioned member, and are exported', async () => {
    const { Ann, Ben, Cleo, context, db } = await startMentionTestApp(dialect)
    const id = await post(Ann, '@ben')
    const other = await post(Cleo, '@ben @ann')
    await reply(Ann, other, '@ben')
    const { files } = await makeExport(Ben)
    expect(jsonOfExport(files, 'data/mentions.json')).toMatchObject([
      { author: { name: 'Ann' } },
      { post_id: other, author: { name: 'Cleo' } },
      { post_id: id, author: { name: 'Ann' } },
    ])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ann.id, keep_messages: true }))
    expect(await readRows(db, 'mentions')).toEqual([
      expect.objectContaining({ post_id: other, mentioned_id: Ben.id }),
    ])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: false }))
    expect(await readRows(db, 'mentions')).toEqual([])
  })
})

describe.each(dialectsInTurn())('people to mention on %s', (dialect) => {
  const namesFor = async (who: TestClient, query: Record<string, string | number>) => {
    const found = await succeed(who.get(`/api/mention-candidates?${new URLSearchParams(query as never)}`))
    return found.map(({ name }: { name: string }) => name)
  }

  test('are found by name and handle, followed people first, without the member', async () => {
    const { Ann, Ben, Dan } = await startMentionTestApp(dialect)
    await succeed(Ann.post(`/api/follow/${Dan.id}`))
    expect(await namesFor(Ann, {})).toEqual(['Dan', 'Admin', 'Ben', 'Cleo'])
    expect(await namesFor(Ann, { q: 'Ｄ' })).toEqual(['Dan', 'Admin'])
    await succeed(Ben.post('/api/profile', { name: '田中 花', handle: 'hana' }))
    expect(await namesFor(Ann, { q: '花' })).toEqual(['田中 花'])
    expect(await namesFor(Ann, { q: 'HA' })).toEqual(['田中 花'])
    expect(await namesFor(Ann, { q: '%' })).toEqual([])
    expect(await namesFor(Ann, { q: 'ann' })).toEqual([])
  })

  test('are the members of a group or the other person of a chat, without blocked people', async () => {
    const { Admin, Ann, Ben, Cleo } = await startMentionTestApp(dialect)
    const club = await createGroup(Admin, 'Club', Ann, Ben)
    expect(await namesFor(Ann, { group: club })).toEqual(['Admin', 'Ben'])
    expect(await namesFor(Ann, { person: Cleo.id })).toEqual(['Cleo'])
    expect((await Cleo.get(`/api/mention-candidates?group=${club}`)).status).toBe(403)
    expect((await Cleo.get('/api/mention-candidates?group=99')).status).toBe(403)
    await succeed(Ben.post(`/api/users/${Ann.id}/block`))
    expect(await namesFor(Ann, { group: club })).toEqual(['Admin'])
    expect(await namesFor(Ann, { q: 'ben' })).toEqual([])
    expect(await namesFor(Ann, { person: Ben.id })).toEqual([])
  })

  test('are first those who take part: the latest authors of a group', async () => {
    const { Admin, Ann, Ben, Cleo, Dan } = await startMentionTestApp(dialect)
    const club = await createGroup(Admin, 'Club', Ann, Ben, Cleo, Dan)
    await succeed(Ann.post(`/api/follow/${Ben.id}`))
    for (const who of [Cleo, Dan, Cleo, Ann]) await sendToGroup(who, club, 'Hello')
    expect(await namesFor(Ann, { group: club })).toEqual(['Cleo', 'Dan', 'Ben', 'Admin'])
    const { id } = await sendToGroup(Admin, club, 'Hello')
    expect(await namesFor(Ann, { group: club })).toEqual(['Admin', 'Cleo', 'Dan', 'Ben'])
    await succeed(Admin.delete(`/api/chat-messages/${id}`))
    expect(await namesFor(Ann, { group: club })).toEqual(['Cleo', 'Dan', 'Ben', 'Admin'])
    // A name that begins with the search text comes before a name that only contains it.
    expect(await namesFor(Ann, { group: club, q: 'd' })).toEqual(['Dan', 'Admin'])
    expect(await namesFor(Ann, { q: '' })).toEqual(['Ben', 'Admin', 'Cleo', 'Dan'])
  })

  test('are first those who take part: the author of a post, then who replied last', async () => {
    const { Admin, Ann, Ben, Cleo, Dan } = await startMentionTestApp(dialect)
    const id = await post(Dan, 'Tea?')
    for (const who of [Ben, Cleo, Ben, Ann]) await reply(who, id, 'Yes')
    expect(await namesFor(Ann, { post: id })).toEqual(['Dan', 'Ben', 'Cleo', 'Admin'])
    await succeed(Cleo.post(`/api/users/${Ann.id}/block`))
    expect(await namesFor(Ann, { post: id })).toEqual(['Dan', 'Ben', 'Admin'])
    const club = await createGroup(Admin, 'Club', Ann, Ben, Dan)
    expect(await namesFor(Ann, { post: id, group: club })).toEqual(['Dan', 'Ben', 'Admin'])
    const refused = await Ann.get('/api/mention-candidates?post=999999')
    expect(refused.status).toBe(404)
    const forSome = await post(Cleo, 'Secret')
    expect(await Ann.get(`/api/mention-candidates?post=${forSome}`)).toMatchObject({
      status: 404,
      body: refused.body,
    })
  })

  test('have handles that lead only those to them who may see them', async () => {
    const { Ann, Ben, Cleo, visitor } = await startMentionTestApp(dialect)
    const path = '/api/handles?handles=ben,CLEO,nobody,,%2C'
    const ids = [
      { handle: 'ben', id: Ben.id },
      { handle: 'cleo', id: Cleo.id },
    ]
    expect(
      (await succeed(Ann.get(path))).toSorted((a: { id: number }, b: { id: number }) => a.id - b.id),
    ).toEqual(ids)
    await succeed(Ben.post(`/api/users/${Ann.id}/block`))
    expect(await succeed(Ann.get(path))).toEqual(ids.slice(1))
    expect((await visitor().get(path)).status).toBe(401)
    expect(await succeed(Ann.get('/api/handles'))).toEqual([])
  })
})
