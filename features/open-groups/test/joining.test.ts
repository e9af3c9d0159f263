import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { databases, dialectsInTurn } from '#tests/harness.ts'
import { DAYS_AFTER_REFUSAL, MAX_WAITING } from '../contract.ts'
import {
  decide,
  isMember,
  join,
  listed,
  openGroupScene,
  requests,
  setAccess,
  waiting,
} from './open-group-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(databases)('a group that one can find on %s', (dialect) => {
  test('is closed until its owner says otherwise, and joined in one tap if it is open', async () => {
    const { Oda, Ben, Cas, group, ...app } = await openGroupScene(dialect)
    expect(await listed(Cas)).toEqual([])
    expect((await join(Cas, group)).status).toBe(404)
    expect((await Cas.get(`/api/open-groups/${group}`)).status).toBe(404)
    expect((await Ben.get(`/api/open-groups/${group}`)).body).toMatchObject({ access: 'closed' })
    expect((await setAccess(Ben, group, 'open')).status).toBe(403)
    expect((await setAccess(Oda, group, 'open')).status).toBe(200)
    expect(await listed(Cas)).toEqual([['Chess Club', 'open', 'none']])
    const { recorded } = spyOnBroadcasts(app)
    expect((await join(Cas, group)).body).toMatchObject({ state: 'member' })
    expect((await join(Cas, group)).body).toMatchObject({ state: 'member' })
    expect(await isMember(Cas, group)).toBe(true)
    expect(await listed(Cas)).toEqual([['Chess Club', 'open', 'member']])
    expect(recorded('GroupChanged').map(({ data }) => data.change)).toMatchObject([
      { kind: 'added', actor: { name: 'Cas' }, person: { name: 'Cas' } },
    ])
    expect(recorded('OpenGroupsChanged')).toHaveLength(1)
    const members = (await Oda.get(`/api/groups/${group}/members`)).body
    expect(members.map(({ has_joined = false }) => has_joined)).toEqual([false, false, true])
    expect(
      (await Oda.get(`/api/groups/${group}`)).body.changes.map(({ kind }: { kind: string }) => kind),
    ).toEqual(['created', 'added', 'access', 'added'])
  })

  test('asks its owner, whose task waits until it is decided', async () => {
    const { Oda, Ben, Cas, group, ...app } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    expect((await join(Cas, group)).body).toMatchObject({ state: 'waiting' })
    expect((await join(Cas, group)).body).toMatchObject({ state: 'waiting' })
    expect(await listed(Cas)).toEqual([['Chess Club', 'ask', 'waiting']])
    expect([await waiting(Oda), await waiting(Ben)]).toEqual([1, 0])
    expect((await Oda.get('/api/notifications')).body[0]).toMatchObject({
      kind: 'group_request',
      waiting: 1,
      group: { id: group, name: 'Chess Club' },
    })
    expect(await requests(Oda)).toMatchObject([{ person: { name: 'Cas' }, group: { name: 'Chess Club' } }])
    expect(await requests(Ben)).toEqual([])
    const [request] = await requests(Oda)
    expect((await Ben.post(`/api/group-requests/${request!.id}/accept`)).status).toBe(404)
    const { recorded } = spyOnBroadcasts(app)
    expect((await decide(Oda, 'accept')).body).toMatchObject({ state: 'accepted' })
    expect(recorded('GroupRequestChanged').map(({ to }) => to)).toEqual([[`presence-user.${Cas.id}`]])
    expect(await isMember(Cas, group)).toBe(true)
    expect([await waiting(Oda), await requests(Oda)]).toEqual([0, []])
    expect((await Cas.get('/api/notifications')).body[0]).toMatchObject({ kind: 'group' })
    expect((await Oda.post(`/api/group-requests/${request!.id}/accept`)).status).toBe(200)
    expect((await Oda.post(`/api/group-requests/${request!.id}/decline`)).status).toBe(409)
  })

  test('lets the second of two who decide at once learn what the first did', async () => {
    const { Ada, Oda, Cas, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    const [request] = await requests(Oda)
    const path = `/api/group-requests/${request!.id}`
    const [accepted, declined] = await Promise.all([Oda.post(`${path}/accept`), Ada.post(`${path}/decline`)])
    expect([accepted.status, declined.status].sort()).toEqual([200, 409])
    expect(await isMember(Cas, group)).toBe(accepted.status === 200)
    expect([await waiting(Oda), await waiting(Ada)]).toEqual([0, 0])
  })

  test('tells nobody of a refusal but the list of the person, who may ask again after a week', async () => {
    const { Oda, Cas, group, db } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    expect((await decide(Oda, 'decline')).body).toMatchObject({ state: 'declined' })
    expect((await Cas.get('/api/notifications')).body).toEqual([])
    expect(await listed(Cas)).toEqual([['Chess Club', 'ask', 'declined']])
    expect((await join(Cas, group)).status).toBe(403)
    const earlier = new Date(Date.now() - (DAYS_AFTER_REFUSAL * 24 + 1) * 3600_000).toISOString()
    await transaction(db, (tx) => tx.updateTable('group_requests').set({ decided_at: earlier }).execute())
    expect(await listed(Cas)).toEqual([['Chess Club', 'ask', 'none']])
    expect((await join(Cas, group)).body).toMatchObject({ state: 'waiting' })
    expect(await waiting(Oda)).toBe(1)
  })

  test('finds names and readings, in the order of readings, page by page', async () => {
    const { Oda, Cas, group } = await openGroupScene(dialect)
    const hill = await createGroup(Oda, '桜ヶ丘 三丁目')
    const school = await createGroup(Oda, 'さくら組')
    await setAccess(Oda, group, 'open')
    await setAccess(Oda, hill, 'ask', { reading: 'さくらがおか さんちょうめ' })
    await setAccess(Oda, school, 'open')
    expect((await listed(Cas)).map(([name]) => name)).toEqual(['Chess Club', '桜ヶ丘 三丁目', 'さくら組'])
    for (const q of ['サクラガオカ', 'さくらがおかさん', '桜ヶ丘三'])
      expect((await listed(Cas, `?q=${encodeURIComponent(q)}`)).map(([name]) => name)).toEqual([
        '桜ヶ丘 三丁目',
      ])
    expect(await listed(Cas, '?q=%25')).toEqual([])
    await Oda.put(`/api/groups/${school}`, { name: 'Zebra' })
    expect((await listed(Cas, '?q=zeb')).map(([name]) => name)).toEqual(['Zebra'])
    const first = await Cas.get('/api/open-groups?limit=1')
    expect(first.headers.link).toContain('after_name=Chess')
    const rest = await Cas.get(`/api/open-groups?limit=5&after=${group}&after_name=Chess+Club`)
    expect(rest.body.map(({ name }: { name: string }) => name)).toEqual(['Zebra', '桜ヶ丘 三丁目'])
  })
})

describe.each(dialectsInTurn())('joining a group on %s', (dialect) => {
  test('is not possible again without asking for somebody who was removed', async () => {
    const { Oda, Ben, Cas, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'open')
    await join(Cas, group)
    await Cas.post(`/api/groups/${group}/leave`)
    expect((await join(Cas, group)).body).toMatchObject({ state: 'member' })
    await Oda.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await listed(Ben)).toEqual([['Chess Club', 'ask', 'none']])
    expect((await join(Ben, group)).body).toMatchObject({ state: 'waiting' })
    expect(await requests(Oda)).toMatchObject([{ was_removed: true }])
    await decide(Oda, 'accept')
    await Ben.post(`/api/groups/${group}/leave`)
    expect((await join(Ben, group)).body).toMatchObject({ state: 'member' })
  })

  test('takes a request back, and again nobody waits', async () => {
    const { Oda, Cas, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    for (let time = 0; time < 2; time++)
      expect((await Cas.delete(`/api/open-groups/${group}/request`)).status).toBe(200)
    expect([await waiting(Oda), await listed(Cas)]).toEqual([0, [['Chess Club', 'ask', 'none']]])
  })

  test('ends the request of whom the owner adds, and keeps it while the group closes', async () => {
    const { Oda, Cas, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    await setAccess(Oda, group, 'closed')
    expect(await listed(Cas)).toEqual([['Chess Club', 'closed', 'waiting']])
    expect(await waiting(Oda)).toBe(1)
    await Oda.post(`/api/groups/${group}/add-user`, { user_id: Cas.id })
    expect([await waiting(Oda), await listed(Cas)]).toEqual([0, []])
  })

  test('goes to admins if the group has no owner, and follows the owner', async () => {
    const { Ada, Oda, Ben, Cas, group } = await openGroupScene(dialect)
    const town = await createGroup(Ada, 'Town', Ben)
    await setAccess(Ada, town, 'ask')
    await join(Cas, town)
    expect([await waiting(Ada), await waiting(Ben)]).toEqual([1, 0])
    await Ada.put(`/api/admin/users/${Oda.id}/admin`)
    expect(await waiting(Oda)).toBe(1)
    await Ada.put(`/api/groups/${town}/owner`, { user_id: Ben.id })
    expect([await waiting(Ada), await waiting(Oda), await waiting(Ben)]).toEqual([0, 0, 1])
    await Ada.delete(`/api/groups/${town}`)
    expect(await waiting(Ben)).toBe(0)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    await Ada.put(`/api/admin/users/${Cas.id}/suspension`)
    expect(await requests(Oda)).toEqual([])
  })

  test('hides groups from people whom their owner has blocked, and ends their requests', async () => {
    const { Oda, Cas, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    await Oda.post(`/api/users/${Cas.id}/block`)
    expect([await waiting(Oda), await requests(Oda), await listed(Cas)]).toEqual([0, [], []])
    expect((await join(Cas, group)).status).toBe(404)
    expect((await Cas.get(`/api/open-groups/${group}`)).status).toBe(404)
  })

  test('stops at the size of the group and at the number of waiting requests', async () => {
    const { Ada, Oda, Cas, Mum, group, db, context, members } = await openGroupScene(dialect)
    for (const { id: user_id } of Object.values(await members(...'abcdefgh')))
      await Oda.post(`/api/groups/${group}/add-user`, { user_id })
    const limitSize = (max_group_members: 0 | 10) =>
      transaction(db, (tx) => context.settings.save(tx, { max_group_members }))
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    await limitSize(10)
    expect((await Mum.get('/api/open-groups')).body).toMatchObject([{ is_full: true }])
    expect((await join(Mum, group)).status).toBe(403)
    expect((await decide(Oda, 'accept')).status).toBe(422)
    expect(await waiting(Oda)).toBe(1)
    await limitSize(0)
    const many = await Promise.all(
      Array.from({ length: MAX_WAITING }, async (_, n) => {
        const id = await createGroup(Ada, `Group ${n}`)
        await setAccess(Ada, id, 'ask')
        return id
      }),
    )
    const statuses = []
    for (const id of many) statuses.push((await join(Cas, id)).status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(1)
  })

  test('leaves what a child would meet to admins', async () => {
    const { Ada, Oda, Kid, Mum, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'open')
    expect((await join(Kid, group)).body).toMatchObject({ state: 'waiting' })
    expect([await waiting(Oda), await waiting(Ada)]).toEqual([0, 1])
    expect(await requests(Ada)).toMatchObject([{ person: { name: 'Kid' }, needs_admin: true }])
    expect((await decide(Ada, 'accept')).status).toBe(200)
    expect(await isMember(Kid, group)).toBe(true)
    expect((await Mum.get(`/api/guardian/children/${Kid.id}/notices`)).body).toMatchObject([
      { kind: 'group_added', text: 'Chess Club' },
    ])
  })

  test('passes to admins what an owner may not accept because of a child', async () => {
    const { Ada, Oda, Kid, group } = await openGroupScene(dialect)
    await setAccess(Oda, group, 'ask')
    expect((await join(Kid, group)).body).toMatchObject({ state: 'waiting' })
    expect([await waiting(Oda), await waiting(Ada)]).toEqual([1, 0])
    expect((await decide(Oda, 'accept')).body).toMatchObject({ state: 'passed_on' })
    expect([await waiting(Oda), await waiting(Ada), await isMember(Kid, group)]).toEqual([0, 1, false])
    expect((await decide(Oda, 'decline')).body).toMatchObject({ state: 'declined' })
    expect(await waiting(Ada)).toBe(0)
  })
})
