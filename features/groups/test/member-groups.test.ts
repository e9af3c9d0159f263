import { describe, expect, test } from 'vitest'
import type { SettingValues } from '#core/community/settings-contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_OWNED_GROUPS } from '../contract.ts'

describe.each(dialectsInTurn())('groups of members on %s', (dialect) => {
  /** Creates an app in which ann is the admin and, by default, members such as ben may create groups. */
  async function open(settings: Partial<SettingValues> = { who_can_create_groups: 'members' }) {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    await transaction(app.db, (tx) => app.context.settings.save(tx, settings))
    return { ...app, ...people }
  }
  const create = (who: Actor, name = 'Club') => who.post('/api/groups', { name })
  const createOwn = async (who: Actor, ...members: Actor[]): Promise<number> => {
    const { id } = (await create(who)).body.group
    for (const { id: user_id } of members)
      expect((await who.post(`/api/groups/${id}/add-user`, { user_id })).status).toBe(200)
    return id
  }
  const manage = (who: Actor, group: number, user: number) => [
    () => who.send('PUT', `/api/groups/${group}`, { name: 'Circle' }),
    () => who.send('PUT', `/api/groups/${group}/slow-mode`, { seconds: 30 }),
    () => who.post(`/api/groups/${group}/add-user`, { user_id: user }),
    () => who.delete(`/api/groups/${group}/members/${user}`),
    () => who.delete(`/api/groups/${group}`),
  ]
  async function statuses(who: Actor, group: number, user: number) {
    const all = []
    for (const call of manage(who, group, user)) all.push((await call()).status)
    return all
  }
  const names = async (who: Actor, group: number) =>
    (await who.get(`/api/groups/${group}/members`)).body.map(({ name }: { name: string }) => name)

  test('are created by members only while the settings say so', async () => {
    const { ann, ben, db } = await open({})
    expect(await create(ben)).toMatchObject({ status: 403, body: { message: 'Only admins may do this.' } })
    const save = (who_can_create_groups: unknown) =>
      ann.send('PATCH', '/api/admin/settings', { who_can_create_groups })
    for (const value of ['nobody', true, null]) expect((await save(value)).status).toBe(422)
    await save('members')
    const page = async () => (await ben.get('/my-groups', { accept: 'text/html' })).body
    expect(await page()).toContain('"membersCreateGroups":true')
    expect((await create(ben)).status).toBe(201)
    await save('admins')
    expect(await page()).not.toContain('membersCreateGroups')
    expect((await create(ben)).status).toBe(403)
    expect((await create(ann)).status).toBe(201)
    expect(await readRows(db, 'conversations')).toMatchObject([{ owner_id: ben.id }, { owner_id: null }])
  })

  test('are managed by their owner and by admins, and by nobody else', async () => {
    const { ann, ben, eve, ida } = await open()
    const group = await createOwn(ben, eve)
    expect((await ben.get(`/api/groups/${group}`)).body.is_owner).toBe(true)
    expect((await eve.get(`/api/groups/${group}`)).body).not.toHaveProperty('is_owner')
    const other = (await create(ann, 'Of an admin')).body.group.id
    for (const who of [eve, ida]) expect(await statuses(who, group, ida.id)).toEqual(Array(5).fill(403))
    expect(await statuses(ben, other, ida.id)).toEqual(Array(5).fill(403))
    // Expects 403 also for a group that does not exist, so that members do not learn which groups exist.
    expect(await statuses(ben, UNUSED_ID, ida.id)).toEqual(Array(5).fill(403))
    expect(await names(ben, group)).toEqual(['ben', 'eve'])
    expect(await statuses(ben, group, ida.id)).toEqual(Array(5).fill(200))
    const second = await createOwn(ben)
    expect(await statuses(ann, second, ida.id)).toEqual(Array(5).fill(200))
  })

  test('answer 403 to members without the right before they check the input', async () => {
    const { ann, ben, eve } = await open({})
    const group = (await create(ann)).body.group.id
    const calls = (who: Actor, id: unknown) => [
      () => who.post('/api/groups', {}),
      () => who.post('/api/groups', ['Club']),
      () => who.send('PUT', `/api/groups/${id}`, {}),
      () => who.send('PUT', `/api/groups/${id}/slow-mode`, { seconds: 7 }),
      () => who.post(`/api/groups/${id}/add-user`, { user_id: 'x' }),
      () => who.delete(`/api/groups/${id}/members/x`),
      () => who.delete(`/api/groups/x${id}`),
    ]
    const statusesOf = async (who: Actor, id: unknown) => {
      const all = []
      for (const call of calls(who, id)) all.push((await call()).status)
      return all
    }
    for (const id of [group, UNUSED_ID, 'x', '1e3', '9'.repeat(30)])
      expect(await statusesOf(eve, id), String(id)).toEqual(Array(7).fill(403))
    expect(await statusesOf(ann, group)).toEqual(Array(7).fill(422))
    await ann.send('PATCH', '/api/admin/settings', { who_can_create_groups: 'members' })
    const own = (await create(ben)).body.group.id
    expect(await statusesOf(ben, own)).toEqual([...Array(6).fill(422), 403])
    expect((await ben.get(`/api/groups/${own}`)).body.members_count).toBe(1)
  })

  test('stay with their owner when the setting changes, until the owner leaves or is removed', async () => {
    const { ann, ben, eve, ida, db } = await open()
    const [left, removed] = [await createOwn(ben, eve), await createOwn(ben, eve)]
    await ann.send('PATCH', '/api/admin/settings', { who_can_create_groups: 'admins' })
    expect((await ben.send('PUT', `/api/groups/${left}`, { name: 'Still mine' })).status).toBe(200)
    await ben.post(`/api/groups/${left}/leave`)
    await ann.delete(`/api/groups/${removed}/members/${ben.id}`)
    for (const group of [left, removed]) {
      await ann.post(`/api/groups/${group}/add-user`, { user_id: ben.id })
      expect(await statuses(ben, group, ida.id)).toEqual(Array(5).fill(403))
    }
    const owners = (await readRows(db, 'conversations')).map(({ owner_id }) => owner_id)
    expect(owners).toEqual([eve.id, eve.id])
  })

  test('get only members whom the owner can see; a block looks like an unknown account', async () => {
    const { ann, ben, eve, ida } = await open()
    const group = await createOwn(ben, ida)
    await ida.post(`/api/users/${ben.id}/block`)
    await ben.post(`/api/users/${eve.id}/block`)
    const add = (user_id: number) => ben.post(`/api/groups/${group}/add-user`, { user_id })
    const unknown = await add(UNUSED_ID)
    expect(unknown.status).toBe(422)
    const other = await createOwn(ben)
    for (const { id } of [ida, eve])
      expect(await ben.post(`/api/groups/${other}/add-user`, { user_id: id })).toMatchObject({
        status: 422,
        body: unknown.body,
      })
    // ida, who has blocked the owner ben, is a member of the group. If ben removes her, he gets the same
    // response as for a person who is not a member.
    const [blocker, stranger] = [
      await ben.delete(`/api/groups/${group}/members/${ida.id}`),
      await ben.delete(`/api/groups/${group}/members/${UNUSED_ID}`),
    ]
    expect(blocker).toMatchObject({ status: 200, body: stranger.body })
    expect((await ida.get(`/api/groups/${group}`)).status).toBe(200)
    // Admins can add and remove any person, without the restrictions for owners.
    expect((await ann.post(`/api/groups/${group}/add-user`, { user_id: eve.id })).status).toBe(200)
    expect((await ann.delete(`/api/groups/${group}/members/${ida.id}`)).status).toBe(200)
    expect((await ida.get(`/api/groups/${group}`)).status).toBe(403)
  })

  test('are limited in number for each owner, also at the same moment', async () => {
    const { ben, ann, db } = await open()
    const answers = await Promise.all(Array.from({ length: MAX_OWNED_GROUPS + 4 }, () => create(ben)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_OWNED_GROUPS)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4)
    const [{ id }] = (await readRows(db, 'conversations')) as [{ id: number }]
    await ben.delete(`/api/groups/${id}`)
    expect((await create(ben)).status).toBe(201)
    for (let i = 0; i <= MAX_OWNED_GROUPS; i++) expect((await create(ann)).status).toBe(201)
  })

  test('count as actions of new members', async () => {
    const { ann, ben, eve, ida, ...app } = await open({
      who_can_create_groups: 'members',
      new_member_days: 3,
    })
    const group = await createOwn(ben, eve)
    expect((await create(ben)).status).toBe(201)
    expect(await create(ben)).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('New members can create 2 groups a day.') },
    })
    await transaction(app.db, (tx) =>
      tx.updateTable('new_member_counts').set({ count: 20 }).where('kind', '=', 'group_member').execute(),
    )
    const add = () => ben.post(`/api/groups/${group}/add-user`, { user_id: ida.id })
    expect((await add()).status).toBe(429)
    expect(await names(ben, group)).toEqual(['ben', 'eve'])
    await ann.put(`/api/users/${ben.id}/known`)
    expect((await add()).status).toBe(200)
  })

  test('leave no entry in the log of admins when the owner changes them', async () => {
    const { ann, ben, eve, ida, db } = await open()
    const group = await createOwn(ben, eve)
    const actions = async () => (await readRows(db, 'audit_log')).map(({ action }) => action)
    const before = await actions()
    await statuses(ben, group, ida.id)
    expect(await actions()).toEqual(before)
    const second = await createOwn(ben)
    await statuses(ann, second, ida.id)
    expect(await actions()).toEqual([
      ...before,
      'group_renamed',
      'group_slow_mode_changed',
      'group_member_removed',
      'group_deleted',
    ])
  })

  test('tell all members at once what the owner changes', async () => {
    const { ben, eve, ida, ...app } = await open()
    const group = await createOwn(ben, eve)
    const { recorded } = spyOnBroadcasts(app)
    await statuses(ben, group, ida.id)
    expect(recorded('GroupChanged').map(({ data }) => data.change.kind)).toEqual([
      'renamed',
      'slow_mode',
      'added',
      'removed',
      'deleted',
    ])
  })
})
