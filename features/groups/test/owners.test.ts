import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { type Actor, spyOnBroadcasts } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_OWNED_GROUPS } from '../contract.ts'

describe.each(dialectsInTurn())('the owner of a group on %s', (dialect) => {
  /** Creates an app in which ann is the admin and ben owns a group, to which eve and then ida were added. */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const { ann, ben, eve, ida } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const createOwn = async (who: Actor, ...members: Actor[]): Promise<number> => {
      const { id } = (await who.post('/api/groups', { name: 'Club' })).body.group
      for (const { id: user_id } of members)
        expect((await who.post(`/api/groups/${id}/add-user`, { user_id })).status).toBe(200)
      return id
    }
    const readOwner = async (group: number) =>
      (await readRows(app.db, 'conversations')).find(({ id }) => id === group)?.owner_id
    const readKinds = async (who: Actor, group: number) =>
      (await who.get(`/api/groups/${group}`)).body.changes.map(({ kind }: { kind: string }) => kind)
    const suspend = (who: Actor) => ann.put(`/api/admin/users/${who.id}/suspension`)
    const remove = (who: Actor) =>
      transaction(app.db, (tx) => deleteMember(app.context, tx, { id: who.id, keep_messages: true }))
    const group = await createOwn(ben, eve, ida)
    return { ...app, ...people, ben, eve, ida, group, createOwn, readOwner, readKinds, suspend, remove }
  }

  test('who leaves passes the group to its longest-standing member, and all members learn it', async () => {
    const { ben, eve, ida, group, readOwner, readKinds, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    expect((await ben.post(`/api/groups/${group}/leave`)).status).toBe(200)
    expect(await readOwner(group)).toBe(eve.id)
    expect((await eve.get(`/api/groups/${group}`)).body).toMatchObject({ is_owner: true })
    expect((await ida.get(`/api/groups/${group}`)).body).not.toHaveProperty('is_owner')
    expect((await readKinds(ida, group)).slice(-2)).toEqual(['left', 'owner'])
    const changes = recorded('GroupChanged').map(({ data }) => data.change)
    expect(changes).toMatchObject([
      { kind: 'left', person: { id: ben.id } },
      { kind: 'owner', actor: null, person: { id: eve.id } },
    ])
    expect((await eve.send('PUT', `/api/groups/${group}`, { name: 'Circle' })).status).toBe(200)
    expect((await ida.send('PUT', `/api/groups/${group}`, { name: 'Round' })).status).toBe(403)
    await eve.post(`/api/groups/${group}/leave`)
    await ida.post(`/api/groups/${group}/leave`)
    expect(await readOwner(group)).toBeNull()
  })

  test('who is removed by an admin, or whose account is deleted, passes the group too', async () => {
    const { ann, ben, eve, ida, group, createOwn, readOwner, readKinds, remove } = await open()
    const second = await createOwn(ben, ida)
    const alone = await createOwn(ben)
    expect((await ann.delete(`/api/groups/${group}/members/${ben.id}`)).status).toBe(200)
    expect(await readOwner(group)).toBe(eve.id)
    await remove(ben)
    expect(await readOwner(second)).toBe(ida.id)
    expect(await readOwner(alone)).toBeNull()
    expect((await readKinds(ida, second)).slice(-2)).toEqual(['left', 'owner'])
    await remove(eve)
    expect(await readOwner(group)).toBe(ida.id)
    expect((await ida.get(`/api/groups/${group}`)).body).toMatchObject({ is_owner: true })
  })

  test('who is suspended without end passes the group, and does not get it back', async () => {
    const { ann, ben, eve, ida, group, createOwn, readOwner, readKinds, suspend } = await open()
    const alone = await createOwn(ben)
    expect((await suspend(ben)).status).toBe(200)
    expect([await readOwner(group), await readOwner(alone)]).toEqual([eve.id, ben.id])
    expect((await readKinds(ida, group)).at(-1)).toBe('owner')
    await suspend(ben)
    expect((await readKinds(ida, group)).filter((kind: string) => kind === 'owner')).toHaveLength(1)
    await ann.delete(`/api/admin/users/${ben.id}/suspension`)
    expect([await readOwner(group), await readOwner(alone)]).toEqual([eve.id, ben.id])
  })

  test('is no suspended member, and none with the most groups of their own', async () => {
    const { ben, eve, ida, group, createOwn, readOwner, suspend, members } = await open()
    const { zoe } = await members('zoe')
    await ben.post(`/api/groups/${group}/add-user`, { user_id: zoe.id })
    await suspend(eve)
    for (let n = 0; n < MAX_OWNED_GROUPS; n++) await createOwn(ida)
    await ben.post(`/api/groups/${group}/leave`)
    expect(await readOwner(group)).toBe(zoe.id)
    await zoe.post(`/api/groups/${group}/leave`)
    expect(await readOwner(group)).toBeNull()
  })

  test('of a group of admins is nobody, also after its members have left', async () => {
    const { ann, eve, ida, createOwn, readOwner } = await open()
    const group = await createOwn(ann, eve, ida)
    await ann.post(`/api/groups/${group}/leave`)
    await eve.post(`/api/groups/${group}/leave`)
    expect(await readOwner(group)).toBeNull()
    expect((await ida.send('PUT', `/api/groups/${group}`, { name: 'Mine' })).status).toBe(403)
  })

  test('is one member when the owner and the next one leave at the same moment', async () => {
    const { ben, eve, ida, group, readOwner } = await open()
    const answers = await Promise.all([ben, eve].map((who) => who.post(`/api/groups/${group}/leave`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await readOwner(group)).toBe(ida.id)
  })

  test('is no member who is suspended at the same moment', async () => {
    const { ben, eve, ida, group, readOwner, suspend } = await open()
    await Promise.all([ben.post(`/api/groups/${group}/leave`), suspend(eve)])
    expect(await readOwner(group)).toBe(ida.id)
  })
})
