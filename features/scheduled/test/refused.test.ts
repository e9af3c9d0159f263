import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  contactState,
  createClub,
  decideContact,
  followAs,
  sendMessage,
} from '#features/guardians/test/guardian-scene.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { databases, readRows } from '#tests/harness.ts'
import type { Scheduled } from '../contract.ts'
import {
  added,
  comes,
  inMinutes,
  listOf,
  messagesIn,
  messagesWith,
  passes,
  postsOf,
  reasonOf,
  runDue,
  scheduledScene,
  toldOf,
  tryMessage,
  tryPost,
} from './scheduled-scene.ts'

type Scene = Awaited<ReturnType<typeof scheduledScene>>

/** What its author may send now, and how the right is lost until its time. */
const losses: Record<
  string,
  {
    send: (scene: Scene) => Promise<number>
    lose: (scene: Scene) => Promise<{ status: number }>
    why: RegExp
  }
> = {
  'a message to a group that its author has left': {
    send: ({ Uma, club }) => added(tryMessage(Uma, { group_id: club })),
    lose: ({ Uma, club }) => Uma.post(`/api/groups/${club}/leave`),
    why: /group/,
  },
  'a message to a deleted group': {
    send: ({ Uma, club }) => added(tryMessage(Uma, { group_id: club })),
    lose: ({ Ada, club }) => Ada.delete(`/api/groups/${club}`),
    why: /group/,
  },
  'a message to a group in which others write now': {
    send: ({ Uma, club }) => added(tryMessage(Uma, { group_id: club })),
    lose: ({ Ada, club }) => Ada.put(`/api/groups/${club}/writers`, { writers: 'chosen' }),
    why: /Only some members/,
  },
  'a message to a person who has blocked its author': {
    send: ({ Uma, Ben }) => added(tryMessage(Uma, { user_id: Ben.id })),
    lose: ({ Ben, Uma }) => Ben.post(`/api/users/${Uma.id}/block`),
    why: /./,
  },
  'a message to a deleted member': {
    send: ({ Uma, Ben }) => added(tryMessage(Uma, { user_id: Ben.id })),
    async lose(scene) {
      const answer = await scene.Ben.send('DELETE', '/api/account', { messages: 'keep' })
      await runDeletions(scene)
      return answer
    },
    why: /./,
  },
  'a post for a group that its author has left': {
    send: ({ Uma, club }) => added(tryPost(Uma, { audience: 'group', group_id: club })),
    lose: ({ Uma, club }) => Uma.post(`/api/groups/${club}/leave`),
    why: /not in this group/,
  },
  'a post that tells everybody, of a former announcer': {
    async send({ Ada, Uma }) {
      expect((await Ada.put(`/api/admin/users/${Uma.id}/announcer`)).status).toBeLessThan(300)
      return added(tryPost(Uma, { extras: { tell: {} } }))
    },
    lose: ({ Ada, Uma }) => Ada.delete(`/api/admin/users/${Uma.id}/announcer`),
    why: /tell everybody/,
  },
}

describe.each(databases)('what may no longer be sent on %s', (dialect) => {
  test.each(Object.keys(losses))('%s stays, and its author is told once', async (name) => {
    const { send, lose, why } = losses[name]!
    const scene = await scheduledScene(dialect)
    const { Uma, db } = scene
    const id = await send(scene)
    expect((await lose(scene)).status).toBeLessThan(300)
    await comes(scene)
    await comes(scene)
    expect(await reasonOf(Uma)).toMatch(why)
    expect(await toldOf(Uma)).toEqual([1])
    for (const table of ['posts', 'messages']) expect(await readRows(db, table), table).toEqual([])
    expect((await Uma.post(`/api/scheduled/${id}/send`)).status).toBeGreaterThanOrEqual(400)
    expect((await listOf(Uma)).length).toBe(1)
    await Uma.delete(`/api/scheduled/${id}`)
    expect(await toldOf(Uma)).toEqual([])
  })

  test('of a suspended author stays, and goes with a new time', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Ben } = scene
    const id = await added(tryPost(Uma))
    const suspension = `/api/admin/users/${Uma.id}/suspension`
    expect((await Ada.put(suspension)).status).toBeLessThan(300)
    await comes(scene)
    expect(await postsOf(Ben)).toEqual([])
    expect((await Ada.delete(suspension)).status).toBeLessThan(300)
    await Uma.post('/login', { email: 'uma@engawa.example', password: 'correct horse' })
    expect([await reasonOf(Uma), await toldOf(Uma)]).toEqual([
      'Your account was suspended at that time.',
      [1],
    ])
    await Uma.put(`/api/scheduled/${id}`, { due_at: inMinutes(5) })
    expect([await reasonOf(Uma), await toldOf(Uma)]).toEqual([undefined, []])
    await comes(scene)
    expect((await postsOf(Ben)).map(({ body }) => body)).toEqual(['See you at nine'])
  })

  test('of an admin goes with the rights of an admin, unless they are gone', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Ben, club } = scene
    await Ada.put(`/api/groups/${club}/writers`, { writers: 'chosen' })
    await Ada.put(`/api/admin/users/${Ben.id}/admin`)
    await added(tryMessage(Ben, { message: 'As an admin', group_id: club }))
    await comes(scene)
    const requireStep = (admins_need_second_step: boolean) =>
      transaction(scene.db, (tx) => scene.context.settings.save(tx, { admins_need_second_step }))
    await added(tryMessage(Ben, { message: 'Without a second step', group_id: club }))
    await requireStep(true)
    await comes(scene)
    await requireStep(false)
    await added(tryMessage(Ben, { message: 'No more', group_id: club }))
    expect((await Ada.delete(`/api/admin/users/${Ben.id}/admin`)).status).toBeLessThan(300)
    await comes(scene)
    expect([await messagesIn(Uma, club), await toldOf(Ben)]).toEqual([['As an admin'], [2]])
  })

  test('to a child asks the guardians, and waits for its author', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Kid, Mum, Dad, db } = scene
    const club = await createClub(Ada, Uma, Kid)
    await followAs(Kid, Uma)
    await sendMessage(Kid, Uma)
    await added(tryMessage(Uma, { user_id: Kid.id }))
    // The group was the reason why they might write to each other.
    await Ada.delete(`/api/groups/${club}`)
    await comes(scene)
    expect(await reasonOf(Uma)).toMatch(/New contacts/)
    expect(await contactState(Mum, Kid, Uma)).toBe('requested')
    expect(await readRows(db, 'messages')).toHaveLength(1)
    for (const guardian of [Mum, Dad]) await decideContact(guardian, Kid, Uma, 'allowed')
    const [{ id }] = (await listOf(Uma)) as [Scheduled]
    expect((await Uma.post(`/api/scheduled/${id}/send`)).body).toEqual({ count: 0 })
    expect(await messagesWith(Kid, Uma)).toContain('Good morning')
  })

  test('because a day has passed stays too, and is sent by its author', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben } = scene
    const [day, id] = [24 * 60, await added(tryPost(Uma))]
    await comes(scene, day + 1)
    expect([await postsOf(Ben), await toldOf(Uma)]).toEqual([[], [1]])
    expect(await reasonOf(Uma)).toMatch(/in the day after its time/)
    expect((await Uma.post(`/api/scheduled/${id}/send`)).status).toBe(200)
    expect([(await postsOf(Ben)).length, await toldOf(Uma)]).toEqual([1, []])
    await added(tryPost(Uma))
    await comes(scene, day - 1)
    expect((await postsOf(Ben)).length).toBe(2)
  })

  test('because of slow mode goes a little later', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Ben, club, db } = scene
    expect((await Ada.put(`/api/groups/${club}/slow-mode`, { seconds: 60 })).status).toBeLessThan(300)
    await Uma.post('/api/group-messages/send', { group_id: club, message: 'First' })
    await added(tryMessage(Uma, { message: 'Second', group_id: club }))
    await passes(scene, 1)
    await runDue(scene)
    expect([await messagesIn(Ben, club), await toldOf(Uma)]).toEqual([['First'], []])
    await transaction(db, (tx) =>
      sql`update conversation_members set last_slow_message_at = null`.execute(tx),
    )
    await comes(scene)
    expect((await messagesIn(Ben, club)).sort()).toEqual(['First', 'Second'])
    expect(await messagesWith(Ben, Uma)).toEqual([])
  })
})
