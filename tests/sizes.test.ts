import { expect, test } from 'vitest'
import { describePagesOverSizeBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describePagesOverSizeBudget([{ path: '/', bytes: 120_001 }])).toEqual([
    '/ needs 120,001 bytes, 1 more than it may.',
  ])
  expect(describePagesOverSizeBudget([{ path: '/chat', bytes: 141_234 }])).toEqual([
    '/chat needs 141,234 bytes, 1,234 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describePagesOverSizeBudget([
      { path: '/', bytes: 120_000 },
      { path: '/chat', bytes: 140_000 },
    ]),
  ).toEqual([])
})
