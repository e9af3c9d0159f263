import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRepositoryFile } from '#bin/generate.ts'
import type { SpecRequirement, SpecRequirementIdsOfTest } from '#bin/spec-table.ts'
import {
  fillTestColumn,
  parseAllCitations,
  parseCitations,
  parseSpecRequirements,
  readAllTestSourceFiles,
} from '#bin/spec-table.ts'

const root = join(import.meta.dirname, '..')

describe('docs/spec.md', () => {
  const requirements = parseSpecRequirements(readRepositoryFile('docs/spec.md'))
  const { citations, faults } = parseAllCitations(readAllTestSourceFiles())

  test('is read completely', () => {
    const sections = new Set(requirements.map(({ section }) => section.split('.')[0]))
    expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(requirements.length).toBeGreaterThan(150)
    expect(requirements.map(({ requirement }) => requirement)).toEqual(
      expect.arrayContaining([
        '`/` and `/postlist`: all posts, titled ‘Post List’',
        '`POST /my-broadcast-auth` `{socket_id, channel_name}`, with credentials and the anti-forgery cookie’s value as a header',
        'Dates show as relative time (‘time ago’) in English',
      ]),
    )
  })
  test('has an id, existing files and a test for every requirement, and a requirement for every id in a test', () => {
    expect(faults).toEqual([])
    expect(faultsOf(requirements, citations, (path) => existsSync(join(root, path)))).toEqual([])
  })
})

describe('the parser of spec comments', () => {
  const read = (text: string) => {
    const { citations, faults } = parseCitations('a.test.ts', text)
    return { shown: citations.map(({ titles, ids }) => [...titles, ...ids]), faults }
  }

  test.each<[source: string, shown: string[]]>([
    [`// spec: 1.1\ntest('a', run)`, ['a', '1.1']],
    [`// spec: 1.1, 2.10\ntest('it\\'s said', async () => {})`, ["it's said", '1.1', '2.10']],
    [`describe.each(dialects)('on %s', () => {\n  // spec: 1.1\n  test('a', run)\n})`, ['on %s', 'a', '1.1']],
    [`// spec: 1.1\ntest.each<[string]>([['x', test]])('of %s', run)`, ['of %s', '1.1']],
    [
      `// spec: 1.1\nfor (const a of all)\n  for (const lang of a)\n    test(\`in \${lang}\`, run)`,
      [`in \${lang}`, '1.1'],
    ],
    [`// spec: 1.1\n// Why it is tested.\n/* And more. */\ntest('a', run)`, ['a', '1.1']],
    [`// spec: 1.1\ntest.describe('a', () => {\n  test('b', run)\n})`, ['a', '1.1']],
  ])('finds the test under the comment: %j', (source, shown) =>
    expect(read(source)).toEqual({ shown: [shown], faults: [] }),
  )

  test('finds two comments above one test', () =>
    expect(read(`// spec: 1.1\n// spec: 1.2\ntest('a', run)`).shown).toEqual([
      ['a', '1.1'],
      ['a', '1.2'],
    ]))

  test.each([
    [`// spec: 1.1\ntest.skip('a', run)`, 'stands above no test'],
    [`// spec: 1.1\ntest.fixme('a', run)`, 'stands above no test'],
    [`// spec: 1.1\nfor (const lang of all) {\n  test('a', run)\n}`, 'stands above no test'],
    [`// spec: 1.1\nconst a = 1\ntest('a', run)`, 'stands above no test'],
    [`test('a', run)\n// spec: 1.1`, 'stands above no test'],
    [`// spec: 1.1\n// test('a', run)`, 'stands above no test'],
    [`// spec: 1.1 2.1\ntest('a', run)`, 'is no list of ids'],
    [`// spec: 1\ntest('a', run)`, 'is no list of ids'],
  ])('reports an error for %j', (source, why) =>
    expect(read(source)).toEqual({ shown: [], faults: [expect.stringContaining(why)] }),
  )
})

describe('the table', () => {
  const page =
    '## 1. One\n\n| id | requirement | where | tests |\n|---|---|---|---|\n| 1.1 | A foot | `Foot.tsx` | – |\n'
  const cited = (...ids: string[]): SpecRequirementIdsOfTest => ({
    path: 'a.test.ts',
    titles: ['group', 'test'],
    ids,
  })
  const faults = (text: string, ...citations: SpecRequirementIdsOfTest[]) =>
    faultsOf(parseSpecRequirements(text), citations, (path) => path === 'Foot.tsx')

  test('lists the tests of each requirement, and not those that no longer name it', () => {
    const written = fillTestColumn(page, [cited('1.1'), cited('1.1')])
    expect(written).toBe(
      page.replace('| – |', '| `a.test.ts › group › test`<br>`a.test.ts › group › test` |'),
    )
    expect(fillTestColumn(written, [])).toBe(page)
  })
  test.each<[fault: string, page: string, citations: SpecRequirementIdsOfTest[]]>([
    ['1.1: no test shows it', page, []],
    ['1.2: a.test.ts names it, but it is no requirement', page, [cited('1.1', '1.2')]],
    ['1.1: Feet.tsx does not exist', page.replace('Foot.tsx', 'Feet.tsx'), [cited('1.1')]],
    ['1.1: is no id of section 2', page.replace('## 1', '## 2'), [cited('1.1')]],
    ['1.1: stands here twice', page + page, [cited('1.1')]],
    ['A foot: is no id of section 1', page.replace('| 1.1 ', ''), []],
  ])('is refused: %s', (fault, text, citations) => expect(faults(text, ...citations)).toEqual([fault]))

  test('is accepted otherwise', () => expect(faults(page, cited('1.1'))).toEqual([]))
})

function faultsOf(
  requirements: SpecRequirement[],
  citations: SpecRequirementIdsOfTest[],
  exists: (path: string) => boolean,
): string[] {
  const known = new Set(requirements.map(({ id }) => id))
  const shown = new Set(citations.flatMap(({ ids }) => ids))
  return [
    ...requirements.flatMap((requirement, index) =>
      requirementFaults(requirement, requirements.slice(0, index), shown, exists),
    ),
    ...citations.flatMap(({ path, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${id}: ${path} names it, but it is no requirement`),
    ),
  ]
}

function requirementFaults(
  { id, section, where }: SpecRequirement,
  earlier: SpecRequirement[],
  shown: Set<string>,
  exists: (path: string) => boolean,
): string[] {
  const number = section.split('.')[0]!
  if (!new RegExp(`^${number}\\.\\d+$`).test(id)) return [`${id}: is no id of section ${number}`]
  const files = [...where.matchAll(/`([\w./-]+\.\w+)`/g)].map((found) => found[1]!)
  const faults = files.filter((path) => !exists(path)).map((path) => `${path} does not exist`)
  if (!shown.has(id)) faults.push('no test shows it')
  if (earlier.some((one) => one.id === id)) faults.push('stands here twice')
  return faults.map((fault) => `${id}: ${fault}`)
}
