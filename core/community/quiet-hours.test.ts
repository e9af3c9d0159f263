import { describe, expect, test } from 'vitest'
import { endOfQuietHours } from './quiet-hours.ts'

const night = (time_zone: string, from = '22:00', to = '07:00') => [{ from, to, time_zone }]
const endOf = (now: string, hours: ReturnType<typeof night>) =>
  endOfQuietHours(new Date(now), hours)?.toISOString().slice(0, 16) ?? null

describe('quiet hours', () => {
  test.each([
    ['2026-11-20T12:59:59Z', null],
    ['2026-11-20T13:00:00Z', '2026-11-20T22:00'],
    ['2026-11-20T15:30:30Z', '2026-11-20T22:00'],
    ['2026-11-20T21:59:59Z', '2026-11-20T22:00'],
    ['2026-11-20T22:00:00Z', null],
  ])('over midnight in Tokyo at %s end at %s', (now, end) => {
    expect(endOf(now, night('Asia/Tokyo'))).toBe(end)
  })

  test('of the same day end on that day', () => {
    const lunch = night('UTC', '12:15', '13:00')
    expect(endOf('2026-11-20T12:14:00Z', lunch)).toBe(null)
    expect(endOf('2026-11-20T12:15:00Z', lunch)).toBe('2026-11-20T13:00')
    expect(endOf('2026-11-20T13:00:00Z', lunch)).toBe(null)
  })

  // In Berlin, the clock goes from 02:00 to 03:00 on 2026-03-29, and from 03:00 back to 02:00 on 2026-10-25.
  test.each([
    ['2026-03-28T20:00:00Z', null, '22:00', '07:00'],
    ['2026-03-28T21:00:00Z', '2026-03-29T05:00', '22:00', '07:00'],
    ['2026-03-29T00:59:00Z', '2026-03-29T05:00', '22:00', '07:00'],
    ['2026-10-24T20:00:00Z', '2026-10-25T06:00', '22:00', '07:00'],
    ['2026-10-25T00:30:00Z', '2026-10-25T06:00', '22:00', '07:00'],
    // 02:30 does not exist on 2026-03-29, so the quiet hours end when the clock jumps over it.
    ['2026-03-28T22:00:00Z', '2026-03-29T01:00', '22:00', '02:30'],
    // Quiet hours that lie within the skipped hour do not begin.
    ['2026-03-29T01:00:00Z', null, '02:15', '02:45'],
    // 02:30 comes twice on 2026-10-25: the quiet hours end, and begin again when the clock goes back.
    ['2026-10-24T22:00:00Z', '2026-10-25T00:30', '22:00', '02:30'],
    ['2026-10-25T01:00:00Z', '2026-10-25T01:30', '22:00', '02:30'],
  ])('in Berlin at %s end at %s around a clock change', (now, end, from, to) => {
    expect(endOf(now, night('Europe/Berlin', from, to))).toBe(end)
  })

  test('in a zone that changes by half an hour end at the right time', () => {
    expect(endOf('2026-10-03T12:00:00Z', night('Australia/Lord_Howe'))).toBe('2026-10-03T20:00')
    expect(endOf('2026-04-04T12:00:00Z', night('Australia/Lord_Howe'))).toBe('2026-04-04T20:30')
  })

  test('of the member and of the community join where they meet', () => {
    const both = [...night('UTC', '20:00', '23:00'), ...night('UTC', '22:30', '06:00')]
    expect(endOf('2026-11-20T20:30:00Z', both)).toBe('2026-11-21T06:00')
    expect(endOf('2026-11-20T19:30:00Z', both)).toBe(null)
    const always = [...night('UTC', '00:00', '12:00'), ...night('UTC', '12:00', '00:00')]
    expect(endOfQuietHours(new Date('2026-11-20T20:30:00Z'), always)).not.toBe(null)
    expect(endOfQuietHours(new Date(), [])).toBe(null)
  })
})
