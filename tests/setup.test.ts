import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { serverFolder } from '#tests/server.ts'

const root = join(import.meta.dirname, '..')

/**
 * A stand-in for npm that downloads nothing: it writes the list of the packages that package.json asks for,
 * and its arguments into npm.log beside bin/. In the lock file of this test, vitest needs chai.
 */
const npm = `#!${process.execPath}
  import fs from 'node:fs'
  const [command] = process.argv.slice(2)
  const clone = process.env.CLONE
  fs.appendFileSync(clone + '/npm.log', command + '\\n')
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  if (names.includes('vitest')) names.push('chai')
  for (const name of ['.bin', ...names]) fs.mkdirSync('node_modules/' + name, { recursive: true })
  if (process.env.BREAKS) process.exit(1)
  fs.writeFileSync('node_modules/.bin/node', '')
  const paths = names.map((name) => 'node_modules/' + name)
  const list = Object.fromEntries(paths.map((path) => [path, packages[path]]))
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: list }))
`
const manifest = {
  dependencies: { fastify: '1.0.0' },
  devDependencies: { vite: '1.0.0', vitest: '1.0.0' },
}
const packages = {
  '': manifest,
  'node_modules/fastify': { integrity: 'a' },
  'node_modules/vite': { integrity: 'b', optionalDependencies: { 'vite-other': '1.0.0' } },
  'node_modules/vite-other': { integrity: 'c', optional: true },
  'node_modules/vitest': { integrity: 'd', dependencies: { chai: '1.0.0' } },
  'node_modules/chai': { integrity: 'e' },
}

let clone: string
beforeEach(async () => {
  clone = await serverFolder()
  mkdirSync(join(clone, 'bin'))
  for (const file of ['bin/setup.js', 'bin/fingerprint.js']) cpSync(join(root, file), join(clone, file))
  cpSync(join(root, '.npmrc'), join(clone, '.npmrc'))
  writeFileSync(
    join(clone, 'package.json'),
    JSON.stringify({ type: 'module', ...manifest, buildDependencies: ['vite'] }),
  )
  writeFileSync(join(clone, 'npm'), npm, { mode: 0o755 })
  writeLock(packages)
})

const writeLock = (content: object) =>
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages: content }))

/** Runs bin/setup.js. Returns its exit code, and the commands that it gave to npm. */
function setUp(task: string, env: NodeJS.ProcessEnv = {}) {
  const log = join(clone, 'npm.log')
  rmSync(log, { force: true })
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'bin/setup.js'), task], {
    env: { PATH: clone + delimiter + process.env.PATH, CLONE: clone, ...env },
    encoding: 'utf8',
  })
  const commands = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  return { status, stderr, commands }
}
const done = (...commands: string[]) => expect.objectContaining({ status: 0, commands })
const installed = () => readdirSync(join(clone, 'node_modules')).filter((name) => !name.startsWith('.'))

test('the tools are installed when a script first needs them, and stay', () => {
  expect(setUp('install')).toEqual(done('ci'))
  expect(installed()).toEqual(['fastify', 'vite'])
  expect(existsSync(join(clone, '.install'))).toBe(false)
  expect(setUp('install')).toEqual(done())

  expect(setUp('tools')).toEqual(done('install'))
  expect(installed()).toEqual(['chai', 'fastify', 'vite', 'vitest'])
  expect(setUp('tools')).toEqual(done())
  expect(setUp('install')).toEqual(done())
})

test('everything is installed at once if nothing was', () => {
  expect(setUp('tools')).toEqual(done('ci'))
  expect(setUp('install')).toEqual(done())
})

test('a changed lock file is installed, with the tools if they were there', () => {
  setUp('install')
  writeLock({ ...packages, 'node_modules/chai': { integrity: 'new' } })
  expect(setUp('install'), 'a tool has changed').toEqual(done())
  writeLock({ ...packages, 'node_modules/vite': { integrity: 'new' } })
  expect(setUp('install')).toEqual(done('ci'))
  expect(installed()).toEqual(['fastify', 'vite'])
  expect(setUp('tools')).toEqual(done('install'))

  writeLock({ ...packages, 'node_modules/fastify': { integrity: 'new' } })
  expect(setUp('install')).toEqual(done('ci'))
  expect(installed()).toContain('vitest')
  expect(setUp('tools')).toEqual(done())
})

test('an interrupted installation is repeated', () => {
  expect(setUp('install', { BREAKS: '1' })).toMatchObject({ status: 1, commands: ['ci'] })
  expect(setUp('install')).toEqual(done('ci'))
  expect(setUp('tools', { BREAKS: '1' })).toMatchObject({ status: 1, commands: ['install'] })
  expect(setUp('install')).toEqual(done())
  expect(setUp('tools')).toEqual(done('install'))
})
