import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

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
const titles = /`([\w./-]+\.(?:test|spec)\.ts)` › ([^|`;]+?)(?= \||;|, `|\.\s|\)|$)/gm

describe('docs/security.md', () => {
  test('has each requirement once, and its totals are right', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    const count = (state: string) => rows.filter((row) => row.state === state).length
    const [met, unmet, operator] = ['met', '**not met**', 'operator'].map(count)
    expect(rows).toHaveLength(met! + unmet! + operator!)
    expect(table).toContain(`**${met} are met**, **${unmet} are not met**, ${operator} are the operator’s`)
    expect(table).toContain(`and ${253 - rows.length} do not apply`)
  })

  test('names existing files and tests', () => {
    const cited = [...page.matchAll(files)].map(([, path]) => path!)
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const tests = [...page.matchAll(titles)].map(([, path, title]) => ({ path: path!, title: title! }))
    expect(tests).toHaveLength(page.split(' › ').length - 1)
    const source = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'")
    expect(tests.filter(({ path, title }) => !source(path).includes(title))).toEqual([])
  })
})
