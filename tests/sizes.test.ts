import { expect, test } from 'vitest'
import { describeOverBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describeOverBudget([{ path: '/', bytes: 119_001 }])).toEqual([
    '/ needs 119,001 bytes, 1 more than it may.',
  ])
  expect(describeOverBudget([{ path: '/chat', bytes: 143_234 }])).toEqual([
    '/chat needs 143,234 bytes, 934 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describeOverBudget([
      { path: '/', bytes: 119_000 },
      { path: '/chat', bytes: 142_300 },
    ]),
  ).toEqual([])
})
