// Makes a fresh clone ready before npm start, dev, demo and test. It has no dependencies, for it is what installs them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modes = ['start', 'dev', 'test']
const mode = process.argv[2]
const node = join('node_modules', '.bin', 'node')

if (Number.parseInt(process.versions.node, 10) < 20)
  fail(`Engawa needs Node 20 or newer; this is ${process.version}.`)
if (!modes.includes(mode)) fail(`Usage: node bin/setup.js ${modes.join('|')}`)
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

installPackages()
if (mode !== 'dev') build()
if (mode === 'test') findServices()

function installPackages() {
  const installed = join('node_modules', '.package-lock.json')
  const current =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs
  if (current && existsSync(node) && existsSync(join('node_modules', 'vite'))) return
  say('Installing packages …')
  // Without node_modules/.bin: npm would run on the very Node that it is about to replace.
  const path = process.env.PATH.split(delimiter).filter(
    (folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder),
  )
  const env = { ...process.env, PATH: path.join(delimiter) }
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  if (!run('npm', args, { env })) fail('npm ci failed: the packages are not installed (see above).')
  if (!existsSync(node)) fail(`There is no package of Node for ${process.platform} on ${process.arch}.`)
  const time = Math.max(Date.now(), statSync('package-lock.json').mtimeMs) / 1000
  utimesSync(installed, time, time)
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
  // Written last and by rename, so that a build broken off is done again.
  writeFileSync(`${mark}.new`, wanted)
  renameSync(`${mark}.new`, mark)
}

/** Covers every file that a build may read. A file too many costs a needless build now and then; a missing one would leave an old build. */
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

/** Names of Debian packages, as tests/services.ts lists them. */
function missingServices() {
  const look = `import('./tests/services.ts').then(({ services }) => console.log(JSON.stringify(services())))`
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
