import { expect, test } from 'vitest'
import { describePagesOverSizeBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describePagesOverSizeBudget([{ path: '/', bytes: 121_001 }])).toEqual([
    '/ needs 121,001 bytes, 1 more than it may.',
  ])
  expect(describePagesOverSizeBudget([{ path: '/chat', bytes: 142_234 }])).toEqual([
    '/chat needs 142,234 bytes, 1,234 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describePagesOverSizeBudget([
      { path: '/', bytes: 121_000 },
      { path: '/chat', bytes: 141_000 },
    ]),
  ).toEqual([])
})
