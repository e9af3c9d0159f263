import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { deleteOld } from '../notices.ts'
import {
  type Actor,
  asChild,
  createClub,
  decideContact,
  followAs,
  guardianScene,
  saveMarkEnd,
  sendMessage,
} from './guardian-scene.ts'

interface Listed {
  kind: string
  waiting: number
  child: { name: string }
  is_read: boolean
  last_event_id: number
}

const tasks = async (who: Actor): Promise<Listed[]> =>
  (await who.get('/api/notifications')).body.filter(({ kind }: Listed) => kind === 'contact_request')
const counts = async (who: Actor) => (await tasks(who)).map(({ waiting, child }) => [child.name, waiting])
const unread = async (who: Actor) => (await who.get('/api/notifications/unread')).body

describe.each(dialectsInTurn())('a request that waits for guardians on %s', (dialect) => {
  test('stays in their notifications until one of them decides', async () => {
    const { Kid, Mum, Dad, Uma, Ben, Ada } = await guardianScene(dialect)
    for (const person of [Uma, Ben, Uma]) expect((await followAs(person, Kid)).status).toBe(403)
    // Something newer stands below it.
    await followAs(Ada, Mum)
    for (const guardian of [Mum, Dad]) expect(await counts(guardian)).toEqual([['Kid', 2]])
    const { body } = await Mum.get('/api/notifications')
    expect(body.map(({ kind }: Listed) => kind)).toEqual(['contact_request', 'follow'])
    expect(JSON.stringify(body)).not.toMatch(/Uma|Ben/)
    await Mum.post('/api/notifications/read', { last_event_id: 999_999 })
    expect(await tasks(Mum)).toMatchObject([{ waiting: 2, is_read: false }])
    expect(await unread(Mum)).toMatchObject({ count: 1, waiting: { contact_request: 2 } })
    await decideContact(Dad, Kid, Uma, 'refused')
    expect(await counts(Mum)).toEqual([['Kid', 1]])
    await decideContact(Mum, Kid, Ben, 'allowed')
    for (const guardian of [Mum, Dad]) {
      expect(await tasks(guardian)).toEqual([])
      expect((await unread(guardian)).waiting.contact_request).toBe(0)
    }
  })

  test('reaches nobody but the guardians', async () => {
    const { Kid, Uma, Ben, Ada } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    for (const other of [Kid, Uma, Ben, Ada]) {
      expect(await tasks(other)).toEqual([])
      const own = { report: 0, contact_request: 0, join_request: 0, group_request: 0, not_sent: 0 }
      const none = { ...own, roll_call: 0, roll_call_drill: 0, roll_call_help: 0 }
      expect((await unread(other)).waiting).toEqual(none)
    }
  })

  test('follows a change of the guardians, the end of the mark, and a deleted account', async () => {
    const { Ada, Kid, Mum, Dad, Uma, Ben, db, context } = await guardianScene(dialect)
    for (const person of [Uma, Ben]) await followAs(person, Kid)
    await asChild(Ada, Kid, ['mum', 'ada'])
    expect([await counts(Mum), await counts(Dad), await counts(Ada)]).toEqual([
      [['Kid', 2]],
      [],
      [['Kid', 2]],
    ])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Uma.id, keep_messages: false }))
    expect(await counts(Mum)).toEqual([['Kid', 1]])
    await saveMarkEnd({ db }, Kid, '2020-01-01')
    await transaction(db, (tx) => deleteOld(context, tx))
    expect(await counts(Mum)).toEqual([])
    await asChild(Ada, Kid, ['dad'])
    expect([await counts(Mum), await counts(Dad)]).toEqual([[], [['Kid', 1]]])
    expect((await Ada.delete(`/api/admin/users/${Kid.id}/child`)).status).toBe(200)
    expect(await counts(Dad)).toEqual([])
  })

  test('is known to who asked, who does not learn that it was refused; a child does', async () => {
    const { Kid, Mum, Uma, Ben } = await guardianScene(dialect)
    const waits = async (who: Actor, other: Actor) => {
      const { body } = await who.get('/api/users')
      const listed = body.find(({ id }: Actor) => id === other.id).waits
      expect((await who.get(`/api/users/${other.id}`)).body.waits).toBe(listed)
      return listed
    }
    await followAs(Uma, Kid)
    await followAs(Kid, Ben)
    expect([await waits(Uma, Kid), await waits(Kid, Ben)]).toEqual([true, true])
    for (const [who, other] of [
      [Kid, Uma],
      [Ben, Kid],
      [Mum, Uma],
      [Ben, Uma],
    ] as const)
      expect(await waits(who, other)).toBeUndefined()
    for (const person of [Uma, Ben]) await decideContact(Mum, Kid, person, 'refused')
    expect([await waits(Uma, Kid), await waits(Kid, Ben)]).toEqual([true, undefined])
    await decideContact(Mum, Kid, Uma, 'allowed', 'refused')
    expect(await waits(Uma, Kid)).toBeUndefined()
    expect((await Uma.get('/api/mention-candidates?q=kid')).body[0]).not.toHaveProperty('waits')
  })

  test('is known in a chat that is open from before', async () => {
    const { Ada, Kid, Mum, Uma } = await guardianScene(dialect)
    const club = await createClub(Ada, Kid, Uma)
    await followAs(Uma, Kid)
    await sendMessage(Uma, Kid)
    await sendMessage(Kid, Uma)
    await Uma.delete(`/api/unfollow/${Kid.id}`)
    await Ada.delete(`/api/groups/${club}`)
    const chat = async (who: Actor, other: Actor) => (await who.get(`/api/conversations/${other.id}`)).body
    expect(await chat(Uma, Kid)).toMatchObject({ followed: false })
    expect(await chat(Uma, Kid)).not.toHaveProperty('waits')
    expect((await followAs(Uma, Kid)).status).toBe(403)
    expect(await chat(Uma, Kid)).toMatchObject({ followed: false, waits: true })
    await decideContact(Mum, Kid, Uma, 'allowed')
    expect(await chat(Uma, Kid)).not.toHaveProperty('waits')
  })

  test('is in the menu of guardians alone', async () => {
    const { Ada, Kid, Mum, Ben } = await guardianScene(dialect)
    expect((await Mum.get('/api/user')).body.is_guardian).toBe(true)
    for (const other of [Kid, Ben, Ada])
      expect((await other.get('/api/user')).body).not.toHaveProperty('is_guardian')
    await asChild(Ada, Kid, ['ben'])
    expect((await Ben.get('/api/user')).body.is_guardian).toBe(true)
    expect((await Mum.get('/api/user')).body).not.toHaveProperty('is_guardian')
  })
})
