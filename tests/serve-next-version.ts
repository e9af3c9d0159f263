import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadFrontend } from '#core/http/frontend.ts'
import { exitWithError, startApp } from '#main.ts'

// Starts the server as bin/serve.ts does, but all scripts and styles of the pages have other names than in
// the build. So the server behaves as after an update: its pages are those of another version, and the
// files of the build are gone.

const folder = mkdtempSync(join(tmpdir(), 'engawa-next-version-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
cpSync(join(import.meta.dirname, '../dist'), folder, {
  recursive: true,
  filter: (path) => !/\.(br|gz)$/.test(path),
})

const assets = join(folder, 'assets')
const names = new Set(readdirSync(assets).filter((name) => /\.(js|css)$/.test(name)))
const replaceNames = (text: string) =>
  text.replace(/[\w-]+\.(js|css)/g, (name) => (names.has(name) ? `next-${name}` : name))
for (const name of names) renameSync(join(assets, name), join(assets, `next-${name}`))
const changed = ['index.html', 'service-worker.js', '.vite/manifest.json']
for (const path of [...changed, ...[...names].map((name) => `assets/next-${name}`)])
  writeFileSync(join(folder, path), replaceNames(readFileSync(join(folder, path), 'utf8')))

try {
  await startApp({ frontend: loadFrontend(folder) })
} catch (error) {
  exitWithError(error)
}
