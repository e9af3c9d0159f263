// Prepares a clone before a script of package.json runs: installs packages, builds, and looks for the
// programs that the tests need. It has no dependencies and runs on Node 20, because it installs the packages
// and Node 26 itself.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './fingerprint.js'

/**
 * What a script can ask for. `install` and `build` install only the packages that run and build Engawa: the
 * dependencies, and those devDependencies that package.json lists in `buildDependencies`. `tools` and `test`
 * install all packages.
 */
const tasks = {
  install: () => installPackages(),
  build: () => {
    installPackages()
    build()
  },
  tools: () => installPackages({ withTools: true }),
  test: () => {
    installPackages({ withTools: true })
    build()
    findServices()
  },
}
const node = join('node_modules', '.bin', 'node')
const list = join('node_modules', '.package-lock.json')

if (Number.parseInt(process.versions.node, 10) < 20)
  fail(`Engawa needs Node 20 or newer; this is ${process.version}.`)
const task = tasks[process.argv[2]]
if (!task) fail(`Usage: node bin/setup.js ${Object.keys(tasks).join('|')}`)
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
task()

function installPackages({ withTools = false } = {}) {
  const { buildDependencies, ...manifest } = readJson('package.json')
  const lock = readJson('package-lock.json')
  const forRunning = keepOnly(manifest.devDependencies, buildDependencies)
  const isReadyToRun = areInstalled(lock, forRunning)
  if (withTools ? areInstalled(lock, manifest.devDependencies) : isReadyToRun) return
  // If the lock file has changed since the tools were installed, installs them again too.
  if (withTools || existsSync(join('node_modules', 'vitest'))) {
    say('Installing all packages, with the tools for tests …')
    if (isReadyToRun) npm(['install', '--no-save'])
    else npm(['ci'])
    removeUnusedFiles('.')
  } else {
    say('Installing packages …')
    installFor({ ...manifest, devDependencies: forRunning }, lock)
  }
  if (!existsSync(node)) fail(`There is no package of Node for ${process.platform} on ${process.arch}.`)
}

/**
 * Replaces node_modules by the packages of `manifest`, in the versions of the lock file. npm cannot install
 * a part of the devDependencies, so it installs a smaller package.json in another folder.
 */
function installFor(manifest, lock) {
  const folder = '.install'
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const root = { ...lock.packages[''], devDependencies: manifest.devDependencies }
  const files = {
    'package.json': manifest,
    'package-lock.json': { ...lock, packages: { ...lock.packages, '': root } },
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content))
  copyFileSync('.npmrc', join(folder, '.npmrc'))
  npm(['ci'], folder)
  removeUnusedFiles(folder)
  rmSync('node_modules', { recursive: true, force: true })
  renameSync(join(folder, 'node_modules'), 'node_modules')
  rmSync(folder, { recursive: true, force: true })
}

function npm(args, cwd = '.') {
  // Removes node_modules/.bin from PATH: otherwise npm would run on the Node that it is about to replace.
  const path = process.env.PATH.split(delimiter).filter(
    (folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder),
  )
  const env = { ...process.env, PATH: path.join(delimiter) }
  const options = ['--include=dev', '--include=optional', '--prefer-offline', '--loglevel=error']
  // Without install scripts: no package needs its own.
  const all = [...args, ...options, '--ignore-scripts', '--no-audit', '--no-fund']
  if (run('npm', all, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })) return
  fail(`npm ${args[0]} failed: the packages are not installed (see above).`)
}

/** Removes what only compilers of C++ and readers need from the package of Node: 70 MB. */
function removeUnusedFiles(folder) {
  const packages = join(folder, 'node_modules')
  for (const name of readdirSync(packages).filter((name) => name.startsWith('node-')))
    for (const unused of ['include', 'share', 'CHANGELOG.md'])
      rmSync(join(packages, name, unused), { recursive: true, force: true })
  // npm distrusts its list if a folder is newer.
  utimesSync(join(folder, list), new Date(), new Date())
}

/**
 * Returns whether node_modules has the dependencies and the given devDependencies, with all that they need,
 * in the versions of the lock file. npm lists the installed packages in `.package-lock.json`. Optional
 * packages for other platforms may be missing.
 */
function areInstalled({ packages }, devDependencies) {
  if (![list, node].every((path) => existsSync(path))) return false
  const installed = readJson(list).packages
  const isRight = (path) =>
    installed[path] ? installed[path].integrity === packages[path].integrity : packages[path].optional
  const wanted = pathsOf(packages, { ...packages[''], devDependencies })
  return [...wanted].every(isRight) && Object.keys(installed).every((path) => packages[path] && isRight(path))
}

/** Returns the paths of the packages in a lock file that a package needs, directly or through others. */
function pathsOf(packages, { dependencies, optionalDependencies, devDependencies }) {
  const paths = new Set()
  visit('', { ...dependencies, ...optionalDependencies, ...devDependencies })
  return paths

  function visit(from, needs) {
    for (const name of Object.keys(needs)) {
      const path = find(from, name)
      if (!path || paths.has(path)) continue
      paths.add(path)
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]
      const isRequired = ([peer]) => !peerDependenciesMeta?.[peer]?.optional
      const peers = Object.fromEntries(Object.entries(peerDependencies ?? {}).filter(isRequired))
      visit(path, { ...dependencies, ...optionalDependencies, ...peers })
    }
  }

  /** Looks for a package where Node does: beside the files of `from`, then in each folder above. */
  function find(from, name) {
    const path = `${from && `${from}/`}node_modules/${name}`
    if (packages[path] || from === '') return packages[path] && path
    return find(from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name)
  }
}

function keepOnly(object, keys) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)))
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
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
  const look = `import { detectPackages } from './tests/services.ts'
    console.log(JSON.stringify(detectPackages()))`
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
