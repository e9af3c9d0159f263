// Prepares a clone before a script of package.json runs: installs packages, builds, and looks for the
// programs that the tests need. It has no dependencies and runs on Node 20, because it installs the packages
// and Node 26 itself.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The names of the steps. Each step also runs the steps before it. */
const steps = ['install', 'build', 'test']
const step = steps.indexOf(process.argv[2])
const node = join('node_modules', '.bin', 'node')

if (Number.parseInt(process.versions.node, 10) < 20)
  fail(`Engawa needs Node 20 or newer; this is ${process.version}.`)
if (step < 0) fail(`Usage: node bin/setup.js ${steps.join('|')}`)
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

installPackages()
if (step >= steps.indexOf('build')) build()
if (step >= steps.indexOf('test')) findServices()

function installPackages() {
  if (areInstalled()) return
  say('Installing packages …')
  // Removes node_modules/.bin from PATH: otherwise npm would run on the Node that it is about to replace.
  const path = process.env.PATH.split(delimiter).filter(
    (folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder),
  )
  const env = { ...process.env, PATH: path.join(delimiter) }
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  if (!run('npm', args, { env })) fail('npm ci failed: the packages are not installed (see above).')
  if (!existsSync(node)) fail(`There is no package of Node for ${process.platform} on ${process.arch}.`)
}

/**
 * Returns whether node_modules has the packages of the lock file. npm lists the installed packages in
 * `.package-lock.json`. Optional packages for other platforms may be missing.
 */
function areInstalled() {
  const list = join('node_modules', '.package-lock.json')
  if (![list, node, join('node_modules', 'vite')].every((path) => existsSync(path))) return false
  const [{ '': _, ...wanted }, installed] = ['package-lock.json', list].map(
    (path) => JSON.parse(readFileSync(path, 'utf8')).packages,
  )
  const isRight = ([path, { integrity, optional }]) =>
    installed[path] ? installed[path].integrity === integrity : optional
  return Object.entries(wanted).every(isRight) && Object.keys(installed).every((path) => wanted[path])
}

function build() {
  const mark = join('lib', '.built')
  const wanted = fingerprint()
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Building …')
  rmSync(mark, { force: true })
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  if (!run(node, [vite, 'build', '--logLevel', 'warn'])) fail('The pages could not be built (see above).')
  if (!run(node, [join('bin', 'bundle.ts')])) fail('The server could not be built (see above).')
  // Writes lib/.built last and by rename, so that an interrupted build is repeated.
  writeFileSync(`${mark}.new`, wanted)
  renameSync(`${mark}.new`, mark)
}

/**
 * Returns a hash of all files that a build may read. An unnecessary file here causes a needless build; a
 * missing file would keep an old build.
 */
function fingerprint() {
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

function findServices() {
  let missing = missingServices()
  if (missing.length && process.getuid?.() === 0 && run('apt-get', ['--version'], { stdio: 'ignore' })) {
    say(`Installing ${missing.join(', ')} for the tests …`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => run('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    apt('update')
    for (const name of missing) apt('install', '-y', '--no-install-recommends', name)
    missing = missingServices()
  }
  if (missing.includes('chromium-headless-shell')) {
    say('Downloading Chromium for the tests …')
    run(node, [join('node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'], {
      stdio: ['ignore', 'inherit', 'ignore'],
    })
    missing = missingServices()
  }
  const otherwise = {
    'chromium-headless-shell': ', or set CHROMIUM_PATH',
    postgresql: ', or set TEST_DATABASE_URL',
  }
  for (const name of missing)
    say(`!!! NO ${name.toUpperCase()}: its tests will not run. Install it${otherwise[name] ?? ''}.`)
}

/** Returns the names of the Debian packages in tests/services.ts that this machine lacks. */
function missingServices() {
  const look = `import { detectInstalledTestPackages } from './tests/services.ts'
    console.log(JSON.stringify(detectInstalledTestPackages()))`
  const { status, stdout } = spawnSync(node, ['-e', look], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) fail('tests/services.ts could not be read (see above).')
  const found = JSON.parse(stdout)
  return Object.keys(found).filter((name) => !found[name])
}

function run(command, args, options) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
