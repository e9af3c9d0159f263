import { expect, test } from 'vitest'
import { tooHeavy } from '#bin/sizes.ts'

test('a page that needs more than it may is named, with how much it is over', () => {
  expect(tooHeavy([{ path: '/', bytes: 120_001 }])).toEqual(['/ needs 120,001 bytes, 1 more than it may.'])
  expect(tooHeavy([{ path: '/chat', bytes: 141_234 }])).toEqual([
    '/chat needs 141,234 bytes, 1,234 more than it may.',
  ])
})

test('a page within its budget is not, and only the first page has the smaller one', () => {
  expect(
    tooHeavy([
      { path: '/', bytes: 120_000 },
      { path: '/chat', bytes: 140_000 },
    ]),
  ).toEqual([])
})
