import { describe, expect, test } from 'vitest'
import * as query from '../query.ts'
import { filter, isTime, join, parse, since, split, until } from '../web/filters.ts'

describe('the filters of the page', () => {
  test.each([
    ['夏祭り 差出人：田中 添付：写真', '夏祭り', ['差出人:田中', '添付:写真']],
    ['from:"Aya Morita" lanterns -paper', 'lanterns -paper', ['from:"Aya Morita"']],
    ['場所：「園芸 クラブ」 春', '春', ['場所:「園芸 クラブ」']],
    ['“whole words” at 10:30', '“whole words” at 10:30', []],
    ['tea from:', 'tea from:', []],
    ['has:poll tea from:', 'tea from:', ['has:poll']],
    ['', '', []],
  ])('stand apart from the words of %s', (q, words, filters) => {
    const found = split(q)
    expect(found).toEqual({ words, filters })
    expect(split(join(found.words, found.filters))).toEqual(found)
  })

  test.each(['Aya', 'Aya Morita', '森田 あや', 'A "quoted" name', '「角」', '@aya2'])(
    'can name %s',
    (name) => {
      expect(parse(filter('from', name))).toMatchObject({
        operator: 'from',
        value: name.replaceAll('"', ' '),
      })
    },
  )

  test('say nothing to the server before they are finished', () => {
    for (const q of ['tea from:', 'tea 差出人：', 'tea from:""'])
      expect(query.parse(q, 'UTC')).toMatchObject({ filters: [], from: [], terms: [{ text: 'tea' }] })
  })

  test('include the first and the last day, also at the end of a month', () => {
    expect([since('2026-12-01'), until('2026-12-31')]).toEqual(['after:2026-11-30', 'before:2027-01-01'])
    expect(['on:today', since('2026-12-01'), 'has:file', 'lantern'].map(isTime)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(parse('添付:写真')).toEqual({ operator: 'has', value: '写真', attachment: 'picture' })
  })
})
