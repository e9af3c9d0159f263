import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_OWNED_GROUPS } from '../contract.ts'
import { repairOwners } from '../owner-repair.ts'

describe.each(dialectsInTurn())('handing a group over on %s', (dialect) => {
  /** Creates an app in which ann is the admin, ben owns a group with eve and ida, and zoe is in no group. */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida', 'zoe')
    const { ben, eve, ida } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const create = async (who: Actor, ...members: Actor[]): Promise<number> => {
      const { id } = (await who.post('/api/groups', { name: 'Club' })).body.group
      for (const { id: user_id } of members) await who.post(`/api/groups/${id}/add-user`, { user_id })
      return id
    }
    const group = await create(ben, eve, ida)
    const handOver = (who: Actor, user: { id: unknown }, id = group) =>
      who.send('PUT', `/api/groups/${id}/owner`, { user_id: user.id })
    const readOwner = async (id = group) =>
      (await readRows(app.db, 'conversations')).find((row) => row.id === id)?.owner_id
    const rename = async (who: Actor, name: string) =>
      (await who.send('PUT', `/api/groups/${group}`, { name })).status
    return { ...app, ...people, group, create, handOver, readOwner, rename }
  }

  test('gives all rights to the new owner, and all members learn it', async () => {
    const { ben, eve, ida, handOver, readOwner, rename, group, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    const emit = vi.spyOn(app.context, 'emit')
    expect(await handOver(ben, eve)).toMatchObject({
      status: 200,
      body: { message: 'The group was handed over.' },
    })
    expect(await readOwner()).toBe(eve.id)
    expect([await rename(ben, 'Mine'), await rename(eve, 'Circle')]).toEqual([403, 200])
    expect((await eve.get(`/api/groups/${group}`)).body.is_owner).toBe(true)
    expect((await ben.get(`/api/groups/${group}`)).body).not.toHaveProperty('is_owner')
    const { body: members } = await ida.get(`/api/groups/${group}/members`)
    expect(members.filter((member: object) => 'is_owner' in member)).toMatchObject([{ id: eve.id }])
    const [change] = recorded('GroupChanged')
    expect(change!.to).toEqual(expect.arrayContaining([ben, eve, ida].map(({ id }) => `presence-user.${id}`)))
    expect(change!.data.change).toMatchObject({
      kind: 'owner',
      actor: { id: ben.id },
      person: { id: eve.id },
    })
    expect(emit.mock.calls.map(([, name, data]) => [name, data])).toContainEqual([
      'group.owner_changed',
      { conversation_id: group, user_id: eve.id, actor_id: ben.id, by_owner: true },
    ])
  })

  test('is for the owner and admins, and for nobody else', async () => {
    const { ann, ben, eve, ida, zoe, handOver, readOwner, db } = await open()
    for (const who of [eve, zoe]) expect((await handOver(who, who)).status).toBe(403)
    for (const who of [ben, zoe]) expect((await handOver(who, eve, UNUSED_ID)).status).toBe(403)
    expect((await handOver(ann, eve, UNUSED_ID)).status).toBe(404)
    // The server refuses the request of a member who does not manage the group before it checks the input.
    expect((await handOver(eve, { id: 'x' })).status).toBe(403)
    expect((await handOver(ben, { id: 'x' })).status).toBe(422)
    expect(await readOwner()).toBe(ben.id)
    const actions = async () => (await readRows(db, 'audit_log')).map(({ action }) => action)
    expect((await handOver(ben, eve)).status).toBe(200)
    expect(await actions()).not.toContain('group_owner_changed')
    expect((await handOver(ann, ida)).status).toBe(200)
    expect(await readOwner()).toBe(ida.id)
    expect(await actions()).toContain('group_owner_changed')
  })

  test('to the owner changes nothing', async () => {
    const { ben, group, handOver, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    expect((await handOver(ben, ben)).body.message).toBe('The member owns the group already.')
    expect(recorded('GroupChanged')).toEqual([])
    expect((await ben.get(`/api/groups/${group}`)).body.is_owner).toBe(true)
  })

  test('is refused for people who are no members, or hidden by a block, with the same answer', async () => {
    const { ann, ben, eve, ida, zoe, handOver, readOwner } = await open()
    await eve.post(`/api/users/${ben.id}/block`)
    await ben.post(`/api/users/${ida.id}/block`)
    const unknown = await handOver(ben, { id: UNUSED_ID })
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: { user_id: ['Only a member of the group can take it over.'] } },
    })
    for (const who of [eve, ida, zoe])
      expect(await handOver(ben, who)).toMatchObject({ status: 422, body: unknown.body })
    expect((await handOver(ann, zoe)).status).toBe(422)
    expect(await readOwner()).toBe(ben.id)
    // Ann, an admin, can hand the group over to eve, because admins see all members.
    expect((await handOver(ann, eve)).status).toBe(200)
  })

  test('is refused for members who may not own a group, without saying why', async () => {
    const { ann, ben, eve, ida, create, handOver, readOwner } = await open()
    await ann.put(`/api/admin/users/${eve.id}/suspension`)
    for (let n = 0; n < MAX_OWNED_GROUPS; n++) await create(ida)
    const answers = [await handOver(ben, eve), await handOver(ben, ida), await handOver(ann, ida)]
    for (const { status, body } of answers) {
      expect(status).toBe(422)
      expect(body).toEqual(answers[0]!.body)
    }
    expect(await readOwner()).toBe(ben.id)
  })

  test('by an admin gives an owner to a group that has none', async () => {
    const { ann, ben, eve, create, handOver, readOwner } = await open()
    const group = await create(ann, ben, eve)
    expect((await handOver(ben, ben, group)).status).toBe(403)
    expect((await handOver(ann, ben, group)).status).toBe(200)
    expect(await readOwner(group)).toBe(ben.id)
    expect((await handOver(ben, eve, group)).status).toBe(200)
  })

  test('and leaving at the same moment leave the group to a member', async () => {
    const { ben, eve, group, handOver, readOwner, db } = await open()
    await Promise.all([handOver(ben, eve), eve.post(`/api/groups/${group}/leave`)])
    const members = (await readRows(db, 'conversation_members')).map(({ user_id }) => user_id)
    expect(members).toContain(await readOwner())
    expect(await readOwner()).not.toBe(eve.id)
  })

  test('announces a successor without an actor', async () => {
    const { ben, eve, group, context } = await open()
    const emit = vi.spyOn(context, 'emit')
    await ben.post(`/api/groups/${group}/leave`)
    expect(emit.mock.calls.map(([, name, data]) => [name, data])).toContainEqual([
      'group.owner_changed',
      { conversation_id: group, user_id: eve.id, actor_id: null, by_owner: false },
    ])
  })

  test('is made up for by the update, for groups that lost their owner before', async () => {
    const { ann, ben, eve, ida, zoe, create, readOwner, ...app } = await open()
    const lost = await create(zoe, ida, eve)
    const [alone, ofAdmin] = [await create(zoe), await create(ann, ben)]
    await ann.put(`/api/admin/users/${ida.id}/admin`)
    const ofFormerAdmin = await create(ida, ben)
    await ann.delete(`/api/admin/users/${ida.id}/admin`)
    await ann.put(`/api/admin/users/${eve.id}/suspension`)
    await transaction(app.db, async (tx) => {
      await tx.deleteFrom('conversation_members').where('user_id', '=', zoe.id).execute()
      await tx.updateTable('conversations').set({ owner_id: null }).execute()
    })
    for (let times = 0; times < 2; times++) await transaction(app.db, repairOwners)
    expect(await readOwner(lost)).toBe(ida.id)
    expect(await readOwner(app.group)).toBe(ben.id)
    for (const id of [alone, ofAdmin, ofFormerAdmin]) expect(await readOwner(id)).toBeNull()
    const { changes } = (await ida.get(`/api/groups/${lost}`)).body
    expect(changes.at(-1)).toMatchObject({ kind: 'owner', actor: null, person: { id: ida.id } })
    expect(changes.filter(({ kind }: { kind: string }) => kind === 'owner')).toHaveLength(1)
  })
})
