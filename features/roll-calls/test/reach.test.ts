import { describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { startPushService } from '#tests/push-service.ts'
import { answer, rollCallScene } from './roll-call-scene.ts'

vi.setConfig({ testTimeout: 60_000 })
const HOUR = 3600_000
const clock = (time: number) => new Date(time).toISOString().slice(11, 16)

describe.each(dialectsInTurn())('push messages of roll calls on %s', (dialect) => {
  test('come in quiet hours, those of drills after them', async () => {
    const service = await startPushService()
    const env = { PUSH_LOCAL_SERVICE: service.origin }
    const { Ada, Ben, db, start, told } = await rollCallScene(dialect, { env, jobRetryDelays: [HOUR] })
    const browser = service.createBrowser()
    expect((await Ben.post('/api/push/devices', browser.subscription)).status).toBe(201)
    const quiet_hours = { from: clock(Date.now() - HOUR), to: clock(Date.now() + HOUR), time_zone: 'UTC' }
    await Ben.send('PATCH', '/api/notification-settings', { quiet_hours })
    const shown = () => service.receivedAt(browser.path).map(browser.decrypt)
    const id = await start(Ada)
    await eventually(() =>
      expect(shown()).toMatchObject([{ body: 'Roll call: please tell us whether you are safe' }]),
    )
    await Ada.post(`/api/roll-calls/${id}/end`)
    await told()
    await start(Ada, { is_drill: true })
    await eventually(async () =>
      expect((await readRows(db, 'push_items')).map(({ held_until }) => held_until)).toEqual([
        expect.any(String),
      ]),
    )
    expect(shown()).toHaveLength(1)
  })
})

describe.each(dialectsInTurn())('telephone numbers on %s', (dialect) => {
  test('are for those whom the member chooses', async () => {
    const { Ada, Oda, Ben, Mum, db } = await rollCallScene(dialect)
    const seenBy = async (who: typeof Ada) => (await who.get(`/api/users/${Ben.id}/phone`)).body.number
    const save = (number: string | null, shown_to: string) =>
      Ben.put('/api/account/phone', { number, shown_to })
    const readers = [Ada, Oda, Mum, Ben]
    for (const [audience, seen] of [
      ['everyone', [true, true, true, true]],
      ['owners', [true, true, false, true]],
      ['nobody', [false, false, false, true]],
    ] as const) {
      expect((await save('０９０−1234 5678', audience)).body).toEqual({
        number: '090-1234 5678',
        shown_to: audience,
      })
      for (const [index, who] of readers.entries())
        expect(await seenBy(who), `${audience} ${index}`).toBe(seen[index] ? '090-1234 5678' : null)
    }
    expect((await save('call me', 'everyone')).body.errors.number).toBeDefined()
    await save(null, 'owners')
    expect(await readRows(db, 'phones')).toEqual([])
  })

  test('stand on the board, in the report and in the print, for those in charge', async () => {
    const { Ada, Oda, Ben, Mum, Kid, start, group } = await rollCallScene(dialect)
    await Ben.put('/api/account/phone', { number: '+81 90', shown_to: 'owners' })
    await Oda.put('/api/account/phone', { number: '110 110', shown_to: 'nobody' })
    const id = await start(Oda, { group_id: group, is_drill: true })
    await answer(Ben, id, 'help', { words: '=1+1', place: 'a "b"' })
    const rows = (await Oda.get(`/api/roll-calls/${id}/members`)).body
    expect(rows.map(({ phone }: { phone: string | null }) => phone)).toEqual(['+81 90', null])
    const report = await Oda.get(`/api/roll-calls/${id}/report`)
    expect(report.headers['content-disposition']).toContain(`roll-call-${id}-drill.csv`)
    const lines = report.raw.toString().split('\r\n')
    expect(lines[0]).toBe('\uFEFF"Earthquake","DRILL"')
    expect(lines[3]).toMatch(/^"Ben","Need help","'=1\+1","a ""b""","[^"]+","Ben","'\+81 90"$/)
    expect(lines[4]).toBe('"Oda","No answer yet","","","","",""')
    const print = (who: typeof Ada, query = '') => who.get(`/roll-calls/numbers${query}`)
    expect((await print(Ada)).body).toContain('<td>Ben<td><td>+81 90')
    expect((await print(Ada)).body).not.toContain('110 110')
    expect((await print(Oda, `?group_id=${group}`)).body).not.toContain('<td>Mum')
    for (const [who, query] of [
      [Oda, ''],
      [Mum, `?group_id=${group}`],
      [Kid, ''],
    ] as const)
      expect((await print(who, query)).status).toBe(403)
  })
})
