import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, createGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { fourColours } from '#tests/pictures.ts'
import { slowModeChoices } from '../contract.ts'

describe.each(dialectsInTurn())('slow mode on %s', (dialect) => {
  afterEach(() => void vi.useRealTimers())

  async function open(seconds = 30) {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve')
    const group = await createGroup(people.ann, 'Club', people.ben, people.eve)
    if (seconds) expect((await set(people.ann, group, seconds)).status).toBe(200)
    return { ...app, ...people, group }
  }
  const set = (who: Actor, group: number, seconds: unknown) =>
    who.send('PUT', `/api/groups/${group}/slow-mode`, { seconds })
  const send = (who: Actor, group_id: number, message = 'Hello', client_id: string | null = null) =>
    who.post('/api/group-messages/send', { message, group_id, client_id })
  const statusesOf = async (who: Actor, group: number, count: number) => {
    const all = []
    for (let i = 0; i < count; i++) all.push((await send(who, group)).status)
    return all
  }

  test('is off at first, and takes only certain numbers of seconds', async () => {
    const { ann, ben, group } = await open(0)
    expect(await statusesOf(ben, group, 3)).toEqual([200, 200, 200])
    expect((await ben.get(`/api/groups/${group}`)).body).not.toHaveProperty('slow_mode_seconds')
    for (const seconds of [5, -30, '30', null, undefined, 1e9])
      expect((await set(ann, group, seconds)).status, String(seconds)).toBe(422)
    for (const seconds of slowModeChoices) expect((await set(ann, group, seconds)).status).toBe(200)
    for (const who of [ben]) expect((await set(who, group, 10)).status).toBe(403)
    expect((await set(ann, 999_999, 10)).status).toBe(404)
  })

  test('makes members wait between two messages, and says for how long', async () => {
    const { ben, eve, group, db } = await open(60)
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    expect((await send(ben, group)).status).toBe(200)
    vi.setSystemTime(start + 20_500)
    const refused = await send(ben, group, 'Again')
    expect(refused).toMatchObject({
      status: 429,
      body: {
        message: 'Slow mode is on in this group. You can send your next message in 40 seconds.',
      },
      headers: { 'retry-after': '40' },
    })
    expect((await ben.get(`/api/groups/${group}`)).body).toMatchObject({
      slow_mode_seconds: 60,
      slow_mode_wait: 40,
    })
    // A refused message of ben does not begin his wait again, and other members do not wait because of ben.
    expect((await send(eve, group)).status).toBe(200)
    vi.setSystemTime(start + 60_000)
    expect((await ben.get(`/api/groups/${group}`)).body).not.toHaveProperty('slow_mode_wait')
    expect((await send(ben, group)).status).toBe(200)
    expect((await readRows(db, 'messages')).length).toBe(3)
  })

  test('lets one of several messages of the same moment through', async () => {
    const { ben, group, db } = await open()
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(ben, group)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429])
    expect(await readRows(db, 'messages')).toHaveLength(1)
  })

  test('does not count repeated messages and edits, and counts deleted ones', async () => {
    const { ben, group } = await open()
    const first = await send(ben, group, 'Hello', 'a')
    const again = await send(ben, group, 'Hello', 'a')
    expect([again.status, again.body.message.id]).toEqual([200, first.body.message.id])
    const path = `/api/chat-messages/${first.body.message.id}`
    expect((await ben.send('PUT', path, { message: 'Better' })).status).toBe(200)
    // The refused message was not stored. So it is refused again with the same client id, even after the
    // first message was deleted.
    expect((await send(ben, group, 'Two', 'b')).status).toBe(429)
    expect((await ben.delete(path)).status).toBe(200)
    expect((await send(ben, group, 'Two', 'b')).status).toBe(429)
  })

  test('does not apply to admins, the owner, private chats and other groups', async () => {
    const { ann, ben, eve, group, ...app } = await open()
    expect(await statusesOf(ann, group, 3)).toEqual([200, 200, 200])
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const own = (await ben.post('/api/groups', { name: 'Own' })).body.group.id
    await ben.post(`/api/groups/${own}/add-user`, { user_id: eve.id })
    expect((await set(ben, own, 3600)).status).toBe(200)
    expect(await statusesOf(ben, own, 3)).toEqual([200, 200, 200])
    expect(await statusesOf(eve, own, 2)).toEqual([200, 429])
    expect(await statusesOf(eve, group, 2)).toEqual([200, 429])
    await eve.post(`/api/follow/${ben.id}`)
    for (const input of ['one', 'two'])
      expect((await eve.post('/api/send-private-message', { input, targetUserId: ben.id })).status).toBe(200)
    expect((await set(ben, own, 0)).status).toBe(200)
    expect(await statusesOf(eve, own, 2)).toEqual([200, 200])
  })

  test('leaves no picture of a refused message behind', async () => {
    const { ben, group, db } = await open()
    const picture = await fourColours().png().toBuffer()
    const sendPicture = () => {
      const form = new FormData()
      form.set('group_id', String(group))
      form.append('images[]', new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }))
      return ben.post('/api/group-messages/send', form)
    }
    expect((await sendPicture()).status).toBe(200)
    expect((await sendPicture()).status).toBe(429)
    expect(await readRows(db, 'media')).toHaveLength(1)
    expect(await readRows(db, 'pending_media')).toEqual([])
  })

  test('is announced to the members, and stands in the history of the group', async () => {
    const { ann, ben, group, ...app } = await open(0)
    const { recorded } = spyOnBroadcasts(app)
    for (const seconds of [60, 60, 0]) await set(ann, group, seconds)
    const changes = recorded('GroupChanged').map(({ data }) => data.change)
    expect(changes).toMatchObject([
      { kind: 'slow_mode', slow_mode_seconds: 60, actor: { name: 'ann' }, name: null },
      { kind: 'slow_mode', slow_mode_seconds: 0 },
    ])
    expect((await ben.get(`/api/groups/${group}`)).body.changes.slice(-2)).toEqual(changes)
  })
})
