import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, expect, test } from 'vitest'
import manifest from '#package.json' with { type: 'json' }
import { cruiserOptions, importRules } from './import-rules.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'engawa-imports-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/**
 * Runs dependency-cruiser with the rules of tests/import-rules.ts on a folder. Returns the violations as
 * `rule: from → to`, the paths of the files that it has read, and their imports of packages, without types.
 */
async function check(baseDir: string, programs: string[] = []) {
  const settings = {
    ...cruiserOptions,
    baseDir,
    validate: true,
    ruleSet: { forbidden: importRules },
  }
  const tsConfig = { options: { baseUrl: baseDir, paths: {} } }
  const paths = ['core', 'features', 'web', 'app.ts', 'main.ts', ...programs]
  const { output } = await cruise(paths, settings, undefined, { tsConfig } as never)
  const { summary, modules } = output as ICruiseResult
  const faults = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  const top = (path: string) => path.split('/')[0]
  const climbing = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module, resolved }) => module.startsWith('..') && top(source) !== top(resolved))
      .map(({ resolved }) => `use-aliases: ${source} → ${resolved}`),
  )
  const packages = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module, coreModule, typeOnly }) => !/^[#./]/.test(module) && !coreModule && !typeOnly)
      .map(({ module }) => ({ source, name: /^(@[^/]+\/)?[^/]+/.exec(module)![0] })),
  )
  const files = modules.map(({ source }) => source)
  return { faults: [...new Set([...faults, ...climbing])], files, packages }
}

test('the imports of the project follow the rules', async () => {
  const { faults, files, packages } = await check(root, programsWithoutTools())
  expect(faults).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['app.ts', 'main.ts', 'core/config.ts', 'web/App.tsx']))

  // npm start installs only the dependencies and the buildDependencies of package.json.
  const { buildDependencies, dependencies, devDependencies } = manifest
  const needed = packages.filter(({ name }) => !(name in dependencies))
  const missing = needed.filter(({ name }) => !buildDependencies.includes(name))
  expect(missing, 'add it to buildDependencies, or let the script need “setup.js tools”').toEqual([])
  const names = needed.map(({ name }) => name)
  expect([...new Set(names)].sort(), 'buildDependencies').toEqual(buildDependencies)
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(buildDependencies))
})

/** Returns the paths of the programs that run before the tools for tests are installed. */
function programsWithoutTools() {
  const scripts: Record<string, string> = manifest.scripts
  const names = Object.keys(scripts).filter((name) =>
    /setup\.js (install|build)$/.test(scripts[`pre${name}`] ?? ''),
  )
  expect(names).toEqual(expect.arrayContaining(['start', 'dev', 'demo', 'build']))
  const commands = names.map((name) => scripts[name]!)
  const known = /^(exec )?(node|vite|bin\/engawa) ?/
  expect(commands.filter((command) => !known.test(command))).toEqual([])
  const started = ['bin/serve.ts', 'bin/command.ts', 'bin/orphan.ts', 'vite.config.ts']
  return [...started, ...commands.flatMap((command) => command.match(/[\w/-]+\.ts/g) ?? [])]
}

/**
 * Examples of forbidden imports, at least one for each rule. Each has the importing file, the imported path
 * and the violated rule.
 */
const forbidden = [
  ['core/http/server.ts', '#features/people/model.ts', 'core-imports-core'],
  ['core/http/pages.ts', '../../features/people/model.ts', 'core-imports-core'],
  ['core/http/pages.ts', '../../features/people/model.ts', 'use-aliases'],
  ['core/http/forms.ts', '#app.ts', 'core-imports-core'],
  ['core/mail/mail.ts', '#demo/seed.ts', 'product-imports-no-tools'],
  ['features/people/model.ts', '#features/posts/contract.ts', 'people-imports-earlier-features'],
  ['features/people/web/Profile.tsx', '#features/posts/web/posts.css', 'people-imports-earlier-features'],
  ['features/conversations/model.ts', '#features/shop/model.ts', 'conversations-imports-earlier-features'],
  ['features/conversations/read.ts', '#features/messages/read.ts', 'conversations-imports-earlier-features'],
  ['features/unknown/model.ts', '#core/config.ts', 'known-feature'],
  ['features/people/routes.ts', './web/Profile.tsx', 'server-imports-no-browser-code'],
  ['features/posts/model.ts', '#web/api.ts', 'server-imports-no-browser-code'],
  ['app.ts', '#web/api.ts', 'server-imports-no-browser-code'],
  ['features/posts/web/List.tsx', '../model.ts', 'browser-gets-contracts-only'],
  ['web/api.ts', '#core/http/server.ts', 'browser-gets-contracts-only'],
  ['web/main.tsx', '#main.ts', 'browser-gets-contracts-only'],
  ['web/AppShell.tsx', '#tests/harness.ts', 'product-imports-no-tools'],
  ['web/TopNavBar.tsx', '#features/conversations/contract.ts', 'shell-imports-only-people'],
  ['features/shop/contract.ts', './model.ts', 'shared-files-import-shared-files'],
  ['features/shop/contract.ts', './schemas.ts', 'browser-gets-no-schemas'],
  ['features/shop/pages.ts', './cart-schemas.ts', 'browser-gets-no-schemas'],
  ['features/shop/web/Cart.tsx', '../schemas.ts', 'browser-gets-no-schemas'],
  ['web/api.ts', 'valibot', 'browser-gets-no-schemas'],
  ['features/shop/routes.ts', '#app.ts', 'only-the-composition-root-imports-the-app'],
  ['core/process/locks.ts', './redis.ts', 'no-circular'],
  ['core/jobs/jobs.ts', './runner.ts', 'no-circular-types'],
] as const
const allowed = [
  ['core/process/redis.ts', './locks.ts', 'values'],
  ['core/jobs/runner.ts', './jobs.ts', 'types'],
  ['features/tags/contract.ts', './schemas.ts', 'types'],
  ['features/tags/schemas.ts', './contract.ts', 'values'],
  ['features/tags/web/Tag.tsx', '../schemas.ts', 'types'],
  ['features/posts/model.ts', '#features/people/model.ts'],
  ['features/posts/contract.ts', '#core/contract.ts'],
  ['features/posts/web/List.tsx', '#web/api.ts'],
  ['features/posts/web/List.tsx', '../contract.ts'],
  ['features/conversations/web/List.tsx', '../contract.ts'],
  ['web/App.tsx', '#features/people/contract.ts'],
  ['app.ts', '#features/posts/routes.ts'],
  ['main.ts', '#app.ts'],
] as const

const targetOf = (from: string, to: string) =>
  to.startsWith('#') ? to.slice(1) : to.startsWith('.') ? join(dirname(from), to) : to

/** The kind of import for rules that some kinds do not violate, and for imports that are allowed in one kind. */
const kindOf: Readonly<Record<string, number>> = {
  'no-circular': 0,
  'no-circular-types': 1,
  'browser-gets-no-schemas': 0,
  values: 0,
  types: 1,
}

test('every rule finds the imports that it forbids, including type and dynamic imports', async () => {
  const sources = new Map<string, string[]>()
  const targets = ['features/posts/contract.ts', 'features/posts/web/posts.css', 'features/shop/model.ts']
  for (const path of targets) sources.set(path, [])
  for (const [at, [from, to, mark = '']] of [...forbidden, ...allowed].entries()) {
    const kinds = [
      `import '${to}'`,
      `import type { X } from '${to}'`,
      `export const x = () => import('${to}')`,
    ]
    sources.set(from, [...(sources.get(from) ?? []), kinds[kindOf[mark] ?? at % 3]!])
    const target = targetOf(from, to)
    if (target !== 'valibot' && !sources.has(target)) sources.set(target, [])
  }
  for (const [path, lines] of sources) {
    mkdirSync(join(scratch, dirname(path)), { recursive: true })
    writeFileSync(
      join(scratch, path),
      path.endsWith('.css') ? '' : `${lines.join('\n')}\nexport type X = 1\n`,
    )
  }
  const imports = Object.fromEntries(
    ['core', 'features', 'web', 'demo', 'tests'].map((f) => [`#${f}/*`, `./${f}/*`]),
  )
  const names = { '#app.ts': './app.ts', '#main.ts': './main.ts' }
  writeFileSync(
    join(scratch, 'package.json'),
    JSON.stringify({ type: 'module', imports: { ...imports, ...names } }),
  )

  const { faults } = await check(scratch)
  for (const [from, to, rule] of forbidden) {
    const target = targetOf(from, to)
    expect
      .soft(faults, `${from} imports ${to}`)
      .toContainEqual(expect.stringContaining(`${rule}: ${from} → ${target}`))
  }
  for (const [from, to] of allowed.slice(2)) {
    const target = targetOf(from, to)
    expect
      .soft(
        faults.filter((fault) => fault.endsWith(`${from} → ${target}`)),
        `${from} imports ${to}`,
      )
      .toEqual([])
  }
})
