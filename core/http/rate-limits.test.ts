import { describe, expect, test } from 'vitest'
import { networkOf } from '#core/http/rate-limits.ts'
import { createTestApp } from '#tests/harness.ts'

const open = () => createTestApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
const tries = async (count: number, once: (turn: number) => Promise<{ status: number }>) => {
  const seen: number[] = []
  for (let turn = 0; turn < count; turn++) seen.push((await once(turn)).status)
  return seen
}

describe('limits', () => {
  test('a log-in is counted by its e-mail address in any spelling', async () => {
    const { visitor } = await open()
    const someone = visitor()
    await someone.get('/sanctum/csrf-cookie')
    const spellings = ['ann@engawa.example', ' ANN@engawa.example', 'ａｎｎ@engawa.example']
    const seen = await tries(12, (turn) =>
      someone.post('/login', { email: spellings[turn % 3], password: 'wrong' }),
    )
    expect(seen.slice(0, 10)).toEqual(Array(10).fill(422))
    expect(seen.slice(10)).toEqual([429, 429])
    expect((await someone.post('/login', { email: 'ben@engawa.example', password: 'wrong' })).status).toBe(
      422,
    )
  })

  test('a field that is not a string is an invalid field', async () => {
    const { visitor } = await open()
    const someone = visitor()
    await someone.get('/sanctum/csrf-cookie')
    for (const email of [{ toString: null }, ['a'], 7, null])
      expect((await someone.post('/login', { email, password: 'x' })).status).toBe(422)
  })

  test('all addresses of one IPv6 network count together', async () => {
    const { visitor } = await open()
    const from = (ip: string) => visitor().get('/api/email/verify/1/x', { 'x-forwarded-for': ip })
    const seen = await tries(8, (turn) => from(`2001:db8:1:2::${turn + 1}`))
    expect(seen).toEqual([403, 403, 403, 403, 403, 403, 429, 429])
    expect((await from('2001:db8:1:3::1')).status).toBe(403)
    expect(
      ['2001:db8::1', '2001:0db8:0:0:1:2:3:4', '::1', '::ffff:10.0.0.1', '10.0.0.1'].map(networkOf),
    ).toEqual(['2001:db8:0:0', '2001:db8:0:0', '0:0:0:0', '10.0.0.1', '10.0.0.1'])
  })

  test('an address with a zone counts with its network, and an invalid address counts alone', () => {
    expect(
      ['fe80::1%eth0', 'fe80::1%eth-0.1', '1:2:3:4:5:6:7:8::9', ':::::::::::', 'unknown', ''].map(networkOf),
    ).toEqual(['fe80:0:0:0', 'fe80::1%eth-0.1', '1:2:3:4:5:6:7:8::9', ':::::::::::', 'unknown', ''])
  })

  test('URL parameters are not used as fields of the body', async () => {
    const { visitor, members } = await open()
    await members('Ann')
    const someone = visitor()
    await someone.get('/sanctum/csrf-cookie')
    expect((await someone.post('/login?email=ann@engawa.example&password=correct%20horse')).status).toBe(422)
  })
})
