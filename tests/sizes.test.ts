import { expect, test } from 'vitest'
import { describeOverBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describeOverBudget([{ path: '/', bytes: 119_901 }])).toEqual([
    '/ needs 119,901 bytes, 1 more than it may.',
  ])
  expect(describeOverBudget([{ path: '/chat', bytes: 144_634 }])).toEqual([
    '/chat needs 144,634 bytes, 734 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describeOverBudget([
      { path: '/', bytes: 119_900 },
      { path: '/chat', bytes: 142_300 },
    ]),
  ).toEqual([])
})
