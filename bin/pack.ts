import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Makes lib/, which npm pack packs: Node strips no types below node_modules.

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

rmSync(lib, { recursive: true, force: true })
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.package.json')])
cpSync(join(root, 'dist'), join(lib, 'dist'), { recursive: true })
// A scope of its own, in which the names that the sources import by lead to what was made of them.
writeFileSync(join(lib, 'package.json'), JSON.stringify({ type: 'module', imports: { '#*.ts': './*.js' } }))
