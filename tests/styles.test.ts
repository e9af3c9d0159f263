import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const styleSheets = globSync(['web/**/*.css', 'features/**/*.css'], { cwd: root })
const withoutComments = (css: string) => css.replace(/\/\*.*?\*\//gs, '')
/** Matches a CSS rule about a sibling of any element, such as `* + *` or `:not(:empty) ~ *`. */
const siblingOfAnything = /(^|[\s>(&])(\*|(:(not|is|where)\([^)]*\)|:[a-z-]+)+)\s*[+~]\s*\*/m

test('no style sheet has a rule about the siblings of any element (decision 0073)', () => {
  expect(styleSheets.length).toBeGreaterThan(40)
  const found = styleSheets.filter((file) =>
    siblingOfAnything.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
  )
  expect(found).toEqual([])
})

test.each([
  ['> * + * {', true],
  ['.card > * + * {', true],
  ['&:not(:empty) ~ * {', true],
  ['& + * {', false],
  ['&:has(> *) ~ * {', false],
  ['.notice + * {', false],
  ['> * + .field {', false],
])('the test recognises %s', (selector, isRecognised) => {
  expect(siblingOfAnything.test(selector)).toBe(isRecognised)
})
