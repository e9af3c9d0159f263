import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'

interface Found {
  place: string
  source: string
  flags: string
}

/** Composed patterns cannot be read from the code. `tests/worst-inputs.test.ts` measures those for texts. */
const composed = {
  'core/http/unknown-routes.ts': 'the paths of routes',
  'core/text/invisible-characters.ts': 'measured',
  'core/realtime/authorisation.ts': 'the names of channels',
  'features/messages/web/emoji.ts': 'measured',
  'features/people/handles.ts': 'measured',
  'features/people/links-contract.ts': 'measured',
  'features/people/text-parts-contract.ts': 'measured',
  'core/text/unicode.ts': 'measured',
  'features/push/schemas.ts': 'one class and a length',
  'features/search/operators-contract.ts': 'measured',
  'features/search/query.ts': 'measured',
  'features/search/snippets.ts': 'measured',
  'features/search/words.ts': 'measured',
  'web/local-data.ts': 'the id of an account',
  'web/views.tsx': 'the paths of pages',
}

function listPatterns(file: string, code: string) {
  const found: Found[] = []
  const walk = (node: unknown): void => {
    if (!node || typeof node !== 'object') return
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number }
    const lineOf = (at = 0) => code.slice(0, at).split('\n').length
    if (regex) found.push({ place: `${file}:${lineOf(start)}`, source: regex.pattern, flags: regex.flags })
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

/** The kind `Move` is quadratic because a search starts at each character: /a+$/ in aaaaab. */
const isSlow = ({ source, flags }: Found) => analyse({ source, flags }).reports.length > 0

const files = globSync('{app.ts,main.ts,{core,features,web}/**/*.{ts,tsx}}', {
  cwd: `${import.meta.dirname}/..`,
}).filter((file) => !/\.test\.ts|\/test\//.test(file))
const read = (file: string) => readFileSync(`${import.meta.dirname}/../${file}`, 'utf8')

test.each(['^(a+)+$', '[. ]+$', 'a*a*b'])('%s takes more than linear time', (source) =>
  expect(isSlow({ place: '', source, flags: 'u' })).toBe(true),
)

test('all regular expressions take linear time', () => {
  const found = files.flatMap((file) => listPatterns(file, read(file)))
  expect(found.length).toBeGreaterThan(200)
  expect(found.filter(isSlow)).toEqual([])
})

test('the files that compose patterns are known', () =>
  expect(files.filter((file) => read(file).includes('new RegExp(') && !(file in composed))).toEqual([]))
