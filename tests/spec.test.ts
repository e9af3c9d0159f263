import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null)

describe('docs/spec.md', () => {
  const demands = demandsOf(read('docs/spec.md')!)

  test('is read whole', () => {
    expect([...new Set(demands.map(({ section }) => section.split('.')[0]))]).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
    ])
    expect(demands.length).toBeGreaterThan(150)
    expect(demands.map(({ demand }) => demand)).toEqual(
      expect.arrayContaining([
        '`/` and `/postlist`: all posts, titled ‘Post List’',
        '`POST /my-broadcast-auth` `{socket_id, channel_name}`, with credentials and the anti-forgery cookie’s value as a header',
        'Dates show as relative time (‘time ago’) in English',
      ]),
    )
  })
  test('cites for every demand tests and files that are there', () =>
    expect(demands.flatMap((demand) => faultsOf(demand, read))).toEqual([]))
})

describe('the reader', () => {
  const files: Record<string, string> = {
    'a.test.ts': `describe.each(dialects)('likes on %s', () => {
      test('are toggled', async () => { say('not a title') })
      test.skip('are left out', run)
      // test('were once', run)
      test.each<[string]>([['x']])("of \${kind}, %s", () => {})
    })
    test.describe(\`in \${lang}\`, () => {
      for (const path of paths)
        test(\`\${path} says “it’s”\`, run)
    })
    test('it\\'s said', run)`,
    'web/Footer.tsx': '',
  }
  const faults = (where: string, ...cited: string[]) =>
    demandsOf(
      `# x\n## 1. One\n\n| demand | where | test |\n|---|---|---|\n| A foot | ${where} | ${cited.map((one) => `\`${one}\``).join('<br>')} |\n`,
    ).flatMap((demand) => faultsOf(demand, (path) => files[path] ?? null))

  test.each([
    ['a.test.ts › are toggled'],
    ['a.test.ts › likes on %s › are toggled'],
    [`a.test.ts › of \${kind}, %s`],
    [`a.test.ts › in \${lang} › \${path} says “it’s”`],
    ["a.test.ts › it's said"],
  ])('finds %s', (cited) => expect(faults('`web/Footer.tsx`, `/`', cited)).toEqual([]))

  test.each([
    ['b.test.ts › are toggled', 'b.test.ts is not there'],
    ['a.test.ts › are toggle', 'has no “are toggle”'],
    ['a.test.ts › not a title', 'has no “not a title”'],
    ['a.test.ts › are left out', 'has no “are left out”'],
    ['a.test.ts › were once', 'has no “were once”'],
    [`a.test.ts › in \${lang} › are toggled`, `has no “are toggled” in “in \${lang}”`],
    ['a.test.ts › likes on sqlite › are toggled', 'has no “likes on sqlite”'],
    ['a.test.ts', 'names no test'],
    ['web/Footer.tsx › are toggled', 'is no file of tests'],
  ])('does not find %s', (cited, why) => {
    expect(faults('`web/Footer.tsx`', cited)).toEqual([expect.stringContaining(why)])
    expect(faults('`web/Footer.tsx`', 'a.test.ts › are toggled', cited)).toHaveLength(1)
  })

  test('sees a demand without a test, and a file that is not there', () => {
    expect(faults('`web/Footer.tsx`')).toEqual(['A foot: has no test'])
    expect(faults('`web/Feet.tsx`', 'a.test.ts › are toggled')).toEqual(['A foot: web/Feet.tsx is not there'])
  })
})

interface Demand {
  section: string
  demand: string
  where: string
  tests: string[]
}

/** The rows of all tables; a section is the last heading of the second level before them. */
function demandsOf(text: string): Demand[] {
  const demands: Demand[] = []
  let section = ''
  let body = false
  for (const line of text.split('\n')) {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1) : []
    if (!cells.length) body = false
    else if (/^[\s|-]+$/.test(line)) body = true
    else if (body) {
      const [demand = '', where = '', tests = ''] = cells.map((cell) => cell.trim())
      demands.push({ section, demand, where, tests: quotedIn(tests) })
    }
  }
  return demands
}
const quotedIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1]!)

function faultsOf({ demand, where, tests }: Demand, source: (path: string) => string | null): string[] {
  const faults = quotedIn(where)
    .filter((path) => /^[\w./-]+\.\w+$/.test(path) && source(path) === null)
    .map((path) => `${path} is not there`)
  if (!tests.length) faults.push('has no test')
  for (const cited of tests) {
    const [path, ...titles] = cited.split(' › ') as [string, ...string[]]
    const text = source(path)
    if (!/\.(test|spec)\.ts$/.test(path)) faults.push(`${path} is no file of tests`)
    else if (text === null) faults.push(`${path} is not there`)
    else if (!titles.length) faults.push(`${path} names no test`)
    else faults.push(...titleFaults(path, text, titles))
  }
  return faults.map((fault) => `${demand}: ${fault}`)
}

/** Each title has to stand in the file as that of a test or of a group, and inside the one before it. */
function titleFaults(path: string, text: string, titles: string[]): string[] {
  let found = titlesOf(text)
  let before = ''
  for (const title of titles) {
    const own = found.filter((one) => one.title === title)
    if (!own.length) return [`${path} has no “${title}”${before && ` in “${before}”`}`]
    found = found.filter((one) => own.some(({ at, end }) => one.at > at && one.at < end))
    before = title
  }
  return []
}

/**
 * Titles of the tests that run, as the source has them. A group ends at the next line with its indent or
 * less.
 */
function titlesOf(source: string) {
  const text = source.replace(/^ *\/\/.*/gm, '')
  const calls =
    /(?:\b(?:test|describe)(?!\.(?:skip|todo|fixme|fails))(?:\.\w+)*|\))\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)/g
  return [...text.matchAll(calls)].map((call) => {
    const at = call.index
    const line = text.lastIndexOf('\n', at) + 1
    const indent = /^ */.exec(text.slice(line))![0]
    const rest = new RegExp(`\\n {0,${indent.length}}[})]`).exec(text.slice(at))
    return {
      title: (call[1] ?? call[2] ?? call[3] ?? '').replace(/\\(.)/g, '$1'),
      at,
      end: rest ? at + rest.index : text.length,
    }
  })
}
