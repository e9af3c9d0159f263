import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { makeExport } from '#features/export/test/exports.ts'
import { createGroup, UNUSED_ID } from '#tests/conversations.ts'
import { databases } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { MAX_CHOSEN } from '../contract.ts'
import { choicesOf, choose, newPostScene, setMode } from './new-post-scene.ts'

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

describe.each(databases)('choices of new posts on %s', (dialect) => {
  test('begin with nobody in a large community, and with everybody in a small one', async () => {
    const { Ben } = await newPostScene(dialect)
    expect(await choicesOf(Ben)).toEqual({ mode: 'nobody', is_default: true, people: [], groups: [] })
    const small = await newPostScene(dialect, { NEW_POSTS_UP_TO: '5' })
    expect(await choicesOf(small.Ben)).toMatchObject({ mode: 'everybody', is_default: true })
    await small.members('Finn')
    expect(await choicesOf(small.Ben)).toMatchObject({ mode: 'nobody', is_default: true })
  })

  test('are changed by the member alone, on profiles and in groups', async () => {
    const { Mia, Ann, Ben, Cleo } = await newPostScene(dialect)
    const club = await createGroup(Mia, 'Club', Ben)
    await choose(Ben, Cleo, Ann)
    expect((await Ben.put(`/api/new-posts/groups/${club}`)).body).toMatchObject({
      ...{ mode: 'chosen', is_default: false, groups: [{ id: club, name: 'Club' }] },
      people: [{ id: Ann.id }, { id: Cleo.id }],
    })
    expect((await Ben.delete(`/api/new-posts/people/${Ann.id}`)).status).toBe(200)
    expect((await Ben.delete(`/api/new-posts/groups/${club}`)).body.groups).toEqual([])
    expect(names((await choicesOf(Ben)).people)).toEqual(['Cleo'])
    for (const who of [Mia, Ann]) expect(await choicesOf(who)).toMatchObject({ is_default: true, people: [] })
  })

  test('are refused for oneself, for those whom the member may not see, and for wrong values', async () => {
    const { Mia, Ann, Ben, visitor } = await newPostScene(dialect)
    const club = await createGroup(Mia, 'Club', Ann)
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect((await Ben.put(`/api/new-posts/people/${Ben.id}`)).status).toBe(422)
    for (const id of [Ann.id, UNUSED_ID])
      expect((await Ben.put(`/api/new-posts/people/${id}`)).status).toBe(404)
    for (const id of [club, UNUSED_ID])
      expect((await Ben.put(`/api/new-posts/groups/${id}`)).status).toBe(403)
    for (const mode of ['friends', '', null, undefined])
      expect((await Ben.put('/api/new-posts', { mode })).status).toBe(422)
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.get('/api/new-posts')).status).toBe(401)
    expect((await stranger.put(`/api/new-posts/people/${Ann.id}`)).status).toBe(401)
    expect(await choicesOf(Ben)).toMatchObject({ mode: 'nobody', is_default: true, people: [] })
  })

  test('begin anew after nobody, and are kept beside everybody', async () => {
    const { Ann, Ben, Cleo, Dora } = await newPostScene(dialect)
    await choose(Ben, Ann, Cleo)
    await setMode(Ben, 'nobody')
    await setMode(Ben, 'chosen')
    expect(names((await choicesOf(Ben)).people)).toEqual(['Ann', 'Cleo'])
    await setMode(Ben, 'everybody')
    await choose(Ben, Dora)
    expect(await choicesOf(Ben)).toMatchObject({ mode: 'everybody' })
    await setMode(Ben, 'nobody')
    await choose(Ben, Dora)
    const { mode, people } = await choicesOf(Ben)
    expect([mode, names(people)]).toEqual(['chosen', ['Dora']])
  })

  test('have no more than so many people and groups', async () => {
    const app = await newPostScene(dialect)
    const { Ann, Ben, Cleo } = app
    await choose(Ben, Ann)
    const ids = await insertMembers(app, MAX_CHOSEN - 1)
    await transaction(app.db, (tx) =>
      tx
        .insertInto('new_post_people')
        .values(ids.map((person_id) => ({ user_id: Ben.id, person_id, created_at: '' })))
        .execute(),
    )
    expect((await Ben.put(`/api/new-posts/people/${Cleo.id}`)).status).toBe(422)
    expect((await choicesOf(Ben)).people).toHaveLength(MAX_CHOSEN)
  })

  test('are in the archive of the member', async () => {
    const { Mia, Ann, Ben } = await newPostScene(dialect)
    const club = await createGroup(Mia, 'Club', Ben)
    await choose(Ben, Ann)
    await Ben.put(`/api/new-posts/groups/${club}`)
    const { files } = await makeExport(Ben)
    expect(JSON.parse(String(files.get('data/new-posts.json')))).toMatchObject([
      {
        ...{ mode: 'chosen', is_default: false, people: [{ id: Ann.id, name: 'Ann' }] },
        groups: [{ id: club, name: 'Club' }],
      },
    ])
  })

  test('end with a block, and with the membership of a group', async () => {
    const { Mia, Ann, Ben, Cleo } = await newPostScene(dialect)
    const club = await createGroup(Mia, 'Club', Ben)
    await choose(Ben, Ann, Cleo)
    await choose(Ann, Ben)
    await Ben.put(`/api/new-posts/groups/${club}`)
    await Ben.post(`/api/users/${Ann.id}/block`)
    await Ben.delete(`/api/users/${Ann.id}/block`)
    await Mia.delete(`/api/groups/${club}/members/${Ben.id}`)
    await Mia.post(`/api/groups/${club}/add-user`, { user_id: Ben.id })
    const { people, groups } = await choicesOf(Ben)
    expect([names(people), groups]).toEqual([['Cleo'], []])
    expect((await choicesOf(Ann)).people).toEqual([])
  })
})
