import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { browserTests } from '../browser/features.ts'
import { git, listImporters } from './imports.ts'

// `npm run test:changed` runs what the change since the newest commit of main, or since `--base REV`, can
// break: the tests that import a changed file, the tests of each changed feature, and its tests in a browser.

const root = join(import.meta.dirname, '..', '..')

/** What a contract or a route of any feature can break. */
const wire = ['tests/permissions', 'tests/spec-api', 'tests/boundaries']

export function chooseTests(root: string, changed: readonly string[]) {
  const importers = [...listImporters(root, changed)]
  const reached = importers.filter((file) => /^(?!tests\/engines\/).*\.test\.ts$/.test(file))
  const rooms = [
    ...new Set(changed.flatMap((file) => /^(core\/[^/]+|features\/[^/]+)\//.exec(file)?.[1] ?? [])),
  ]
  const isWire = changed.some((file) =>
    /^features\/[^/]+\/([\w-]*contract|[\w-]*schemas|[\w-]*routes|server-pages|module)\.ts$/.test(file),
  )
  const features = rooms.flatMap((room) => /^features\/(.+)/.exec(room)?.[1] ?? [])
  const isShell = changed.some((file) => file.startsWith('web/'))
  const specs = importers.flatMap((file) => /^tests\/browser\/(.+\.spec)\.ts$/.exec(file)?.[1] ?? [])
  return {
    unit: [...new Set([...reached, ...rooms.map((room) => `${room}/`), ...(isWire ? wire : [])])],
    browser: [
      ...new Set([
        ...[...features, ...(isShell ? ['web'] : [])].flatMap((name) =>
          (browserTests[name] ?? []).map((file) => `/${file}.spec`),
        ),
        ...specs,
      ]),
    ],
  }
}

if (import.meta.main) {
  const at = process.argv.indexOf('--base')
  const base = at > 0 ? process.argv[at + 1]! : git(root, 'merge-base', 'HEAD', 'main')[0]!
  const changed = [
    ...git(root, 'diff', '--name-only', base),
    ...git(root, 'ls-files', '--others', '--exclude-standard'),
  ]
  const { unit, browser } = chooseTests(root, changed)
  console.log(`${changed.length} changed files.`)
  const alone = changed.filter((file) => !/\.tsx?$|^features\/|^core\//.test(file))
  if (alone.length) console.log(`No test is chosen for ${alone.join(', ')}: think of npm test.`)
  const run = (part: string, filters: readonly string[] = []) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), part, ...filters], {
      cwd: root,
      stdio: 'inherit',
    }).status === 0
  const passed = [run('check'), !unit.length || run('unit', unit), !browser.length || run('browser', browser)]
  process.exitCode = passed.every(Boolean) ? 0 : 1
}
