import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { variables } from '#core/environment/settings.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const table = page.slice(page.indexOf('## OWASP ASVS'))

/**
 * The rows of the table in docs/security.md, such as `| 1.1.1 | 2 | … | met | … |`. The columns are number,
 * level, requirement, state and reason. Level and requirement are left out.
 */
const rows = [...table.matchAll(/^\| (\d+\.\d+\.\d+) \| [12] \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number, state, why]) => ({ number, state, why: why! }),
)

const files =
  /`((?:core|features|tests|web|docs|deploy|bin)\/[\w./-]+\.\w+|deploy\/Caddyfile|(?:main|compose\.many)\.\w+)`/g
/**
 * Matches a reference to a test in the docs, such as `core/x.test.ts` › a title. The docs may give only the
 * beginning of the title.
 */
const titles = /`([\w./-]+\.(?:test|spec)\.ts)` › ([^|`;]+?)(?= ?\||;|, `|\.\s|\)|\.?$)/gm

/** Whether a title of a test of the file begins with `title`: it stands behind a quote. */
const hasTest = (path: string, title: string) => {
  const source = readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'")
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?:^ *|\\()['"\`]${literal}`, 'm').test(source)
}

/** Returns the part of the page below a heading, up to the next heading of any level. */
const sectionOf = (heading: string) =>
  new RegExp(`^#+ ${heading}\n([\\s\\S]*?)(?=^#)`, 'm').exec(page)?.[1] ?? ''

describe('docs/security.md', () => {
  test('has each requirement once, and its totals are right', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    const count = (state: string) => rows.filter((row) => row.state === state).length
    const [met, partly, unmet, operator] = ['met', '**partly**', '**not met**', 'operator'].map(count)
    expect(rows).toHaveLength(met! + partly! + unmet! + operator!)
    expect(table).toContain(
      `**${met} are met**, **${partly} partly**, **${unmet} are not met**, ${operator} are the operator’s`,
    )
    expect(table).toContain(`and ${253 - rows.length} do not apply`)
  })

  test('names a test for each row that is met, wholly or partly', () => {
    const promised = rows.filter(({ state }) => ['met', '**partly**'].includes(state!))
    const without = promised.filter(({ why }) => !why.match(titles))
    expect(without.map(({ number }) => number)).toEqual([])
  })

  test('names existing files and tests', () => {
    const cited = [...page.matchAll(files)].map(([, path]) => path!)
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const tests = [...page.matchAll(titles)].map(([, path, title]) => ({ path: path!, title: title! }))
    expect(tests).toHaveLength(page.split('` › ').length - 1)
    expect(tests.filter(({ path, title }) => !hasTest(path, title))).toEqual([])
    expect(hasTest('tests/security.test.ts', 'names existing files')).toBe(true)
    expect(hasTest('tests/security.test.ts', 'existing files')).toBe(false)
  })

  test('has the sections on which rows rely', () => {
    const limits = sectionOf('Limits')
    for (const part of [
      'requests',
      'passwords',
      'bodies',
      'texts that people write',
      'pictures',
      'other files',
    ])
      expect(limits, part).toMatch(new RegExp(`^\\| ${part} \\|`, 'm'))
    for (const part of ['WebSockets', 'lists', 'uploads', 'second steps', 'Five parts take much time'])
      expect(limits).toContain(part)
    for (const time of ['30 days after its last use', 'any number of sessions', 'Passwords have 8 to 1,000'])
      expect(sectionOf('Sessions and passwords')).toContain(time)
    for (const level of ['public', 'conversation', 'account', 'secret', 'moderation'])
      expect(sectionOf('Stored data'), level).toMatch(new RegExp(`^\\| ${level} \\|`, 'm'))
    for (const other of ['Push services'.toLowerCase(), 'pages of links', 'mail server', 'Redis', 'bucket'])
      expect(sectionOf('Trust boundaries')).toContain(other)
    const keys = Object.keys(variables).filter((name) => /^SECRET$|APP_SECRET|LOG_KEY|_CODE$/.test(name))
    expect(keys.length).toBeGreaterThan(3)
    for (const key of [...keys, 'PUSH_KEY'])
      expect(sectionOf('Keys and algorithms'), key).toContain(`| \`${key}\``)
  })
})
