import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { databases } from '#tests/harness.ts'
import { asChild, guardianScene } from '../../guardians/test/guardian-scene.ts'
import { endOffer } from '../answers.ts'
import * as missing from '../missing.ts'
import * as events from '../rows.ts'
import {
  asGiven,
  dateOf,
  datesOf,
  eventOf,
  eventScene,
  names,
  plan,
  say,
  toldOf,
  training,
  wall,
} from './event-scene.ts'

const soon = () => new Date(Date.now() + 3600_000).toISOString()

describe.each(databases)('events on %s', (dialect) => {
  test('are planned with a post, in the time of their zone', async () => {
    const { Ann, Ben, stranger } = await eventScene(dialect)
    const date = await plan(Ann, { begins: '2027-05-10T19:30', ends: '2027-05-10T21:00' })
    expect(date).toMatchObject({
      begins_at: '2027-05-10T10:30:00.000Z',
      ends_at: '2027-05-10T12:00:00.000Z',
      ...{ title: 'Training', place: 'Gym', all_day: false, rule: null, can_manage: true, upcoming: 1 },
    })
    expect(await dateOf(Ben, date.id)).toMatchObject({ mine: null, can_manage: false })
    expect(await eventOf(stranger, date.post)).toMatchObject({ date: { mine: null } })
    expect((await say(stranger, date.id, 'yes')).status).toBe(401)
    const whole = await plan(Ann, { begins: '2027-05-10', ends: '2027-05-11' })
    expect(whole).toMatchObject({ all_day: true, ends_at: '2027-05-11T15:00:00.000Z' })
  })

  test('name the field that is wrong, and then store no post', async () => {
    const { Ann } = await eventScene(dialect)
    const refused = async (event: object) => {
      const { status, body } = await Ann.post('/api/posts', {
        text: 'Come',
        extras: { event: { ...training(), ...event } },
      })
      expect(status).toBe(422)
      return Object.keys(body.errors)
    }
    expect(await refused({ title: '' })).toEqual(['event.title'])
    expect(await refused({ begins: '2027-02-30T10:00' })).toEqual(['event.begins'])
    expect(await refused({ ends: wall(10, '19:30') })).toEqual(['event.ends'])
    expect(await refused({ ends: wall(50) })).toEqual(['event.ends'])
    expect(await refused({ begins: wall(10).slice(0, 10) })).toEqual(['event.ends'])
    expect(await refused({ begins: wall(-3), ends: wall(-2) })).toEqual(['event.begins'])
    expect(await refused({ answers_until: `${wall(11)}:00Z` })).toEqual(['event.answers_until'])
    expect(await refused({ zone: 'Asia/Edo' })).toEqual(['event.zone'])
    expect(await refused({ places: 0 })).toEqual(['event.places'])
    expect(await refused({ repeats: { unit: 'day', until: wall(400).slice(0, 10) } })).toEqual([
      'event.repeats',
    ])
    expect((await Ann.get('/api/posts')).body).toEqual([])
  })

  test('repeat at the same time of day when the clocks change', async () => {
    const { Ann } = await eventScene(dialect)
    const date = await plan(Ann, {
      ...{ zone: 'Europe/Berlin', begins: '2027-03-17T19:30', ends: '2027-03-17T21:00' },
      repeats: { unit: 'week', days: ['FR'], until: '2027-04-01' },
    })
    expect(date.rule).toBe('FREQ=WEEKLY;BYDAY=WE,FR;UNTIL=20270401T215959Z')
    expect((await datesOf(Ann, date.event_id)).map(({ begins_at }) => begins_at)).toEqual([
      '2027-03-17T18:30:00.000Z',
      '2027-03-19T18:30:00.000Z',
      '2027-03-24T18:30:00.000Z',
      '2027-03-26T18:30:00.000Z',
      '2027-03-31T17:30:00.000Z',
    ])
    const monthly = await plan(Ann, {
      ...{ begins: '2027-01-30', ends: '2027-01-30' },
      repeats: { unit: 'month', by_weekday: true, until: '2027-04-30' },
    })
    expect((await datesOf(Ann, monthly.event_id)).map(({ begins }) => begins)).toEqual([
      '2027-01-30',
      '2027-02-27',
      '2027-03-27',
      '2027-04-24',
    ])
  })

  test('change this date, the following ones or all, and keep the answers of each', async () => {
    const { Ann, Ben } = await eventScene(dialect)
    const first = await plan(Ann, { repeats: { unit: 'week', until: wall(40).slice(0, 10) } })
    const dates = await datesOf(Ann, first.event_id)
    expect(dates).toHaveLength(5)
    for (const { id } of dates) await say(Ben, id, 'yes')
    const change = (index: number, scope: string, given: object) =>
      Ann.put(`/api/events/dates/${dates[index]!.id}`, { ...asGiven(dates[index]!), scope, ...given })
    await change(1, 'this', { place: 'Park' })
    await change(3, 'following', { begins: wall(31, '20:00'), ends: wall(31, '21:00') })
    const after = await datesOf(Ann, first.event_id)
    expect(after.map(({ place }) => place)).toEqual(['Gym', 'Park', 'Gym', 'Gym', 'Gym'])
    expect(after.map(({ begins }) => begins)).toEqual([
      ...[wall(10), wall(17), wall(24), wall(31, '20:00'), wall(38, '20:00')],
    ])
    expect(after.map(({ counts }) => counts.yes)).toEqual([1, 1, 1, 1, 1])
    await change(0, 'all', { title: 'Match' })
    expect(new Set((await datesOf(Ann, first.event_id)).map(({ title }) => title))).toEqual(
      new Set(['Match']),
    )
    expect((await Ben.put(`/api/events/dates/${first.id}`, { ...asGiven(first), scope: 'all' })).status).toBe(
      403,
    )
    expect(
      (await change(0, 'this', { begins: wall(10).slice(0, 10), ends: wall(10).slice(0, 10) })).status,
    ).toBe(422)
    const far = await change(0, 'all', { begins: '2099-05-01T19:30', ends: '2099-05-01T21:00' })
    expect([far.status, Object.keys(far.body.errors)]).toEqual([422, ['begins']])
  })

  test('seat as many as there are places, guests included, and let the others wait', async () => {
    const { Ann, Ben, Cleo, Dan, Eva } = await eventScene(dialect)
    const { id } = await plan(Ann, { places: 3, max_guests: 2 })
    expect((await say(Ben, id, 'yes', { guests: 3 })).body.errors).toHaveProperty('guests')
    expect((await say(Ben, id, 'yes', { guests: 1 })).body.mine).toEqual({
      ...{ answer: 'yes', guests: 1, note: null },
    })
    // A party of two does not fit and is not split, and who comes later does not pass it.
    expect((await say(Cleo, id, 'yes', { guests: 1 })).body.mine).toMatchObject({ position: 1 })
    expect((await say(Dan, id, 'yes')).body.mine).toMatchObject({ position: 2 })
    expect((await say(Ben, id, 'yes', { guests: 2 })).body.mine).toMatchObject({ guests: 2 })
    expect((await say(Eva, id, 'yes')).body).toMatchObject({
      mine: { position: 3 },
      counts: { yes: 1, guests: 2, taken: 3, waiting: 3 },
    })
    await say(Ben, id, 'no')
    expect(await names(Ann, `/api/events/dates/${id}/guests`)).toEqual(['Cleo', 'Dan'])
    expect(await names(Ann, `/api/events/dates/${id}/guests?list=waiting`)).toEqual(['Eva'])
    expect(await toldOf(Eva)).toEqual([])
    expect(await toldOf(Dan)).toEqual(['event_place'])
  })

  test('throw nobody out when there are fewer places, and seat several when there are more', async () => {
    const { Ann, Ben, Cleo, Dan, Eva } = await eventScene(dialect)
    const date = await plan(Ann, { places: 2 })
    for (const who of [Ben, Cleo, Dan, Eva]) await say(who, date.id, 'yes')
    const withPlaces = (places: number | null) =>
      Ann.put(`/api/events/dates/${date.id}`, { ...asGiven(date), places })
    expect((await withPlaces(1)).body.counts).toMatchObject({ yes: 2, taken: 2, waiting: 2 })
    await say(Ben, date.id, 'no')
    expect((await dateOf(Ann, date.id)).counts).toMatchObject({ yes: 1, waiting: 2 })
    expect((await withPlaces(null)).body.counts).toMatchObject({ yes: 3, waiting: 0 })
  })

  test('offer a place after the end of answers, and give it to the next one', async () => {
    const { Ann, Ben, Cleo, Dan, Eva, context, db } = await eventScene(dialect)
    const { id } = await plan(Ann, { places: 1, answers_until: soon() })
    for (const who of [Ben, Cleo, Dan]) await say(who, id, 'yes')
    await Ann.post(`/api/events/dates/${id}/close`)
    expect((await say(Eva, id, 'yes')).status).toBe(403)
    expect((await say(Eva, id, 'no')).status).toBe(200)
    await say(Ben, id, 'no')
    const { mine, counts } = await dateOf(Cleo, id)
    expect([mine!.position, counts]).toEqual([1, expect.objectContaining({ yes: 0, taken: 1, waiting: 2 })])
    await endOffer(context, id, Cleo.id, 'another time')
    await endOffer(context, id, Cleo.id, mine!.offered_until!)
    expect((await dateOf(Cleo, id)).mine).toMatchObject({ answer: 'no' })
    expect(await toldOf(Dan)).toEqual(['event_offer'])
    expect((await say(Dan, id, 'yes')).body.mine).toEqual({ answer: 'yes', guests: 0, note: null })
    expect((await say(Ben, id, 'yes')).status).toBe(403)
    await transaction(db, (tx) =>
      tx.updateTable('event_dates').set({ begins_at: new Date().toISOString() }).execute(),
    )
    expect((await say(Dan, id, 'no')).status).toBe(403)
  })

  test('give the place of somebody who leaves, is suspended or deleted to who waits', async () => {
    const { Ann, Ben, Cleo, Dan, group } = await eventScene(dialect)
    const { id } = await plan(Ann, { places: 1 }, { audience: 'group', group_id: group })
    for (const who of [Ben, Cleo, Dan]) await say(who, id, 'yes')
    expect((await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)).status).toBeLessThan(300)
    expect(await names(Ann, `/api/events/dates/${id}/guests`)).toEqual(['Cleo'])
    expect((await Ben.get(`/api/events/dates/${id}`)).status).toBe(404)
    await Ann.post(`/api/users/${Cleo.id}/block`)
    expect(await names(Dan, `/api/events/dates/${id}/guests`)).toEqual(['Dan'])
  })

  test('wait for those who have not answered, and for guardians of a child that has not', async () => {
    const { Ada, Kid, Mum, Uma } = await guardianScene(dialect)
    expect((await asChild(Ada, Kid, ['mum'])).status).toBe(200)
    const date = await plan(Uma, { repeats: { unit: 'week', until: wall(60).slice(0, 10) } })
    const closed = await plan(Uma, { title: 'Full' })
    await Uma.post(`/api/events/dates/${closed.id}/close`)
    const waiting = async (who: typeof Mum) => {
      const [from, to] = [0, 100].map((days) => `${wall(days)}:00Z`)
      const { status, body } = await who.get(`/api/events/dates?unanswered=1&from=${from}&to=${to}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.map(({ id }: { id: number }) => id)
    }
    expect([await waiting(Uma), await waiting(Mum)]).toEqual([[], [date.id]])
    await say(Mum, date.id, 'no')
    expect(await waiting(Mum)).toEqual([date.id])
    await say(Mum, date.id, 'yes', { for: Kid.id })
    expect([await waiting(Mum), await waiting(Kid)]).toEqual([[], []])
  })

  test('are seen, answered and asked about only by those who see the post', async () => {
    const { Ann, Ben, Eva, group } = await eventScene(dialect)
    const date = await plan(Ann, {}, { audience: 'group', group_id: group })
    const path = `/api/events/dates/${date.id}`
    expect(await eventOf(Eva, date.post)).toBe(null)
    expect(await datesOf(Eva, date.event_id)).toEqual([])
    for (const tried of [
      await Eva.get(path),
      await say(Eva, date.id, 'yes'),
      await Eva.delete(`${path}/answer`),
      await Eva.get(`${path}/guests`),
      await Eva.post(`${path}/cancel`, {}),
    ])
      expect(tried.status).toBe(404)
    for (const tried of [
      await Ben.get(`${path}/missing`),
      await Ben.post(`${path}/cancel`, {}),
      await Ben.delete(`${path}/cancel`),
      await Ben.post(`${path}/close`),
      await Ben.post(`${path}/reminders`),
    ])
      expect(tried.status).toBe(403)
    expect(await names(Ann, `${path}/missing`)).toEqual(['Ann', 'Ben', 'Cleo', 'Dan'])
  })

  test('of an ended group ask nobody any more, and take answers and no replies', async () => {
    const { Ann, Ben, Cleo, group, db, context } = await eventScene(dialect)
    const date = await plan(Ann, {}, { audience: 'group', group_id: group })
    const path = `/api/events/dates/${date.id}`
    const end = (has_ended: boolean) => Ann.put(`/api/groups/${group}/ending`, { has_ended })
    const unanswered = async () => {
      const from = new Date().toISOString()
      const to = new Date(Date.now() + 30 * 86_400_000).toISOString()
      return (await Ben.get(`/api/events/dates?unanswered=1&${new URLSearchParams({ from, to })}`)).body
        .length
    }
    const asked = () =>
      transaction(db, async (tx) =>
        missing.listAmong(context, tx, (await events.find(tx, date.id))!, [Ben.id, Cleo.id]),
      )
    const reply = async () => (await Ben.post(`/api/posts/${date.post}/replies`, { text: 'Hello' })).status
    expect([await unanswered(), await asked(), await reply()]).toEqual([1, [Ben.id, Cleo.id], 201])

    expect((await end(true)).status).toBe(200)
    expect([await unanswered(), await asked(), await reply()]).toEqual([0, [], 403])
    expect((await Ann.post(`${path}/reminders`)).status).toBe(403)
    expect((await dateOf(Ben, date.id)).group).toMatchObject({ id: group, has_ended: true })
    expect((await say(Ben, date.id, 'no')).status).toBe(200)

    expect((await end(false)).status).toBe(200)
    expect([await asked(), await reply()]).toEqual([[Cleo.id], 201])
    expect((await dateOf(Ben, date.id)).group).not.toHaveProperty('has_ended')
  })

  test('are deleted with their post once nobody else comes, or after they were cancelled', async () => {
    const { Ann, Ben, Cleo } = await eventScene(dialect)
    const remove = async (who: typeof Ann, post: number) => (await who.delete(`/api/posts/${post}`)).status
    const unanswered = await plan(Cleo)
    await say(Cleo, unanswered.id, 'yes')
    await say(Ben, unanswered.id, 'no')
    expect(await remove(Cleo, unanswered.post)).toBe(200)
    const [date, other] = [await plan(Cleo), await plan(Cleo)]
    for (const { id } of [date, other]) await say(Ben, id, 'maybe')
    expect(await remove(Cleo, date.post)).toBe(403)
    expect(await eventOf(Ben, date.post)).not.toBe(null)
    await Cleo.post(`/api/events/dates/${date.id}/cancel`)
    expect(await remove(Cleo, date.post)).toBe(200)
    expect(await remove(Ann, other.post)).toBe(200)
  })

  test('are cancelled and take place after all; those who come are told', async () => {
    const { Ann, Ben, Cleo } = await eventScene(dialect)
    const date = await plan(Ann)
    await say(Ben, date.id, 'yes')
    await say(Cleo, date.id, 'no')
    const cancelled = await Ann.post(`/api/events/dates/${date.id}/cancel`, {})
    expect(cancelled.body.cancelled_at).toEqual(expect.any(String))
    expect((await say(Cleo, date.id, 'yes')).status).toBe(403)
    await expect.poll(() => toldOf(Ben)).toEqual(['event_cancelled'])
    expect(await toldOf(Cleo)).toEqual([])
    expect((await Ann.delete(`/api/events/dates/${date.id}/cancel`)).body.cancelled_at).toBe(null)
    expect((await dateOf(Ben, date.id)).mine).toMatchObject({ answer: 'yes' })
  })
})
