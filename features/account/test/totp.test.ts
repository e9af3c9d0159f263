import { expect, test } from 'vitest'
import { hotpCode, otpAuthUrl, toBase32, totpCounter } from '../totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('RFC 6238, appendix B: at %i s the code is %s', (seconds, code) => {
  const counter = Math.floor(seconds / 30)
  expect(hotpCode(secret, counter, 8)).toBe(code)
  expect(totpCounter(secret, code.slice(-6), 0, seconds * 1000)).toBe(counter)
})

test('RFC 4226, appendix D: the codes of the first ten counters', () => {
  const codes = Array.from({ length: 10 }, (_, counter) => hotpCode(secret, counter))
  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489')
})

test('a code counts in its interval, the one before and the one after, and in no other', () => {
  const code = hotpCode(secret, 100)
  const found = (interval: number, last = 0) => totpCounter(secret, code, last, interval * 30_000)
  expect([98, 99, 100, 101, 102].map((interval) => found(interval))).toEqual([
    undefined,
    100,
    100,
    100,
    undefined,
  ])
  expect(found(100, 99)).toBe(100)
  expect(found(100, 100)).toBeUndefined()
  expect(found(100, 101)).toBeUndefined()
})

test('a code of another length or form does not count', () => {
  for (const code of ['', '87082', '0287082', '28708x', '２８７０８２'])
    expect(totpCounter(secret, code, 0, 30_000), code).toBeUndefined()
  expect(totpCounter(secret, '287082', 0, 30_000)).toBe(1)
})

test('the secret is Base32, and the address is that of the key URI format', () => {
  expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB')
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const address = otpAuthUrl(secret, 'Tea: 茶', 'ann+1@engawa.example')
  expect(address).toBe(
    'otpauth://totp/Tea%20%20%E8%8C%B6:ann%2B1%40engawa.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tea%3A%20%E8%8C%B6',
  )
})
