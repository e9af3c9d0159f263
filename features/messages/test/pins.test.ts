import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  type Actor,
  befriend,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
} from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_PINS } from '../contract.ts'
import * as moderation from '../moderation.ts'

describe.each(dialectsInTurn())('pinned messages of a group on %s', (dialect) => {
  /**
   * Creates an app in which ann is an admin outside of the group, ben owns the group with eve, and ida is in
   * no group.
   */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const { ben, eve } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const group: number = (await ben.post('/api/groups', { name: 'Club' })).body.group.id
    await ben.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const pin = (who: Actor, id: number) => who.send('PUT', `/api/chat-messages/${id}/pin`)
    const unpin = (who: Actor, id: number) => who.delete(`/api/chat-messages/${id}/pin`)
    const listPins = async (who: Actor) => {
      const { status, body } = await who.get(`/api/groups/${group}/pins`)
      expect(status).toBe(200)
      expect((await who.get(`/api/groups/${group}`)).body.pins ?? []).toEqual(body)
      return body.map(({ text }: { text: string }) => text)
    }
    const say = (who: Actor, text: string) => sendToGroup(who, group, text)
    return { ...app, ...people, group, pin, unpin, listPins, say }
  }

  test('are pinned by the owner, and seen by all members at once', async () => {
    const { ben, eve, ida, group, pin, unpin, listPins, say, ...app } = await open()
    const [one, two] = [await say(eve, 'Key is under the pot'), await say(ben, 'Meet at nine')]
    expect(await listPins(eve)).toEqual([])
    expect((await eve.get(`/api/groups/${group}`)).body).not.toHaveProperty('pins')
    const { recorded, clear } = spyOnBroadcasts(app)
    expect(await pin(ben, one.id)).toMatchObject({ status: 200, body: { pinned: true } })
    const change = {
      to: [`private-group-chat.${group}`],
      event: 'PinnedMessagesChanged',
      data: { group_id: group },
    }
    expect(recorded()).toEqual([change])
    await pin(ben, two.id)
    clear()
    // A second request to pin the same message changes nothing and broadcasts nothing.
    expect((await pin(ben, one.id)).body).toEqual({ pinned: true })
    expect(recorded()).toEqual([])
    expect(await listPins(eve)).toEqual(['Meet at nine', 'Key is under the pot'])
    expect((await eve.get(`/api/groups/${group}/pins`)).body[1]).toMatchObject({
      ...{ id: one.id, user: { id: eve.id }, images_count: 0 },
      pinned_by: { id: ben.id },
      pinned_at: expect.any(String),
    })
    expect(await unpin(ben, one.id)).toMatchObject({ status: 200, body: { pinned: false } })
    expect(recorded()).toEqual([change])
    await unpin(ben, one.id)
    expect(recorded()).toHaveLength(1)
    expect(await listPins(ben)).toEqual(['Meet at nine'])
    expect((await ida.get(`/api/groups/${group}/pins`)).status).toBe(403)
  })

  test('are refused to others than managers in the group, and in private chats', async () => {
    const { ann, ben, eve, ida, group, pin, unpin, say } = await open()
    const { id } = await say(eve, 'Mine')
    const call = async (who: Actor, message: number) => [
      (await pin(who, message)).status,
      (await unpin(who, message)).status,
    ]
    expect(await call(eve, id)).toEqual([403, 403])
    for (const who of [ida, ann]) expect(await call(who, id)).toEqual([404, 404])
    expect(await call(ben, UNUSED_ID)).toEqual([404, 404])
    await befriend(ben, eve)
    const { id: privateId } = await sendPrivate(ben, eve, 'Between us')
    expect(await call(ben, privateId)).toEqual([404, 404])
    // An admin who is a member manages the group too.
    await ben.post(`/api/groups/${group}/add-user`, { user_id: ann.id })
    expect(await call(ann, id)).toEqual([200, 200])
  })

  test('are in the audit log if an admin pins them, and not if the owner does', async () => {
    const { ann, ben, eve, group, pin, unpin, say, ...app } = await open()
    const { id } = await say(eve, 'Mine')
    const actions = async () =>
      (await readRows(app.db, 'audit_log'))
        .map(({ action }) => action)
        .filter((action) => String(action).startsWith('message_'))
    await pin(ben, id)
    await unpin(ben, id)
    expect(await actions()).toEqual([])
    await ben.post(`/api/groups/${group}/add-user`, { user_id: ann.id })
    await pin(ann, id)
    await unpin(ann, id)
    expect(await actions()).toEqual(['message_pinned', 'message_unpinned'])
  })

  test('end when the message is deleted or hidden', async () => {
    const { ann, ben, eve, pin, listPins, say, ...app } = await open()
    const [one, two, three] = [await say(eve, 'One'), await say(ben, 'Two'), await say(ben, 'Three')]
    for (const { id } of [one, two, three]) await pin(ben, id)
    await eve.delete(`/api/chat-messages/${one.id}`)
    const moderator = { ...app.context, me: { id: ann.id } } as never
    await transaction(app.db, (tx) => moderation.hide(moderator, tx, two.id))
    expect(await listPins(ben)).toEqual(['Three'])
    for (const { id } of [one, two]) expect((await pin(ben, id)).status).toBe(404)
    expect(await readRows(app.db, 'pinned_messages')).toHaveLength(1)
  })

  test('are left out for those who do not see their authors', async () => {
    const { ben, eve, pin, listPins, say } = await open()
    for (const who of [ben, eve]) await pin(ben, (await say(who, who === ben ? 'Ben' : 'Eve')).id)
    await ben.post(`/api/users/${eve.id}/block`)
    expect(await listPins(eve)).toEqual(['Eve'])
    expect(await listPins(ben)).toEqual(['Ben'])
  })

  test(`are at most ${MAX_PINS}`, async () => {
    const { ben, pin, unpin, say } = await open()
    const ids: number[] = []
    for (let i = 0; i <= MAX_PINS; i++) ids.push((await say(ben, `${i}`)).id)
    const statuses: number[] = []
    for (const id of ids) statuses.push((await pin(ben, id)).status)
    expect(statuses).toEqual([...Array(MAX_PINS).fill(200), 403])
    await unpin(ben, ids[0]!)
    expect((await pin(ben, ids.at(-1)!)).status).toBe(200)
  })
})
