import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files that import all features. Through them, each test would depend on everything. */
const lists = ['app.ts', 'main.ts']

export const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/**
 * Returns the files that import one of `changed`, directly or through others, and `changed` themselves. Paths
 * are relative to `root`. Imports through the lists of all features do not count.
 */
export function listImporters(root: string, changed: readonly string[]) {
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx')
  const importers = new Map<string, string[]>()
  for (const file of files) {
    if (!existsSync(join(root, file))) continue
    for (const imported of importsOf(file, readFileSync(join(root, file), 'utf8')))
      importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
  const found = new Set(changed)
  for (const file of found)
    if (!lists.includes(file) || changed.includes(file))
      for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

/** Returns the files of this repository that a module names in its imports. */
function importsOf(file: string, code: string) {
  const names = [...code.matchAll(/(?:from|import)\s*\(?\s*'([#.][^'\n]+)'/g)].map(([, name]) => name!)
  return names.map((name) => (name.startsWith('#') ? name.slice(1) : join(dirname(file), name)))
}
