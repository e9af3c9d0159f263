import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  contactState,
  createClub,
  followAs,
  guardianScene,
  sendMessage,
} from '#features/guardians/test/guardian-scene.ts'
import { type Actor, createGroup, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows } from '#tests/harness.ts'
import { nextName } from '../next-name.ts'

/** Ada is the admin. 5b has Oda, who owns it, Ben and Cas; 6b has Dan. Eva is in no group. */
async function scene(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Ada', 'Oda', 'Ben', 'Cas', 'Dan', 'Eva')
  const { Ada, Oda, Ben, Cas, Dan } = people
  await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
  const fifth = await createGroup(Oda, '5b', Ben, Cas)
  const sixth = await createGroup(Ada, '6b', Dan)
  const make = (lines: object[], who: Actor = Ada) => who.post('/api/admin/turns', { lines })
  return { ...app, ...people, fifth, sixth, make }
}

const groupsOf = async (who: Actor): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await who.get('/api/my-groups')).body.map(({ id, name, has_ended }: Listed) => [
      has_ended ? `${name} (ended)` : name,
      id,
    ]),
  )
interface Listed {
  id: number
  name: string
  has_ended?: true
}
const send = async (who: Actor, group_id: number) =>
  (await who.post('/api/group-messages/send', { group_id, message: 'Hello' })).status

describe.each(dialectsInTurn())('the turn of a year on %s', (dialect) => {
  test('lets groups go on under the next name, with leavers and newcomers, and keeps the old ones to read', async () => {
    const { Ada, Oda, Ben, Cas, Dan, Eva, fifth, sixth, make } = await scene(dialect)
    await send(Ben, fifth)
    const lines = [
      { group: fifth, name: '6b', leaving: [Cas.id], joining: [Eva.id] },
      { group: sixth, name: null },
    ]
    const preview = await Ada.post('/api/admin/turns/preview', { lines })
    expect(preview.body).toMatchObject([
      { group: { name: '5b' }, name: '6b', staying: 2, leaving: 1, joining: 1, owner: { name: 'Oda' } },
      { group: { name: '6b' }, name: null, staying: 0, leaving: 2, joining: 0, owner: null },
    ])
    expect(Object.keys(await groupsOf(Ben))).toEqual(['5b'])
    expect((await make(lines)).body).toMatchObject({ groups_count: 2, can_undo: true, user: { name: 'Ada' } })

    const ofBen = await groupsOf(Ben)
    expect(Object.keys(ofBen).sort()).toEqual(['5b (ended)', '6b'])
    expect(Object.keys(await groupsOf(Eva))).toEqual(['6b'])
    const all: Listed[] = (await Ada.get('/api/admin/groups')).body
    expect(all.map(({ name, has_ended }) => [name, has_ended])).toEqual([
      ['6b', undefined],
      ['6b', true],
      ['5b', true],
    ])
    expect(Object.keys(await groupsOf(Cas))).toEqual(['5b (ended)'])
    expect(await Promise.all([send(Oda, ofBen['6b']!), send(Eva, ofBen['6b']!)])).toEqual([200, 200])
    expect(await Promise.all([Oda, Ben, Cas].map((who) => send(who, fifth)))).toEqual([403, 403, 403])
    expect((await Cas.get(`/api/groups/${fifth}`)).body).toMatchObject({ cannot_write: true, name: '5b' })
    expect((await Cas.get(`/api/group-messages/${fifth}`)).body).toMatchObject([{ message: 'Hello' }])
    expect((await Eva.get(`/api/groups/${fifth}`)).status).toBe(403)
    expect((await Oda.post(`/api/groups/${fifth}/add-user`, { user_id: Dan.id })).status).toBe(403)
    const post = { text: 'Hello', audience: 'group', group_id: fifth }
    expect((await Oda.post('/api/posts', post)).body.errors).toHaveProperty('group_id')
    expect((await Oda.post('/api/albums', { title: 'Trip', text: '', group_id: fifth })).status).toBe(404)
    expect((await Oda.get(`/api/groups/${ofBen['6b']}`)).body.is_owner).toBe(true)
  })

  test('is undone within a day, but for groups in which somebody has written', async () => {
    const { Ada, Ben, Dan, db, fifth, sixth, make } = await scene(dialect)
    const { body: turn } = await make([
      { group: fifth, name: '6b' },
      { group: sixth, name: '7b' },
    ])
    await send(Dan, (await groupsOf(Dan))['7b']!)
    const undone = await Ada.post(`/api/admin/turns/${turn.id}/undo`)
    expect(undone.body).toMatchObject({ turn: { can_undo: false }, kept: [{ name: '7b' }] })
    expect(Object.keys(await groupsOf(Ben))).toEqual(['5b'])
    expect(Object.keys(await groupsOf(Dan)).sort()).toEqual(['6b', '7b'])
    expect(await send(Ben, fifth)).toBe(200)
    expect((await Ada.post(`/api/admin/turns/${turn.id}/undo`)).status).toBe(403)

    const { body: later } = await make([{ group: fifth, name: null }])
    const created_at = new Date(Date.now() - 25 * 3600_000).toISOString()
    await transaction(db, (tx) =>
      tx.updateTable('year_turns').set({ created_at }).where('id', '=', later.id).execute(),
    )
    expect((await Ada.post(`/api/admin/turns/${later.id}/undo`)).status).toBe(403)
    expect((await Ada.post(`/api/admin/turns/${UNUSED_ID}/undo`)).status).toBe(404)
    expect(await send(Ben, fifth)).toBe(403)
  })

  test('keeps who may write, and a new group with a post or an album when it is undone', async () => {
    const { Ada, Oda, Ben, Cas, fifth, sixth, make } = await scene(dialect)
    await Oda.put(`/api/groups/${fifth}/writers`, { writers: 'chosen', add: [Ben.id] })
    const { body: turn } = await make([
      { group: fifth, name: '6b' },
      { group: sixth, name: '7b' },
    ])
    const next = (await groupsOf(Ben))['6b']!
    expect([await send(Cas, next), (await Cas.get(`/api/groups/${next}`)).body.cannot_write]).toEqual([
      403,
      true,
    ])
    expect((await Ben.get(`/api/groups/${next}`)).body).not.toHaveProperty('cannot_write')
    await Ben.post('/api/posts', { text: 'Hello', audience: 'group', group_id: next })
    const seventh = (await groupsOf(Ada))['7b']!
    await Ada.post('/api/albums', { title: 'Trip', text: '', group_id: seventh })
    const { kept } = (await Ada.post(`/api/admin/turns/${turn.id}/undo`)).body
    expect(kept.map(({ id }: { id: number }) => id)).toEqual([next, seventh])
  })

  test('ends contacts of a child with those who do not come along', async () => {
    const { Ada, Kid, Mum, Uma, Ben } = await guardianScene(dialect)
    const group = await createClub(Ada, Kid, Uma, Ben)
    for (const person of [Uma, Ben]) {
      await followAs(person, Kid)
      expect((await sendMessage(person, Kid)).status).toBe(200)
    }
    await Ada.post('/api/admin/turns', { lines: [{ group, name: 'Next', leaving: [Ben.id] }] })
    expect((await sendMessage(Uma, Kid)).status).toBe(200)
    expect((await sendMessage(Ben, Kid)).status).toBe(403)
    expect(await contactState(Mum, Kid, Ben)).toBe('requested')
    expect(await contactState(Mum, Kid, Uma)).not.toBe('requested')
  })

  test('does all or nothing, for admins', async () => {
    const { Ada, Oda, Ben, Eva, db, fifth, sixth, make } = await scene(dialect)
    const refused = async (...lines: object[]) => Object.keys((await make(lines)).body.errors)
    const first = { group: fifth, name: '6b' }
    expect(await refused(first, { group: UNUSED_ID, name: 'x' })).toEqual(['lines.1.group'])
    expect(await refused(first, { group: fifth, name: 'x' })).toEqual(['lines.1.group'])
    expect(await refused(first, { group: sixth, name: '6b' })).toEqual(['lines.1.name'])
    expect(await refused(first, { group: sixth, name: '7b', joining: [UNUSED_ID] })).toEqual([
      'lines.1.joining',
    ])
    expect(await refused(first, { group: sixth, name: '7b', owner: Eva.id })).toEqual(['lines.1.owner'])
    expect(await refused()).toEqual(['lines'])
    expect((await make([first], Oda)).status).toBe(403)
    expect(await readRows(db, 'year_turns')).toEqual([])
    expect(Object.keys(await groupsOf(Ben))).toEqual(['5b'])
    await make([{ ...first, joining: [Eva.id], owner: Eva.id }])
    const next = (await groupsOf(Eva))['6b']!
    expect((await Eva.get(`/api/groups/${next}`)).body.is_owner).toBe(true)
    expect((await make([first])).body.errors).toHaveProperty(['lines.0.group'])
    expect((await Ada.get('/api/admin/turns/groups')).body).toMatchObject([
      { name: '6b', next: '7b', members_count: 2, owner: null },
      { name: '6b', members_count: 4, owner: { name: 'Eva' } },
    ])
  })

  test('is one of many ways to end a group: its owner ends it, and opens it again', async () => {
    const { Oda, Ben, Eva, fifth } = await scene(dialect)
    const set = (who: Actor, has_ended: boolean) => who.put(`/api/groups/${fifth}/ending`, { has_ended })
    expect((await set(Ben, true)).status).toBe(403)
    expect((await set(Oda, true)).body.message).toBe('The group has ended.')
    expect([await send(Oda, fifth), await send(Ben, fifth)]).toEqual([403, 403])
    expect((await Oda.post(`/api/groups/${fifth}/add-user`, { user_id: Eva.id })).status).toBe(403)
    await set(Oda, false)
    expect(await send(Ben, fifth)).toBe(200)
    const { changes } = (await Ben.get(`/api/groups/${fifth}`)).body
    expect(changes.map(({ kind }: { kind: string }) => kind).slice(-2)).toEqual(['ended', 'reopened'])
  })
})

test('the next name has the next number', () => {
  const names = ['5b', '5年B組', '５年１組', 'Class of 2026', '2026/27', '2026年度役員', '第09期', 'Choir']
  expect(names.map(nextName)).toEqual([
    '6b',
    '6年B組',
    '６年１組',
    'Class of 2027',
    '2027/28',
    '2027年度役員',
    '第10期',
    null,
  ])
})
