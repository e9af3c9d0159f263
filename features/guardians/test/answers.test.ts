import { expect, test } from 'vitest'
import { databases, readRows, type TestApp } from '#tests/harness.ts'
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
  people: { name: string }[]
}

const named = async (who: Actor, kind = 'contact_allowed') =>
  ((await who.get('/api/notifications')).body as Listed[])
    .filter((one) => one.kind === kind)
    .flatMap(({ people }) => people.map(({ name }) => name))
const unread = async (who: Actor) => (await who.get('/api/notifications/unread')).body.count
const follows = async ({ db }: Pick<TestApp, 'db'>) =>
  (await readRows(db, 'follows')).map(({ follower_id, followed_id }) => [follower_id, followed_id])

for (const dialect of databases) {
  test(`the child that wanted to follow does, and is told, on ${dialect}`, async () => {
    const { Kid, Uma, Mum, Dad, Ben, Ada, db } = await guardianScene(dialect)
    await followAs(Kid, Uma)
    expect([await named(Kid), await follows({ db })]).toEqual([[], []])
    await decideContact(Mum, Kid, Uma, 'allowed')
    await decideContact(Dad, Kid, Uma, 'allowed')
    expect([await named(Kid), await unread(Kid)]).toEqual([['Uma'], 1])
    expect(await follows({ db })).toEqual([[Kid.id, Uma.id]])
    expect(await named(Uma, 'follow')).toEqual(['Kid'])
    for (const other of [Uma, Mum, Dad, Ben, Ada]) expect(await named(other)).toEqual([])
  })

  test(`the child that wanted to write is told, and follows nobody, on ${dialect}`, async () => {
    const { Ada, Kid, Ben, Mum, db } = await guardianScene(dialect)
    const club = await createClub(Ada, Kid, Ben)
    await followAs(Ben, Kid)
    await sendMessage(Ben, Kid)
    await Ada.delete(`/api/groups/${club}`)
    expect((await sendMessage(Kid, Ben)).body.waits).toBe(true)
    await decideContact(Mum, Kid, Ben, 'allowed')
    expect([await named(Kid), await follows({ db })]).toEqual([['Ben'], []])
  })

  test(`the child that did not ask is not told, on ${dialect}`, async () => {
    const { Kid, Uma, Mum, db } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    await decideContact(Mum, Kid, Uma, 'allowed')
    expect([await named(Kid), await named(Uma), await follows({ db })]).toEqual([[], [], []])
  })

  test(`a refusal tells nobody, and ends the wish to follow, on ${dialect}`, async () => {
    const { Kid, Uma, Mum, db } = await guardianScene(dialect)
    await followAs(Kid, Uma)
    await decideContact(Mum, Kid, Uma, 'refused')
    expect((await followAs(Kid, Uma)).body.message).toContain('have not allowed')
    for (const who of [Kid, Uma]) expect(await unread(who)).toBe(0)
    await decideContact(Mum, Kid, Uma, 'allowed', 'refused')
    expect([await named(Kid), await follows({ db })]).toEqual([['Uma'], []])
    await decideContact(Mum, Kid, Uma, 'refused', 'allowed')
    expect([await named(Kid), await unread(Kid)]).toEqual([[], 0])
  })

  test(`a block or a suspension since prevents the follow, on ${dialect}`, async () => {
    const { Kid, Uma, Ben, Ada, Mum, members, db } = await guardianScene(dialect)
    const { Cho } = await members('Cho')
    for (const person of [Uma, Ben, Cho]) await followAs(Kid, person)
    await Kid.post(`/api/users/${Uma.id}/block`)
    await Cho.post(`/api/users/${Kid.id}/block`)
    await Ada.put(`/api/admin/users/${Ben.id}/suspension`)
    for (const person of [Uma, Ben, Cho]) await decideContact(Mum, Kid, person, 'allowed')
    expect(await follows({ db })).toEqual([])
    for (const person of ['Uma', 'Cho']) expect(await named(Kid)).not.toContain(person)
  })

  test(`of two children, the one that asked hears when both are allowed, on ${dialect}`, async () => {
    const { Ada, Kid, Ben, Mum, Uma, db } = await guardianScene(dialect)
    await asChild(Ada, Ben, ['uma'])
    await followAs(Kid, Ben)
    await decideContact(Mum, Kid, Ben, 'allowed')
    expect([await named(Kid), await follows({ db })]).toEqual([[], []])
    await decideContact(Uma, Ben, Kid, 'allowed')
    expect([await named(Kid), await named(Ben)]).toEqual([['Ben'], []])
    expect(await follows({ db })).toEqual([[Kid.id, Ben.id]])
  })

  test(`a member who is no child any more is told nothing of guardians, on ${dialect}`, async () => {
    const { Ada, Kid, Ben, Mum, Uma, db } = await guardianScene(dialect)
    await asChild(Ada, Ben, ['uma'])
    await followAs(Kid, Ben)
    await decideContact(Mum, Kid, Ben, 'allowed')
    await saveMarkEnd({ db }, Kid, '2020-01-01')
    await decideContact(Uma, Ben, Kid, 'allowed')
    expect([await named(Kid), await follows({ db })]).toEqual([[], []])
  })
}
