import { expect, test } from 'vitest'
import { describeOverBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describeOverBudget([{ path: '/', bytes: 120_801 }])).toEqual([
    '/ needs 120,801 bytes, 1 more than it may.',
  ])
  expect(describeOverBudget([{ path: '/chat', bytes: 145_034 }])).toEqual([
    '/chat needs 145,034 bytes, 234 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describeOverBudget([
      { path: '/', bytes: 120_800 },
      { path: '/chat', bytes: 142_300 },
    ]),
  ).toEqual([])
})
