import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((page) => page !== 'CHANGELOG.md')

const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')
const quotedIn = (text: string) => [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

/**
 * Matches a text that is a path of a file or a folder from the root of the repository, or a pattern such as
 * `core/*.ts`.
 */
const aPath =
  /^(?:(?:core|features|web|tests|bench|bin|demo|deploy|docs)\/[\w./*{},-]*|[\w.-]+\.(?:ts|yaml|json|md)|Dockerfile)$/
/**
 * Returns whether a path in the docs is only an example: it has `x` in place of a name (`features/x/`,
 * `x.ts`) or `…`.
 */
const isExample = (path: string) => /\/x\/|\bx\.|…/.test(path)
/**
 * Returns whether a text is only a file name, such as `read.ts` or the name of a file in a backup. The
 * tests do not check whether such a file exists.
 */
const isBareName = (path: string) => !path.includes('/') && !existsSync(join(root, path))

const missingPaths = (text: string) =>
  [...quotedIn(text), ...drawnIn(text)]
    .filter((code) => aPath.test(code) && !isExample(code) && !isBareName(code))
    .filter((path) => !globSync(path.replace(/\/$/, ''), { cwd: root }).length)

/**
 * Returns the file paths in the Mermaid diagrams of a page of the docs. In `core/a/b.ts, c.ts or d.ts`, all
 * files are in the folder core/a.
 */
function drawnIn(text: string) {
  const diagrams = (text.match(/^```mermaid[\s\S]*?^```/gm) ?? []).join('\n')
  const lists = diagrams.match(/[\w-]+\/[\w./-]+\.tsx?(?:(?:, | or )[\w-]+\.tsx?)*/g) ?? []
  return lists.flatMap((list) => {
    const [first = '', ...others] = list.split(/, | or /)
    return [first, ...others.map((name) => join(dirname(first), name))]
  })
}

/** Returns the id that GitHub gives to a heading of a Markdown page. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const headingsOf = (text: string) =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) => idOf(title!))

const brokenLinks = (page: string, text: string) =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = '', id] = target.split('#')
      const file = path ? join(dirname(page), path) : page
      if (!existsSync(join(root, file))) return true
      return id !== undefined && !headingsOf(read(file)).includes(id)
    })

const sources = globSync(['*.ts', 'bin/engawa', '{core,features,web,tests,bin,bench,demo}/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['tests/docs.test.ts'],
})
const words = new Set(sources.flatMap((path) => read(path).match(/\w+/g) ?? []))
/**
 * Returns the names in backquotes in a page of the docs that no source contains, such as `camelCase`,
 * `PascalCase`, `call()` or `object.method`.
 */
const missingNames = (text: string) =>
  quotedIn(text)
    .filter((code) => /^[a-zA-Z.]+(\(…?\))?$/.test(code) && /[a-z][A-Z]|\(/.test(code))
    .filter((code) => (code.match(/\w+/g) ?? []).some((word) => !words.has(word)))

describe.each(pages)('%s', (page) => {
  const text = read(page)
  test('names files that exist', () => expect(missingPaths(text)).toEqual([]))
  test('links to files and headings that exist', () => expect(brokenLinks(page, text)).toEqual([]))
})

/**
 * The pages of the docs in which every name in backquotes must exist in the code. Other pages also name
 * functions of other programs.
 */
const pagesAboutTheCode = pages.filter((page) => /decisions|architecture|development|media/.test(page))

test.each(pagesAboutTheCode)('%s uses the names of the code', (page) =>
  expect(missingNames(read(page))).toEqual([]),
)

test('the index of the decisions lists every page with its title', () => {
  const index = read('docs/decisions/README.md')
  const files = globSync('docs/decisions/0*.md', { cwd: root })
  expect(files.length).toBeGreaterThan(30)
  for (const file of files) {
    const [, number, title] = /^# (\d{4}): (.+)$/m.exec(read(file)) ?? []
    expect(index).toContain(`| [${number}](${file.slice('docs/decisions/'.length)}) | ${title} |`)
  }
})

test('the reader of the pages sees a missing file, a broken link and an unknown name', () => {
  const text =
    '# A page\n`core/nothing.ts`, `features/*/text.tsx`, `core/config.ts`, `features/x/model.ts`, `readConfig`, `unknownName()`'
  expect(missingPaths(text)).toEqual(['core/nothing.ts', 'features/*/text.tsx'])
  expect(missingPaths('```mermaid\nA->>B: x<br/>core/config.ts, context.ts, nothing.ts\n```')).toEqual([
    'core/nothing.ts',
  ])
  expect(missingNames(text)).toEqual(['unknownName()'])
  expect(brokenLinks('docs/a.md', '[x](nothing.md) [y](media.md) [z](media.md#nothing)')).toEqual([
    'nothing.md',
    'media.md#nothing',
  ])
})
