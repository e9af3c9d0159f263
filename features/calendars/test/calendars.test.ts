import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { describe, expect, test } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { asGiven, eventScene, plan, say, wall } from '../../events/test/event-scene.ts'

async function addressOf(who: TestClient): Promise<string> {
  const { status, body } = await who.post('/api/calendar-address')
  expect(status, JSON.stringify(body)).toBe(200)
  return new URL(body.url).pathname
}

const text = async (who: TestClient, path: string): Promise<string> => {
  const { status, body, headers } = await who.get(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  return String(body)
}

/** With three parsers: title, begin and end in UTC, as each understands them. */
function parse(ics: string) {
  const component = new ICAL.Component(ICAL.parse(ics))
  for (const zone of component.getAllSubcomponents('vtimezone'))
    ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  const first = component.getAllSubcomponents('vevent').map((event) => {
    const { summary, startDate, endDate } = new ICAL.Event(event)
    return [summary, startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString()]
  })
  const second = Object.values(nodeIcal.parseICS(ics)).flatMap((entry) =>
    entry?.type === 'VEVENT'
      ? [[String(entry.summary), entry.start.toISOString(), entry.end!.toISOString()]]
      : [],
  )
  const third = (convertIcsCalendar(undefined, ics).events ?? []).map((event) => [
    event.summary,
    event.start.date.toISOString(),
    event.end!.date.toISOString(),
  ])
  return [first, second, third].map((rows) => rows.toSorted())
}

describe.each(dialectsInTurn())('the address of a calendar on %s', (dialect) => {
  test('is read by three parsers, across a change of the clocks and in Tokyo', async () => {
    const { Ann, stranger } = await eventScene(dialect)
    await plan(Ann, {
      ...{ title: 'Probe; mit, Kuchen 🎂', zone: 'Europe/Berlin' },
      ...{ begins: '2027-03-24T19:30', ends: '2027-03-24T21:00' },
      repeats: { unit: 'week', until: '2027-04-01' },
    })
    await plan(Ann, { title: '運動会'.repeat(20), begins: '2027-05-10T09:00', ends: '2027-05-10T15:00' })
    const ics = await text(stranger, await addressOf(Ann))
    const expected = [
      ['Probe; mit, Kuchen 🎂', '2027-03-24T18:30:00.000Z', '2027-03-24T20:00:00.000Z'],
      ['Probe; mit, Kuchen 🎂', '2027-03-31T17:30:00.000Z', '2027-03-31T19:00:00.000Z'],
      ['運動会'.repeat(20), '2027-05-10T00:00:00.000Z', '2027-05-10T06:00:00.000Z'],
    ]
    expect(parse(ics)).toEqual([expected, expected, expected])
    for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(ics.match(/^TZID:(.*)$/gm)).toEqual(['TZID:Europe/Berlin', 'TZID:Asia/Tokyo'])
    expect(ics).toMatch(/^DTSTAMP:\d{8}T\d{6}Z$/m)
  })

  test('has whole days, and keeps names of events while they change and are cancelled', async () => {
    const { Ann, Ben } = await eventScene(dialect)
    const whole = await plan(Ann, { begins: '2027-05-10', ends: '2027-05-11' })
    const path = await addressOf(Ben)
    const before = await text(Ben, path)
    expect(before).toContain('DTSTART;VALUE=DATE:20270510\r\nDTEND;VALUE=DATE:20270512')
    expect(before).toContain(`UID:event-${whole.id}@`)
    expect(before).toMatch(/SEQUENCE:0[\s\S]*STATUS:TENTATIVE/)
    await say(Ben, whole.id, 'yes')
    expect(await text(Ben, path)).toContain('STATUS:CONFIRMED')
    await Ann.put(`/api/events/dates/${whole.id}`, { ...asGiven(whole), place: 'Park' })
    await Ann.post(`/api/events/dates/${whole.id}/cancel`, {})
    const after = await text(Ben, path)
    expect(after).toMatch(/SEQUENCE:2[\s\S]*LOCATION:Park[\s\S]*STATUS:CANCELLED/)
    expect(after).toContain(`UID:event-${whole.id}@`)
    await Ann.delete(`/api/events/dates/${whole.id}/cancel`)
    await say(Ben, whole.id, 'no')
    expect(await text(Ben, path)).not.toContain('VEVENT')
  })

  test('follows what its member may see, and names nobody', async () => {
    const { Ann, Ben, group, stranger } = await eventScene(dialect)
    const date = await plan(Ann, { title: 'Secret' }, { audience: 'group', group_id: group })
    await say(Ann, date.id, 'yes', { note: 'With Cleo' })
    const path = await addressOf(Ben)
    const shown = await text(stranger, path)
    expect(shown).toContain('SUMMARY:Secret')
    for (const name of ['Ann', 'Ben', 'Cleo']) expect(shown).not.toContain(name)
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await text(stranger, path)).not.toContain('Secret')
  })

  test('is renewed and ended by its member, and is stored as a hash', async () => {
    const { Ann, Ben, db, stranger } = await eventScene(dialect)
    await plan(Ann, { begins: wall(3), ends: wall(3, '21:00') })
    const first = await addressOf(Ann)
    const second = await addressOf(Ann)
    expect((await stranger.get(first)).status).toBe(404)
    expect(await text(stranger, second)).toContain('VEVENT')
    expect((await Ann.get('/api/calendar-address')).body.read_at).toEqual(expect.any(String))
    expect((await Ben.get('/api/calendar-address')).body).toEqual({ created_at: null, read_at: null })
    const [row] = await db.selectFrom('calendar_addresses').selectAll().execute()
    expect(second).not.toContain(row!.token_hash)
    await Ann.delete('/api/calendar-address')
    expect((await stranger.get(second)).status).toBe(404)
  })
})
