import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// bin/setup.js compares this fingerprint with that of the last build in lib/.built, to see whether a build is
// due; tests/server.ts, to see whether lib/ is what the sources say. It runs on Node 20, as bin/setup.js does.

/**
 * Returns a hash of all files that a build may read. An unnecessary file here causes a needless build; a
 * missing file would keep an old build. The working directory must be the root of the repository.
 */
export function fingerprint() {
  const files = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json', 'app.ts', 'main.ts']
  for (const folder of ['bin', 'core', 'features', 'web']) {
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
    files.push(...names.filter((name) => !name.endsWith('.test.ts')).map((name) => join(folder, name)))
  }
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    if (!existsSync(file) || !statSync(file).isFile()) continue
    const content = readFileSync(file)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
