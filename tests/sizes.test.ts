import { expect, test } from 'vitest'
import { describeOverBudget } from '#bin/sizes.ts'

test('names a page over its budget, with the excess', () => {
  expect(describeOverBudget([{ path: '/', bytes: 122_501 }])).toEqual([
    '/ needs 122,501 bytes, 1 more than it may.',
  ])
  expect(describeOverBudget([{ path: '/chat', bytes: 146_634 }])).toEqual([
    '/chat needs 146,634 bytes, 34 more than it may.',
  ])
})

test('does not name a page within its budget; only the home page has the smaller budget', () => {
  expect(
    describeOverBudget([
      { path: '/', bytes: 122_500 },
      { path: '/chat', bytes: 142_300 },
    ]),
  ).toEqual([])
})
