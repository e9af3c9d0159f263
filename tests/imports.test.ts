import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, expect, test } from 'vitest'
import { dependencyCruiserOptions, dependencyCruiserRules } from './import-rules.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'engawa-imports-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/**
 * Runs dependency-cruiser with the rules of tests/import-rules.ts on a folder. Returns the violations as
 * `rule: from → to`, and the paths of the files that it has read.
 */
async function check(baseDir: string) {
  const settings = {
    ...dependencyCruiserOptions,
    baseDir,
    validate: true,
    ruleSet: { forbidden: dependencyCruiserRules },
  }
  const tsConfig = { options: { baseUrl: baseDir, paths: {} } }
  const { output } = await cruise(['core', 'features', 'web', 'app.ts', 'main.ts'], settings, undefined, {
    tsConfig,
  } as never)
  const { summary, modules } = output as ICruiseResult
  const faults = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  const top = (path: string) => path.split('/')[0]
  const climbing = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module, resolved }) => module.startsWith('..') && top(source) !== top(resolved))
      .map(({ resolved }) => `use-aliases: ${source} → ${resolved}`),
  )
  return { faults: [...new Set([...faults, ...climbing])], files: modules.map(({ source }) => source) }
}

test('the imports of the project follow the rules', async () => {
  const { faults, files } = await check(root)
  expect(faults).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['app.ts', 'main.ts', 'core/config.ts', 'web/App.tsx']))
})

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
  ['features/chat/model.ts', '#features/shop/model.ts', 'chat-imports-earlier-features'],
  ['features/unknown/model.ts', '#core/config.ts', 'known-feature'],
  ['features/people/routes.ts', './web/Profile.tsx', 'server-imports-no-browser-code'],
  ['features/posts/model.ts', '#web/api.ts', 'server-imports-no-browser-code'],
  ['app.ts', '#web/api.ts', 'server-imports-no-browser-code'],
  ['features/posts/web/List.tsx', '../model.ts', 'browser-gets-contracts-only'],
  ['web/api.ts', '#core/http/server.ts', 'browser-gets-contracts-only'],
  ['web/main.tsx', '#main.ts', 'browser-gets-contracts-only'],
  ['web/AppShell.tsx', '#tests/harness.ts', 'product-imports-no-tools'],
  ['web/TopNavBar.tsx', '#features/chat/contract.ts', 'shell-imports-only-people'],
  ['features/shop/contract.ts', './model.ts', 'shared-files-import-shared-files'],
  ['features/shop/routes.ts', '#app.ts', 'only-the-composition-root-imports-the-app'],
  ['core/locks.ts', './redis.ts', 'no-circular'],
] as const
const allowed = [
  ['core/redis.ts', './locks.ts'],
  ['features/posts/model.ts', '#features/people/model.ts'],
  ['features/posts/contract.ts', '#core/contract.ts'],
  ['features/posts/web/List.tsx', '#web/api.ts'],
  ['features/posts/web/List.tsx', '../contract.ts'],
  ['features/chat/web/List.tsx', '../channel-contract.ts'],
  ['web/App.tsx', '#features/people/contract.ts'],
  ['app.ts', '#features/posts/routes.ts'],
  ['main.ts', '#app.ts'],
] as const

test('every rule finds the imports that it forbids, including type and dynamic imports', async () => {
  const sources = new Map<string, string[]>()
  const targets = ['features/posts/contract.ts', 'features/posts/web/posts.css', 'features/shop/model.ts']
  for (const path of targets) sources.set(path, [])
  for (const [at, [from, to]] of [...forbidden, ...allowed].entries()) {
    const kinds = [
      `import '${to}'`,
      `import type { X } from '${to}'`,
      `export const x = () => import('${to}')`,
    ]
    sources.set(from, [...(sources.get(from) ?? []), kinds[from.endsWith('locks.ts') ? 0 : at % 3]!])
    const target = to.startsWith('#') ? to.slice(1) : join(dirname(from), to)
    if (!sources.has(target)) sources.set(target, [])
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
    const target = to.startsWith('#') ? to.slice(1) : join(dirname(from), to)
    expect
      .soft(faults, `${from} imports ${to}`)
      .toContainEqual(expect.stringContaining(`${rule}: ${from} → ${target}`))
  }
  for (const [from, to] of allowed.slice(1)) {
    const target = to.startsWith('#') ? to.slice(1) : join(dirname(from), to)
    expect
      .soft(
        faults.filter((fault) => fault.endsWith(`${from} → ${target}`)),
        `${from} imports ${to}`,
      )
      .toEqual([])
  }
})
