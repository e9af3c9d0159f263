import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_DESCRIPTION } from '../contract.ts'

describe.each(dialectsInTurn())('the description of a group on %s', (dialect) => {
  /** Creates an app in which ann is the admin, ben owns a group with eve, and ida is in no group. */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const { ben, eve } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const group: number = (await ben.post('/api/groups', { name: 'Club' })).body.group.id
    await ben.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const describeGroup = (who: Actor, description: unknown, id = group) =>
      who.send('PUT', `/api/groups/${id}/description`, { description })
    const readDescription = async (who: Actor) => (await who.get(`/api/groups/${group}`)).body.description
    return { ...app, ...people, group, describeGroup, readDescription }
  }

  test('is changed by the owner and by admins, and by nobody else', async () => {
    const { ann, ben, eve, ida, describeGroup, readDescription } = await open()
    expect((await eve.get(`/api/groups/1`)).body).not.toHaveProperty('description')
    expect(await describeGroup(ben, ' Bread on\r\nSundays ')).toMatchObject({
      status: 200,
      body: { message: 'The description was changed.' },
    })
    expect([await readDescription(ben), await readDescription(eve)]).toEqual(
      Array(2).fill('Bread on\nSundays'),
    )
    for (const who of [eve, ida]) expect((await describeGroup(who, 'Mine')).status).toBe(403)
    for (const who of [eve, ben]) expect((await describeGroup(who, 'Mine', UNUSED_ID)).status).toBe(403)
    expect((await describeGroup(ann, 'Mine', UNUSED_ID)).status).toBe(404)
    expect(await readDescription(eve)).toBe('Bread on\nSundays')
    expect((await describeGroup(ann, 'Cakes')).status).toBe(200)
    expect(await readDescription(eve)).toBe('Cakes')
    expect((await describeGroup(ben, '  ')).body.message).toBe('The description was removed.')
    expect((await eve.get(`/api/groups/1`)).body).not.toHaveProperty('description')
  })

  test('has a limit, and is text', async () => {
    const { ben, eve, describeGroup, readDescription } = await open()
    const long = '👋'.repeat(MAX_DESCRIPTION)
    expect((await describeGroup(ben, long)).status).toBe(200)
    expect(await readDescription(eve)).toBe(long)
    for (const wrong of [`${long}x`, 7, ['x'], 'a\0b'])
      expect((await describeGroup(ben, wrong)).body.errors, String(wrong)).toHaveProperty('description')
    // The server refuses the request of a member who may not change the group before it checks the input, as
    // in all changes of groups.
    expect((await describeGroup(eve, 7)).status).toBe(403)
  })

  test('reaches all members live, and the history names the person who changed it', async () => {
    const { ben, eve, describeGroup, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    for (const text of ['Bread', 'Bread', null]) await describeGroup(ben, text)
    expect(recorded('GroupChanged')).toMatchObject([
      { data: { groupId: app.group, change: { kind: 'description', description: 'Bread' } } },
      { data: { change: { kind: 'description', description: '', actor: { id: ben.id } } } },
    ])
    expect(recorded('GroupChanged')[0]!.to).toContain(`presence-user.${eve.id}`)
    const { changes } = (await eve.get(`/api/groups/${app.group}`)).body
    expect(changes.slice(-2)).toMatchObject([
      { kind: 'description', actor: { id: ben.id }, name: null },
      { kind: 'description' },
    ])
    // Neither the changes of the group nor the database keep the text of an earlier description.
    expect(changes.at(-1)).not.toHaveProperty('description')
    expect(JSON.stringify(await readRows(app.db, 'group_changes'))).not.toContain('Bread')
  })

  test('leaves an entry in the log of admins only when an admin changes it', async () => {
    const { ann, ben, describeGroup, db } = await open()
    await describeGroup(ben, 'Bread')
    const actions = async () => (await readRows(db, 'audit_log')).map(({ action }) => action)
    expect(await actions()).not.toContain('group_description_changed')
    for (const text of ['Cakes', 'Cakes']) await describeGroup(ann, text)
    expect((await actions()).filter((action) => action === 'group_description_changed')).toHaveLength(1)
  })
})
