import { expect, test } from 'vitest'
import { defineFeature } from './module.ts'
import { collectProvided } from './provided.ts'

const context = () => {
  throw new Error('The context is not complete yet.')
}
const feature = (name: string) =>
  defineFeature({ name, provides: () => ({ presencePeers: async () => [7] }) })

test('what no feature provides has an empty answer', async () => {
  const provided = collectProvided([feature('friends')], context)
  expect(await provided.presencePeers(1)).toEqual([7])
  expect(provided.contacts.apart(1)).toBe(null)
})

test('two features cannot provide the same', () => {
  expect(() => collectProvided([feature('friends'), feature('family')], context)).toThrow('presencePeers')
})
