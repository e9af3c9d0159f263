import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appVersion } from '#core/environment/version.ts'
import { openApiDocument } from '#core/http/openapi.ts'
import packageJson from '#package.json' with { type: 'json' }
import lock from '../package-lock.json' with { type: 'json' }

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const matches = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, found]) => found)

test('the version of package.json is the one that is shown everywhere', () => {
  expect(appVersion).toBe(packageJson.version)
  expect(openApiDocument('Engawa', {}).info.version).toBe(appVersion)
  expect([lock.version, lock.packages[''].version]).toEqual([appVersion, appVersion])
  expect(matches('compose.yaml', /image: engawa:(\S+)/g)).toEqual([appVersion])
  expect(new Set(matches('docs/self-hosting.md', /engawa-([\d.]+)\.tgz/g))).toEqual(new Set([appVersion]))
  expect(matches('SECURITY.md', /newest release \((\d+\.\d+)\)/g)).toEqual([/^\d+\.\d+/.exec(appVersion)![0]])
})

test('the changelog begins with what is not released, then the last release, and links both', () => {
  const headings = matches('CHANGELOG.md', /^## (.+)$/gm)
  expect(headings[0]).toBe('[Unreleased]')
  const [, last = ''] = /^\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/.exec(headings[1]!) ?? []
  // The version may be ahead of the last release: `npm run release` names the open section.
  expect(appVersion.localeCompare(last, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
  const links = matches('CHANGELOG.md', /^\[(.+)\]: https:\S+$/gm)
  expect(headings.map((heading) => heading!.split(' ')[0])).toEqual(links.map((name) => `[${name}]`))
})

test('one address of the repository is named everywhere', () => {
  const { homepage, repository, bugs } = packageJson
  const address = homepage.replace(/#readme$/, '')
  expect([repository.url, bugs]).toEqual([`git+${address}.git`, `${address}/issues`])
  const pages = ['README.md', 'CHANGELOG.md', 'docs/self-hosting.md']
  const found = pages.flatMap((page) => matches(page, /(https:\/\/github\.com\/[\w-]*engawa[\w-]*\/[\w-]+)/g))
  expect(new Set(found)).toEqual(new Set([address]))
})
