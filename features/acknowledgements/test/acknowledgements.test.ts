import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createClub } from '#features/guardians/test/guardian-scene.ts'
import { announced } from '#features/notifications/test/announcement-helpers.ts'
import { createTestApp, databases } from '#tests/harness.ts'
import {
  acknowledgementScene,
  ask,
  countsFor,
  inGroup,
  pathOf,
  readersOf,
  stateFor,
  tryAsk,
} from './acknowledgement-scene.ts'

const tell = { extras: { tell: {} } }

describe.each(databases)('who may tell and ask, on %s', (dialect) => {
  test('admins everybody, owners their group, others nobody', async () => {
    const { Ada, Ben, Uma, club } = await acknowledgementScene(dialect)
    await ask(Ada)
    await ask(Ada, { audience: 'followers' })
    await ask(Ada, inGroup(club))
    const choir = await createClub(Ada, Ben)
    expect((await Ada.put(`/api/groups/${choir}/owner`, { user_id: Ben.id })).status).toBe(200)
    await ask(Ben, inGroup(choir))
    for (const more of [{}, { audience: 'members' }, inGroup(club)]) {
      expect((await tryAsk(Ben, more)).status).toBe(403)
      expect((await Ben.post('/api/posts', { text: 'x', ...tell, ...more })).status).toBe(403)
    }
    expect((await Uma.get('/api/posts')).body).toHaveLength(1)
  })

  test('those whom an admin trusts with it, as the audit log says', async () => {
    const { Ada, Ben } = await acknowledgementScene(dialect)
    expect((await Ben.put(`/api/admin/users/${Ben.id}/announcer`)).status).toBe(403)
    expect((await Ada.put(`/api/admin/users/${Ben.id}/announcer`)).body).toMatchObject({ is_announcer: true })
    expect((await Ben.get('/api/user')).body).toMatchObject({ is_announcer: true, is_admin: false })
    await ask(Ben)
    const { body } = await Ada.delete(`/api/admin/users/${Ben.id}/announcer`)
    expect(body).not.toHaveProperty('is_announcer')
    expect((await tryAsk(Ben)).status).toBe(403)
    const actions = (await Ada.get('/api/audit-log')).body.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 2)).toEqual(['announcer_revoked', 'announcer_granted'])
  })

  test('a refused value refuses the post, and names its field', async () => {
    const { Ada } = await acknowledgementScene(dialect)
    for (const until of ['tomorrow', '2020-01-01T00:00:00.000Z', '2990-01-01T00:00:00.000Z', 7]) {
      const { status, body } = await tryAsk(Ada, {}, { until })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['acknowledgement.until']])
    }
    expect((await Ada.get('/api/posts')).body).toEqual([])
  })

  test('telling reaches those in the audience alone, once', async () => {
    const { Ada, Ben, Uma, club, db } = await acknowledgementScene(dialect)
    await Ada.post('/api/posts', { text: 'Rehearsal moved', ...inGroup(club), ...tell })
    await announced(db)
    const kinds = async (who: typeof Ben) =>
      (await who.get('/api/notifications')).body.map(({ kind }: { kind: string }) => kind)
    expect(await kinds(Ben)).toEqual(['announcement', 'group'])
    expect(await kinds(Uma)).toEqual([])
    expect(await kinds(Ada)).not.toContain('announcement')
  })
})

describe.each(databases)('answers on %s', (dialect) => {
  test('count for the author, can be undone, and show only to the author and admins', async () => {
    const { Ada, Ben, Uma, Kid, Mum, club } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    expect(await countsFor(Ada, id)).toBe('3 0 0 0')
    expect((await Ben.put(pathOf(id))).body).toMatchObject({ read_at: expect.any(String), is_open: true })
    await Ben.put(pathOf(id))
    expect(await countsFor(Ada, id)).toBe('3 1 0 0')
    expect(await readersOf(Ada, id, 'read')).toEqual(['Ben'])
    expect(await readersOf(Ada, id, 'waiting')).toEqual(['Kid', 'Mum'])
    expect(await stateFor(Ben, id)).not.toHaveProperty('counts')
    for (const who of [Ben, Kid, Mum])
      expect((await who.get(`/api/posts/${id}/acknowledgements?state=read`)).status).toBe(403)
    expect((await Ben.delete(pathOf(id))).body).toMatchObject({ read_at: null })
    expect(await countsFor(Ada, id)).toBe('3 0 0 0')
    for (const request of [Uma.put(pathOf(id)), Uma.get(`/api/posts/${id}/acknowledgements?state=read`)])
      expect((await request).status).toBe(404)
    expect(await stateFor(Uma, id)).toBeNull()
    expect((await Ada.put(pathOf(id))).status).toBe(403)
  })

  test('of those who leave do not count, and of those who come later count apart', async () => {
    const { Ada, Ben, Uma, Dad, club } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    await Ben.put(pathOf(id))
    for (const { id: user_id } of [Uma, Dad]) await Ada.post(`/api/groups/${club}/add-user`, { user_id })
    await Uma.put(pathOf(id))
    expect(await countsFor(Ada, id)).toBe('3 1 2 1')
    expect(await readersOf(Ada, id, 'later')).toEqual(['Dad', 'Uma'])
    await Ben.post(`/api/groups/${club}/leave`)
    expect(await countsFor(Ada, id)).toBe('2 0 2 1')
    expect((await Ben.put(pathOf(id))).status).toBe(404)
    await Ada.put(`/api/admin/users/${Dad.id}/suspension`)
    expect(await countsFor(Ada, id)).toBe('2 0 1 1')
    await Uma.post(`/api/users/${Ada.id}/block`)
    expect(await countsFor(Ada, id)).toBe('2 0 0 0')
  })

  test('for a child come from its guardian, who is named', async () => {
    const { Ada, Ben, Mum, Kid, club } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    expect((await stateFor(Mum, id))!.children).toEqual([{ id: Kid.id, name: 'Kid', read_at: null }])
    expect((await stateFor(Ben, id))!.children).toEqual([])
    expect((await Ben.put(pathOf(id), { for: Kid.id })).status).toBe(404)
    expect((await Mum.put(pathOf(id), { for: Ben.id })).status).toBe(404)
    await Mum.put(pathOf(id), { for: Kid.id })
    expect(await readersOf(Ada, id, 'read')).toEqual(['Kid by Mum'])
    expect(await stateFor(Kid, id)).toMatchObject({ read_at: expect.any(String) })
    expect(await stateFor(Mum, id)).toMatchObject({ read_at: null })
  })

  test('are not asked of a child whom a guardian keeps apart from the author', async () => {
    const { Ada, Kid, Mum, club, db } = await acknowledgementScene(dialect)
    await transaction(db, (tx) =>
      sql`insert into child_contacts (child_id, person_id, state, asked_at)
        values (${Kid.id}, ${Ada.id}, 'refused', '')`.execute(tx),
    )
    const id = await ask(Ada, inGroup(club))
    expect(await countsFor(Ada, id)).toBe('2 0 0 0')
    expect((await stateFor(Mum, id))!.children).toEqual([])
  })

  test('end when the author says so, or at the time', async () => {
    const { Ada, Ben, Mum, club, db } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club), { until: new Date(Date.now() + 3600_000).toISOString() })
    await Ben.put(pathOf(id))
    expect((await Ben.delete(`${pathOf(id)}-request`)).status).toBe(403)
    expect((await Ada.delete(`${pathOf(id)}-request`)).body).toMatchObject({ is_open: false })
    for (const answer of [Mum.put(pathOf(id)), Ben.delete(pathOf(id)), Ada.post(`${pathOf(id)}-request`)])
      expect((await answer).status).toBe(403)
    expect(await countsFor(Ada, id)).toBe('3 1 0 0')
    const other = await ask(Ada, inGroup(club), { until: new Date(Date.now() + 3600_000).toISOString() })
    await transaction(db, (tx) =>
      sql`update acknowledgement_requests set until = '2026-01-01T00:00:00.000Z'`.execute(tx),
    )
    expect((await Ben.put(pathOf(other))).status).toBe(403)
    expect(await stateFor(Ben, other)).toMatchObject({ is_open: false })
  })

  test('before an edit stay or go, as the author decides', async () => {
    const { Ada, Ben, Mum, club } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    const edit = (text: string) => Ada.put(`/api/posts/${id}`, { text })
    await edit('Nobody has read this')
    expect(await stateFor(Ada, id)).not.toHaveProperty('is_changed')
    await Ben.put(pathOf(id))
    await edit('The hall is open')
    expect(await stateFor(Ada, id)).toMatchObject({ is_changed: true })
    expect(await stateFor(Ben, id)).not.toHaveProperty('is_changed')
    expect((await Mum.post(`${pathOf(id)}-request`)).status).toBe(403)
    await Ada.post(`${pathOf(id)}-request`, { keep_answers: true })
    expect(await countsFor(Ada, id)).toBe('3 1 0 0')
    expect(await stateFor(Ada, id)).not.toHaveProperty('is_changed')
    await edit('The hall is closed')
    await Ada.post(`${pathOf(id)}-request`)
    expect(await countsFor(Ada, id)).toBe('3 0 0 0')
    expect(await stateFor(Ben, id)).toMatchObject({ read_at: null })
  })
})

test.each(databases)('a page has the states of its posts, and visitors get none, on %s', async (dialect) => {
  const { members, visitor } = await createTestApp({ dialect })
  const { Ada, Ben } = await members('Ada', 'Ben')
  const id = await ask(Ada)
  const page = async (path: string) => (await Ben.get(path, { accept: 'text/html' })).body
  expect(await page(`/posts/${id}`)).toContain(`"/api/acknowledgements","body":{"posts":{"${id}":{`)
  // Otherwise each visit would request them.
  const { post } = (await Ben.post('/api/posts', { text: 'No question' })).body
  expect(await page('/')).toContain(`"${post.id}":null`)
  expect((await visitor().get(`/api/acknowledgements?posts=${id}`)).body).toEqual({ posts: {} })
})

describe.each(databases)('lists on %s', (dialect) => {
  test('have what waits for a child of the member, once', async () => {
    const { Ada, Kid, Mum, club } = await acknowledgementScene(dialect)
    const id = await ask(Ada, inGroup(club))
    const waiting = async () => {
      const [list, count] = [
        await Mum.get('/api/acknowledgements/waiting'),
        await Mum.get('/api/acknowledgements/count'),
      ]
      return [list.body.map((post: { id: number }) => post.id), count.body.count]
    }
    expect(await waiting()).toEqual([[id], 1])
    await Mum.put(pathOf(id))
    expect(await waiting()).toEqual([[id], 1])
    await Mum.put(pathOf(id), { for: Kid.id })
    expect(await waiting()).toEqual([[], 0])
  })

  test('have what waits for the member, what the member asked, and all that the member may see', async () => {
    const { Ada, Ben, Uma, club } = await acknowledgementScene(dialect)
    const first = await ask(Ada, inGroup(club))
    const second = await ask(Ada)
    await Ada.post('/api/posts', { text: 'Nothing to answer' })
    const idsOf = async (who: typeof Ada, list: string) =>
      (await who.get(`/api/acknowledgements/${list}`)).body.map(({ id }: { id: number }) => id)
    const countOf = async (who: typeof Ada) => (await who.get('/api/acknowledgements/count')).body.count
    expect([await idsOf(Ben, 'waiting'), await countOf(Ben)]).toEqual([[second, first], 2])
    expect(await idsOf(Ben, 'waiting?limit=1')).toEqual([second])
    expect(await idsOf(Ben, `waiting?before=${second}`)).toEqual([first])
    expect(await idsOf(Uma, 'waiting')).toEqual([second])
    await Ben.put(pathOf(second))
    await Ada.delete(`${pathOf(first)}-request`)
    expect([await idsOf(Ben, 'waiting'), await countOf(Ben)]).toEqual([[], 0])
    expect(await idsOf(Ben, 'all')).toEqual([second, first])
    expect(await idsOf(Uma, 'all')).toEqual([second])
    expect([await idsOf(Ada, 'asked'), await idsOf(Ben, 'asked')]).toEqual([[second, first], []])
  })

  test('of the answers are a table for spreadsheets, in which a name is no formula', async () => {
    const { Ada, Ben, Mum, Kid, club } = await acknowledgementScene(dialect)
    await Ben.post('/api/profile', { name: '=Ben "B"', bio: null })
    const id = await ask(Ada, inGroup(club))
    await Ben.put(pathOf(id))
    await Mum.put(pathOf(id), { for: Kid.id })
    const { status, body } = await Ada.get(`/api/posts/${id}/acknowledgements.csv`)
    const [head, ...lines] = String(body).trimEnd().split('\r\n')
    expect([status, head]).toEqual([200, '\uFEFF"Name","Group","Answer","Time","Answered by"'])
    const time = /"\d{4}-\d\d-\d\d \d\d:\d\d"/
    expect(lines.map((line) => line.replace(time, '"time"'))).toEqual([
      '"Kid","Club","read","time","Mum"',
      `"'=Ben ""B""","Club","read","time","'=Ben ""B"""`,
      '"Mum","Club","not yet","",""',
    ])
    expect((await Ben.get(`/api/posts/${id}/acknowledgements.csv`)).status).toBe(403)
  })
})
