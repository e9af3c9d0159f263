import { expect, test } from 'vitest'
import { cleanAddress, foldAddress } from './addresses.ts'

test.each([
  'Ann@engawa.example',
  ' Ann@engawa.example\u3000',
  '\ufeffAnn@engawa.example\u200b',
  'Ann\u200b@engawa\u00ad.example',
  '\u202aAnn@engawa.example\u202c',
  'Ａｎｎ＠ｅｎｇａｗａ．ｅｘａｍｐｌｅ',
  'Ann@engawa。example',
  'Ann＠engawa｡example',
])('%j is one address', (given) => {
  expect(cleanAddress(given)).toBe('Ann@engawa.example')
  expect(foldAddress(given)).toBe('ann@engawa.example')
})

test('spaces inside stay, so such an address is refused', () =>
  expect(cleanAddress('ann smith@engawa.example')).toBe('ann smith@engawa.example'))
