import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { datesOf, eventScene, plan, toldOf } from '#features/events/test/event-scene.ts'
import { guardianScene } from '#features/guardians/test/guardian-scene.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { databases, type TestClient } from '#tests/harness.ts'
import type { Rota } from '../contract.ts'

async function add(who: TestClient, date: number, more: object = {}): Promise<Rota> {
  const job = { kind: 'task', title: 'Tea', places: 2, ...more }
  const { status, body } = await who.post(`/api/events/dates/${date}/rota`, job)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const addCar = (who: TestClient, date: number, places = 2) =>
  add(who, date, { kind: 'car', title: 'Station, 9:00', places })
const rotaOf = async (who: TestClient, date: number): Promise<Rota> =>
  (await who.get(`/api/events/dates/${date}/rota`)).body
const join = (who: TestClient, job: number, child?: number) =>
  who.put(`/api/rota/${job}/people`, child === undefined ? {} : { for: child })
const leave = (who: TestClient, job: number, user?: number) =>
  who.send('DELETE', `/api/rota/${job}/people`, user === undefined ? {} : { for: user })
const names = ({ jobs }: Rota) => jobs.map(({ people }) => people.map(({ user }) => user.name))

describe.each(databases)('the rota of an event on %s', (dialect) => {
  test('has tasks of those who plan it, and cars of everybody; places are given once', async () => {
    const { Ann, Ben, Cleo, Dan } = await eventScene(dialect)
    const { id } = await plan(Ann)
    expect(
      (await Ben.post(`/api/events/dates/${id}/rota`, { kind: 'task', title: 'Tea', places: 1 })).status,
    ).toBe(403)
    const [task] = (await add(Ann, id, { places: 1 })).jobs
    const answers = await Promise.all([Ben, Cleo, Dan].map((who) => join(who, task!.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
    const [, car] = (await addCar(Ben, id)).jobs
    expect(car).toMatchObject({ kind: 'car', user: { name: 'Ben' }, can_change: true, places: 2, taken: 0 })
    expect((await rotaOf(Dan, id)).jobs.map(({ taken, can_change }) => [taken, can_change])).toEqual([
      [1, false],
      [0, false],
    ])
  })

  test('knows one car for each person, and tells those who lose their place', async () => {
    const { Ann, Ben, Cleo, Dan } = await eventScene(dialect)
    const { id } = await plan(Ann)
    await addCar(Ben, id)
    const [first, second] = (await addCar(Dan, id)).jobs
    await join(Cleo, first!.id)
    expect(names((await join(Cleo, second!.id)).body)).toEqual([[], ['Cleo']])
    expect((await leave(Ben, second!.id, Cleo.id)).status).toBe(403)
    expect((await leave(Dan, second!.id, Cleo.id)).status).toBe(200)
    expect(await toldOf(Cleo)).toEqual(['event_changed'])
    await join(Cleo, first!.id)
    expect((await Cleo.delete(`/api/rota/${first!.id}`)).status).toBe(403)
    expect((await Ann.delete(`/api/rota/${first!.id}`)).status).toBe(200)
    expect(names(await rotaOf(Cleo, id))).toEqual([[]])
    expect((await join(Cleo, first!.id)).status).toBe(404)
  })

  test('has a task for each of the following dates', async () => {
    const { Ann, Ben } = await eventScene(dialect)
    const repeats = {
      unit: 'week' as const,
      until: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10),
    }
    const { id, event_id, upcoming } = await plan(Ann, { repeats })
    await add(Ann, id, { following: true })
    await addCar(Ann, id)
    const counts = []
    for (const date of await datesOf(Ben, event_id)) counts.push((await rotaOf(Ben, date.id)).jobs.length)
    expect(counts).toEqual([2, ...Array(upcoming - 1).fill(1)])
    expect(upcoming).toBeGreaterThan(3)
  })

  test('keeps the places that are taken', async () => {
    const { Ann, Ben, Cleo } = await eventScene(dialect)
    const { id } = await plan(Ann)
    const [task] = (await add(Ann, id)).jobs
    for (const who of [Ben, Cleo]) await join(who, task!.id)
    const fewer = await Ann.put(`/api/rota/${task!.id}`, { title: 'Tea', places: 1 })
    expect(fewer).toMatchObject({ status: 422, body: { errors: { places: [expect.any(String)] } } })
    expect((await leave(Cleo, task!.id)).body.jobs[0].taken).toBe(1)
    expect(
      (await Ann.put(`/api/rota/${task!.id}`, { title: 'Green tea', places: 1 })).body.jobs[0],
    ).toMatchObject({
      title: 'Green tea',
      places: 1,
    })
    await Ann.post(`/api/events/dates/${id}/cancel`)
    expect((await leave(Ben, task!.id)).status).toBe(403)
    expect((await rotaOf(Cleo, id)).is_over).toBe(true)
  })

  test('belongs to those who see the event', async () => {
    const { Ann, Ben, Cleo, Eva, group, stranger } = await eventScene(dialect)
    const { id } = await plan(Ann, {}, { audience: 'group', group_id: group })
    const [car] = (await addCar(Ben, id)).jobs
    for (const who of [Eva, stranger])
      expect((await who.get(`/api/events/dates/${id}/rota`)).status).toBe(who === Eva ? 404 : 401)
    expect((await join(Eva, car!.id)).status).toBe(404)
    await join(Cleo, car!.id)
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect((await rotaOf(Cleo, id)).jobs).toEqual([])
    expect(await toldOf(Cleo)).toContain('event_changed')
  })

  test('does not show people to those whom they have blocked, but counts them', async () => {
    const { Ann, Ben, Cleo, Dan } = await eventScene(dialect)
    const { id } = await plan(Ann)
    const [task] = (await add(Ann, id)).jobs
    await join(Ben, task!.id)
    const withCar = await addCar(Ben, id)
    await Ben.post(`/api/users/${Cleo.id}/block`)
    const seen = await rotaOf(Cleo, id)
    expect(seen.jobs).toMatchObject([{ id: task!.id, user: null, taken: 1, people: [] }])
    expect((await join(Cleo, withCar.jobs[1]!.id)).status).toBe(404)
    expect((await rotaOf(Dan, id)).jobs).toHaveLength(2)
  })

  test('keeps tasks without who added them', async () => {
    const { Ann, Ben, Cleo, group, context, db } = await eventScene(dialect)
    await Ann.put(`/api/groups/${group}/owner`, { user_id: Ann.id })
    const { id } = await plan(Ben, {}, { audience: 'group', group_id: group })
    const [task] = (await add(Ann, id)).jobs
    await join(Cleo, task!.id)
    await Cleo.post(`/api/users/${Ann.id}/block`)
    expect((await rotaOf(Cleo, id)).jobs).toMatchObject([{ title: 'Tea', taken: 1 }])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ann.id, keep_messages: true }))
    expect((await rotaOf(Ben, id)).jobs).toMatchObject([{ title: 'Tea', taken: 1, can_change: true }])
  })

  test('has children, for whom a guardian joins and leaves', async () => {
    const { Ada, Kid, Mum, Uma } = await guardianScene(dialect)
    const { id } = await plan(Ada)
    const [car] = (await addCar(Ada, id)).jobs
    expect((await rotaOf(Mum, id)).children).toMatchObject([{ name: 'Kid' }])
    expect((await join(Uma, car!.id, Kid.id)).status).toBe(404)
    expect((await join(Kid, car!.id)).status).toBe(403)
    const [, task] = (await add(Ada, id)).jobs
    expect((await join(Kid, task!.id)).status).toBe(200)
    expect((await join(Mum, car!.id, Kid.id)).body.jobs[0].people).toMatchObject([
      { user: { name: 'Kid' }, by_guardian: true },
    ])
    expect((await leave(Mum, car!.id, Kid.id)).body.jobs[0].people).toEqual([])
  })
})

test('is bounded', async () => {
  const { Ann } = await eventScene('sqlite')
  const { id } = await plan(Ann)
  for (let count = 0; count < 40; count++) await add(Ann, id, { title: `Task ${count}` })
  const one = { kind: 'car', title: 'One more', places: 1 }
  expect((await Ann.post(`/api/events/dates/${id}/rota`, one)).status).toBe(422)
  for (const wrong of [{ places: 0 }, { places: 51 }, { title: '' }, { kind: 'bus' }])
    expect((await Ann.post(`/api/events/dates/${id}/rota`, { ...one, ...wrong })).status).toBe(422)
})
