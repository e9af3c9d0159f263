import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createGroup, sendToGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { occupiedChannels } from '#tests/sockets.ts'
import {
  type Actor,
  childContacts,
  contactState,
  createClub,
  decideContact,
  followAs,
  guardianScene,
  noticeKinds,
  sendMessage,
} from './guardian-scene.ts'

interface Attempt {
  by: string
  kind: string
  count: number
}

/** Functions that send a request by which Kid and Ben lose their last common group, each in another way. */
const endings = {
  'is deleted': ({ Ada }: { Ada: Actor }, group: number) => Ada.delete(`/api/groups/${group}`),
  'loses the child': ({ Ada, Kid }: { Ada: Actor; Kid: Actor }, group: number) =>
    Ada.delete(`/api/groups/${group}/members/${Kid.id}`),
  'is left by the other': ({ Ben }: { Ben: Actor }, group: number) => Ben.post(`/api/groups/${group}/leave`),
}

describe.each(databases)('contacts of a child from a group on %s', (dialect) => {
  test.each(Object.keys(endings) as (keyof typeof endings)[])(
    'wait for a guardian when the last common group %s',
    async (ending) => {
      const { subscribeAs, realtime, db, ...people } = await guardianScene(dialect)
      const { Ada, Kid, Ben, Mum } = people
      const group = await createClub(Ada, Kid, Ben)
      await followAs(Ben, Kid)
      await followAs(Kid, Ben)
      for (const [from, to] of [[Kid, Ben] as const, [Ben, Kid] as const])
        expect((await sendMessage(from, to)).status).toBe(200)
      const channel = `private-chat.${Math.min(Kid.id, Ben.id)}.${Math.max(Kid.id, Ben.id)}`
      const window = await subscribeAs(Ben, channel)
      expect((await endings[ending](people, group)).status).toBe(200)
      await vi.waitUntil(async () => !(await occupiedChannels(realtime)).includes(channel), 10_000)
      window.ws.close()
      expect(await readRows(db, 'follows')).toEqual([])
      const asked = async () => (await Mum.get('/api/guardian/requests')).body
      expect(await asked()).toMatchObject([{ person: { id: Ben.id }, asked_by: null }])
      expect((await sendMessage(Ben, Kid)).status).toBe(403)
      expect((await sendMessage(Kid, Ben)).status).toBe(403)
      expect(await asked()).toMatchObject([{ person: { id: Ben.id }, asked_by: 'person' }])
      expect((await decideContact(Mum, Kid, Ben, 'allowed')).status).toBe(200)
      expect((await sendMessage(Ben, Kid)).status).toBe(200)
      await subscribeAs(Ben, channel)
    },
  )

  test('stay while another group is common, and need no request without a chat or a follow', async () => {
    const { Ada, Kid, Ben, Uma, Mum } = await guardianScene(dialect)
    const first = await createClub(Ada, Kid, Ben, Uma)
    await createClub(Ada, Kid, Ben)
    await followAs(Kid, Ben)
    await Ada.delete(`/api/groups/${first}`)
    expect((await sendMessage(Kid, Ben)).status).toBe(200)
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
    expect(await contactState(Mum, Kid, Ben)).toBeNull()
  })

  test('are closed to whom a guardian has refused, also while the group lasts', async () => {
    const { Ada, Kid, Uma, Mum } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    const group = await createClub(Ada, Kid, Uma)
    const refusal = await decideContact(Mum, Kid, Uma, 'refused')
    expect(refusal).toMatchObject({ status: 200, body: { state: 'refused', in_group: true } })
    for (const [from, to] of [
      [Uma, Kid],
      [Kid, Uma],
    ] as const) {
      expect((await followAs(from, to)).status).toBe(403)
      expect((await sendMessage(from, to)).status).toBe(403)
    }
    expect((await sendToGroup(Uma, group, 'To all')).id).toBeTypeOf('number')
    expect(await childContacts(Mum, Kid)).toMatchObject([{ state: 'refused', in_group: true }])
    await decideContact(Mum, Kid, Uma, 'allowed', 'refused')
    expect((await followAs(Uma, Kid)).status).toBe(200)
    await decideContact(Mum, Kid, Uma, 'refused', 'allowed')
    await Ada.delete(`/api/groups/${group}`)
    expect(await childContacts(Mum, Kid)).toMatchObject([{ state: 'refused', in_group: false }])
    expect((await sendMessage(Uma, Kid)).status).toBe(403)
  })

  test('do not go on in a group of only the two after a refusal', async () => {
    const { Ada, Kid, Uma, Ben, Mum, db, context } = await guardianScene(dialect)
    await transaction(db, (tx) => context.settings.save(tx, { who_can_create_groups: 'members' }))
    await followAs(Uma, Kid)
    await decideContact(Mum, Kid, Uma, 'allowed')
    const group = await createGroup(Uma, 'Us', Kid)
    const send = (who: Actor, client_id = crypto.randomUUID()) =>
      who.post('/api/group-messages/send', { message: 'Before', group_id: group, client_id })
    const known = crypto.randomUUID()
    const first = (await send(Uma, known)).body.message
    const ofKid = (await send(Kid)).body.message
    const club = await createGroup(Ada, 'Club', Kid, Uma)
    const forwarded = await sendToGroup(Uma, club, 'Look')
    await decideContact(Mum, Kid, Uma, 'refused', 'allowed')
    const reactions = (id: number) => `/api/chat-messages/${id}/reactions/${encodeURIComponent('👍')}`
    const acts = (who: Actor, own: number, other: number) => [
      () => send(who),
      () => who.post(`/api/chat-messages/${forwarded.id}/forward`, { group_id: group }),
      () => who.put(`/api/chat-messages/${own}`, { message: 'Meet me' }),
      () => who.put(reactions(other)),
    ]
    const ofOwner = [
      () => Uma.put(`/api/groups/${group}`, { name: 'Meet me' }),
      () => Uma.put(`/api/groups/${group}/description`, { description: 'Meet me' }),
      () => Uma.put(`/api/groups/${group}/slow-mode`, { seconds: 30 }),
      () => Uma.delete(`/api/groups/${group}/picture`),
    ]
    const all = [...acts(Uma, first.id, ofKid.id), ...acts(Kid, ofKid.id, first.id), ...ofOwner]
    const { recorded } = spyOnBroadcasts({ context })
    for (const act of all) {
      const { status, body } = await act()
      expect(status, `${act} ${JSON.stringify(body)}`).toBe(403)
    }
    for (const event of ['GroupMessageSent', 'GroupMessageChanged', 'GroupChanged', 'ReactionsChanged'])
      expect(recorded(event)).toEqual([])
    expect((await send(Uma, known)).body.message.id).toBe(first.id)
    const history = (await Kid.get(`/api/group-messages/${group}`)).body
    expect(JSON.stringify(history)).toContain('Before')
    expect(JSON.stringify(history)).not.toContain('Meet me')
    const attempts = (await Mum.get(`/api/guardian/children/${Kid.id}/attempts`)).body as Attempt[]
    expect(attempts.map(({ by, kind, count }) => `${by} ${kind} ${count}`).toSorted()).toEqual([
      ...['child first_message 3', 'child message_reaction 1'],
      ...['person first_message 7', 'person message_reaction 1'],
    ])

    // A third member makes it a group again, and their leaving a private chat.
    expect((await Ada.post(`/api/groups/${group}/add-user`, { user_id: Ben.id })).status).toBe(200)
    for (const act of all) expect((await act()).status).toBe(200)
    expect((await Ben.post(`/api/groups/${group}/leave`)).status).toBe(200)
    expect((await send(Uma)).status).toBe(403)
    await decideContact(Mum, Kid, Uma, 'allowed', 'refused')
    await Uma.put(`/api/groups/${group}/slow-mode`, { seconds: 0 })
    expect((await send(Uma)).status).toBe(200)
  })

  test('are announced to the guardians, once for each change', async () => {
    const { Ada, Kid, Ben, Mum, Dad } = await guardianScene(dialect)
    const group = await createClub(Ada, Kid, Ben)
    await Ada.post(`/api/groups/${group}/add-user`, { user_id: Kid.id })
    await Ada.delete(`/api/groups/${group}`)
    expect(await noticeKinds(Mum, Kid)).toEqual(['group_removed', 'group_added'])
    expect((await Dad.get(`/api/guardian/children/${Kid.id}/notices`)).body).toMatchObject([
      { text: 'Club' },
      { text: 'Club' },
    ])
  })

  test('do not begin in a group to which a member adds the child or the other', async () => {
    const { Kid, Ben, Uma, Mum, db, context } = await guardianScene(dialect)
    await transaction(db, (tx) => context.settings.save(tx, { who_can_create_groups: 'members' }))
    const group = (await Ben.post('/api/groups', { name: 'Secret' })).body.group.id
    const add = (who: Actor) => Ben.post(`/api/groups/${group}/add-user`, { user_id: who.id })
    // The error message does not mention guardians or a child: it says only that somebody has to allow the
    // contact first.
    const refused = await add(Kid)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({
      user_id: [expect.stringContaining('Somebody who looks after an account has to allow this first.')],
    })
    await followAs(Kid, Ben)
    await decideContact(Mum, Kid, Ben, 'allowed')
    expect((await add(Kid)).status).toBe(200)
    expect((await add(Uma)).status).toBe(422)
    expect((await add(Mum)).status).toBe(200)
    expect((await followAs(Uma, Kid)).status).toBe(403)
  })

  test('that a group would begin count for the limits of new members', async () => {
    const { Kid, Ben, db, context } = await guardianScene(dialect)
    await transaction(db, (tx) =>
      context.settings.save(tx, { who_can_create_groups: 'members', new_member_days: 3 }),
    )
    const group = (await Ben.post('/api/groups', { name: 'Secret' })).body.group.id
    const add = () => Ben.post(`/api/groups/${group}/add-user`, { user_id: Kid.id })
    const countAdditions = async () =>
      (await readRows(db, 'new_member_counts')).find(({ kind }) => kind === 'group_member')?.count
    const { status } = await add()
    expect([403, 422]).toContain(status)
    expect(await countAdditions()).toBe(1)
    await add()
    expect(await countAdditions()).toBe(2)
  })

  test('do not begin while the common group ends', async () => {
    const { Ada, Kid, Ben, db } = await guardianScene(dialect)
    for (let round = 0; round < 5; round++) {
      const group = await createClub(Ada, Kid, Ben)
      await Promise.all([followAs(Ben, Kid), Ada.delete(`/api/groups/${group}`)])
      expect(await readRows(db, 'follows')).toEqual([])
    }
  })
})
