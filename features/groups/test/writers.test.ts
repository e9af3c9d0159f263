import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

describe.each(dialectsInTurn())('who may write in a group on %s', (dialect) => {
  /** ann is the admin, ben owns the group with eve and cho, and ida is in no group. */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'cho', 'ida')
    const { ann, ben, eve, cho } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const group: number = (await ben.post('/api/groups', { name: 'Club' })).body.group.id
    for (const { id } of [eve, cho, ann]) await ben.post(`/api/groups/${group}/add-user`, { user_id: id })
    const set = (who: Actor, change: object, id = group) => who.put(`/api/groups/${id}/writers`, change)
    const send = async (who: Actor, message = 'Hello', client_id?: string) =>
      (await who.post('/api/group-messages/send', { message, group_id: group, client_id })).status
    const get = async (who: Actor) => (await who.get(`/api/groups/${group}`)).body
    return { ...app, ...people, group, set, send, get }
  }

  test('is everybody at first, then the owner, admins and those whom they choose', async () => {
    const { ann, ben, eve, cho, group, set, send, get } = await open()
    expect(await send(eve, 'Before', 'first')).toBe(200)
    expect(await get(eve)).not.toHaveProperty('chosen_writers')
    expect((await set(ben, { writers: 'chosen', add: [cho.id] })).body.message).toBe(
      'Only some members may write now.',
    )
    expect(await Promise.all([ann, ben, cho, eve].map((who) => send(who)))).toEqual([200, 200, 200, 403])
    // A repeated message is one that was sent in time.
    expect(await send(eve, 'Before', 'first')).toBe(200)
    expect(await get(eve)).toMatchObject({ chosen_writers: true, cannot_write: true })
    expect(await get(cho)).not.toHaveProperty('cannot_write')
    const members = (await eve.get(`/api/groups/${group}/members`)).body as { id: number; is_writer?: true }[]
    expect(members.filter(({ is_writer }) => is_writer).map(({ id }) => id)).toEqual([cho.id])
    await set(ann, { writers: 'chosen', add: [eve.id], remove: [cho.id] })
    expect([await send(eve), await send(cho)]).toEqual([200, 403])
    await set(ben, { writers: 'all' })
    expect(await send(cho)).toBe(200)
    expect(await get(cho)).not.toHaveProperty('chosen_writers')
  })

  test('is no right that outlives the membership, or that somebody outside gets', async () => {
    const { ben, cho, ida, group, set, send } = await open()
    await set(ben, { writers: 'chosen', add: [cho.id, ida.id, UNUSED_ID] })
    await cho.post(`/api/groups/${group}/leave`)
    for (const { id } of [cho, ida]) await ben.post(`/api/groups/${group}/add-user`, { user_id: id })
    expect([await send(cho), await send(ida)]).toEqual([403, 403])
  })

  test('is decided by nobody else, and in words that the server knows', async () => {
    const { ben, eve, ida, set, db } = await open()
    const chosen = { writers: 'chosen' }
    for (const who of [eve, ida]) expect((await set(who, chosen)).status).toBe(403)
    for (const wrong of [
      {},
      { writers: 'some' },
      { ...chosen, add: 'eve' },
      { ...chosen, add: Array(501).fill(1) },
    ])
      expect((await set(ben, wrong)).status, JSON.stringify(wrong)).toBe(422)
    expect(await readRows(db, 'conversations')).toMatchObject([{ chosen_writers_since: null }])
  })

  test('reaches all members live, and ends forwards and edits too, but no deletion', async () => {
    const { ben, eve, group, set, send, ...app } = await open()
    const own = await eve.post('/api/group-messages/send', { message: 'Mine', group_id: group })
    const { recorded } = spyOnBroadcasts(app)
    await set(ben, { writers: 'chosen' })
    expect(recorded('GroupChanged')).toMatchObject([{ data: { change: { kind: 'writers_chosen' } } }])
    const { id } = own.body.message
    const path = `/api/chat-messages/${id}`
    expect((await eve.post(`${path}/forward`, { group_id: group })).status).toBe(403)
    expect((await eve.put(path, { message: 'Changed' })).status).toBe(403)
    expect((await eve.delete(path)).status).toBe(200)
  })
})
