import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { featureModules } from '#app.ts'
import { browserTests } from './browser/features.ts'
import { chooseTests } from './run/changed.ts'

const root = join(import.meta.dirname, '..')
const choose = (...changed: string[]) => chooseTests(root, changed)

test('each browser test is named for a feature or for the shell', () => {
  const files = globSync('tests/browser/*.spec.ts', { cwd: root }).map((file) => basename(file, '.spec.ts'))
  const named = Object.values(browserTests).flat()
  expect(files.filter((file) => file !== 'all-pages' && !named.includes(file))).toEqual([])
  expect([...new Set(named)].filter((file) => !files.includes(file))).toEqual([])
  expect(Object.keys(browserTests).sort()).toEqual(['web', ...featureModules.map(({ name }) => name)].sort())
})

test('a change of a feature runs its tests, those that import it, and its browser tests', () => {
  const { unit, browser } = choose('features/reactions/model.ts')
  expect(unit).toContain('features/reactions/')
  expect(unit).not.toContain('tests/permissions')
  expect(unit.filter((file) => file.startsWith('features/posts/'))).toEqual([])
  expect(browser).toEqual(['/reaction-keyboard.spec', '/reactions.spec'])
  const scene = choose('features/reactions/test/reaction-scene.ts').unit
  expect(scene).toContain('features/link-previews/test/link-previews.test.ts')
})

test('a change of a contract also runs the tests of permissions and of the API', () => {
  const { unit } = choose('features/tags/contract.ts')
  expect(unit).toEqual(expect.arrayContaining(['features/tags/', 'tests/permissions', 'tests/spec-api']))
})

test('a change of core runs the tests beside it and those that import it', () => {
  const { unit, browser } = choose('core/process/fair-queue.ts')
  expect(unit).toContain('core/process/fair-queue.test.ts')
  expect(browser).toEqual([])
})

test('a change of the shell, or of a browser test, runs browser tests', () => {
  expect(choose('web/navigation.ts').browser).toContain('/navigation.spec')
  expect(choose('tests/browser/shop.spec.ts').browser).toEqual(['shop.spec'])
  for (const file of choose('features/shop/model.ts').unit)
    expect(existsSync(join(root, file)), file).toBe(true)
})
