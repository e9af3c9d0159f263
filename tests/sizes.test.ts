import { expect, test } from 'vitest'
import { describeOverBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describeOverBudget([{ path: '/', bytes: 121_901 }])).toEqual([
    '/ needs 121,901 bytes, 1 more than it may.',
  ])
  expect(describeOverBudget([{ path: '/chat', bytes: 145_934 }])).toEqual([
    '/chat needs 145,934 bytes, 34 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describeOverBudget([
      { path: '/', bytes: 121_900 },
      { path: '/chat', bytes: 142_300 },
    ]),
  ).toEqual([])
})
