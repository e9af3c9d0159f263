import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findChromiumPath, findFirefoxPath, findWebKitDriverBrowserAndDisplayPaths } from './programs.ts'
import { isTestPostgresAvailable } from './services.ts'

type Count = { passed: number; failed: number; skipped: number }
type Result = Count & {
  name: string
  leftOut?: string
  flaky?: string[]
  broken?: string[]
  notRun?: string[]
}

const usage = 'Usage: npm test -- [check] [unit] [browser] [engines] [--complete] [filter …]'
const partNames = ['check', 'unit', 'browser', 'engines']

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const complete = given.includes('--complete') || process.env.TEST_COMPLETE === '1'
const chosen = given.filter((arg) => partNames.includes(arg))
const filters = given.filter((arg) => arg !== '--complete' && !partNames.includes(arg))
if (filters.some((arg) => arg.startsWith('-')) || (filters.length > 0 && chosen.length !== 1)) {
  console.error(usage)
  process.exit(2)
}

const scratch = mkdtempSync(join(tmpdir(), 'engawa-test-'))
const wanted = (part: string) => chosen.length === 0 || chosen.includes(part)
const results: Result[] = []
if (wanted('check'))
  results.push(
    check('types', 'node_modules/typescript/bin/tsc'),
    check('lint', 'node_modules/@biomejs/biome/bin/biome', 'check'),
    check('unused', 'node_modules/knip/bin/knip.js'),
    check('sizes', 'bin/sizes.ts'),
  )
if (wanted('unit')) results.push(unit())
if (wanted('browser')) results.push(browser())
if (wanted('engines')) results.push(crossBrowser())
rmSync(scratch, { recursive: true, force: true })
process.exitCode = summarise(results)

function check(name: string, program: string, ...args: string[]): Result {
  const ok = start(name, program, args)
  return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

function unit(): Result {
  const missing = isTestPostgresAvailable()
    ? {}
    : { leftOut: 'NO POSTGRESQL: none of its tests ran, only those of SQLite' }
  return { ...vitest('unit'), ...missing }
}

/**
 * Runs tests/engines: the same tests of the main features in Chromium, Firefox and WebKit. Returns the
 * result, with the counts of passed, failed and skipped tests.
 */
function crossBrowser(): Result {
  const engines = {
    CHROMIUM: findChromiumPath(),
    FIREFOX: findFirefoxPath(),
    WEBKIT: findWebKitDriverBrowserAndDisplayPaths(),
  }
  const missing = Object.entries(engines).flatMap(([name, found]) => (found ? [] : name))
  const result = vitest('engines', '--config=tests/engines/vitest.config.ts')
  return missing.length ? { ...result, leftOut: `NO ${missing.join(', NO ')}: its walk did not run` } : result
}

function vitest(name: string, ...options: string[]): Result {
  const report = join(scratch, `${name}.json`)
  const ok = start(name, 'node_modules/vitest/vitest.mjs', [
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ])
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
    testResults = [],
  } = read<VitestReport>(report)
  const broken = testResults.filter(({ status }) => status === 'failed').flatMap(failuresIn)
  const count = {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, broken.length),
    skipped: numPendingTests + numTodoTests,
  }
  const named = (is: (test: VitestTest) => boolean) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(is).map(({ fullName }) => `${relative(root, name)} › ${fullName}`),
    )
  return {
    name,
    ...countRunnerFailure(ok, count),
    broken,
    flaky: named(isFlaky),
    notRun: named(({ status }) => status !== 'passed' && status !== 'failed'),
  }
}

/**
 * Returns whether a Vitest test failed first and passed in a retry: Vitest keeps the errors of the first try.
 */
function isFlaky({ status, failureMessages = [] }: VitestTest) {
  return status === 'passed' && failureMessages.length > 0
}

/**
 * Returns a text for each failed test of a Vitest test file, with the first line of its error. If the file
 * failed outside of its tests, returns one text for the file.
 */
function failuresIn({ name, message = '', assertionResults }: VitestFile): string[] {
  const file = relative(root, name)
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  if (tests.length === 0) return [`${file}: ${firstLine(message)}`]
  return tests.map(
    ({ fullName, failureMessages = [] }) => `${file} › ${fullName}: ${firstLine(failureMessages[0] ?? '')}`,
  )
}

function firstLine(text: string) {
  return text.split('\n', 1)[0]
}

function browser(): Result {
  if (!findChromiumPath())
    return {
      name: 'browser',
      passed: 0,
      failed: 0,
      skipped: 0,
      leftOut: 'NO CHROMIUM: none of the browser tests ran',
    }
  const report = join(scratch, 'playwright.json')
  const ok = start(
    'browser',
    'node_modules/@playwright/test/cli.js',
    ['test', '--reporter=line,json', ...filters],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  )
  const { stats, errors = [], suites = [] } = read<PlaywrightReport>(report)
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = stats ?? {}
  const count = { passed: expected + flaky, failed: unexpected + errors.length, skipped }
  const named = (status: string) => suites.flatMap((suite) => testsWithStatus(status, suite))
  return {
    name: 'browser',
    ...countRunnerFailure(ok, count),
    flaky: named('flaky'),
    broken: named('unexpected'),
    notRun: named('skipped'),
  }
}

/**
 * Returns the names of the Playwright tests with the status `ended`, in Playwright's format: file:line ›
 * groups › title. A test with the status "flaky" failed first and passed in a retry.
 */
function testsWithStatus(
  ended: string,
  { title, file, line, specs = [], suites = [] }: Suite,
  groups: string[] = [],
): string[] {
  const within = line ? [...groups, title] : groups
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === ended))
  return [
    ...own.map((spec) => [`${file}:${spec.line}`, ...within, spec.title].join(' › ')),
    ...suites.flatMap((suite) => testsWithStatus(ended, suite, within)),
  ]
}

type VitestReport = {
  numPassedTests?: number
  numFailedTests?: number
  numPendingTests?: number
  numTodoTests?: number
  testResults?: VitestFile[]
}
type VitestFile = {
  name: string
  status: string
  message?: string
  assertionResults: VitestTest[]
}
type VitestTest = { fullName: string; status: string; failureMessages?: string[] }
type PlaywrightReport = {
  stats?: { expected: number; flaky: number; unexpected: number; skipped: number }
  errors?: unknown[]
  suites?: Suite[]
}
/** A test file or a `describe` group in the JSON report of Playwright. The line of a file is 0. */
type Suite = {
  title: string
  file: string
  line: number
  specs?: { title: string; line: number; tests: { status: string }[] }[]
  suites?: Suite[]
}

function start(name: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`)
  const stage = complete ? { TEST_COMPLETE: '1' } : {}
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...stage, ...env } } as const
  return spawnSync(process.execPath, [join(root, program), ...args], options).status === 0
}

function read<Report extends object>(file: string): Report | Partial<Report> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/**
 * Returns the count with one failure added if a test runner failed without a failed test, for example in a
 * crash, in its set-up, or because it found no tests.
 */
function countRunnerFailure(ok: boolean, count: Count): Count {
  return !ok && count.failed === 0 ? { ...count, failed: 1 } : count
}

function summarise(results: Result[]) {
  console.log(`\n── summary ${'─'.repeat(69)}`)
  for (const result of results) console.log(`${result.name.padEnd(8)} ${formatCounts(result)}`)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  const notRun = results.flatMap((result) => result.leftOut ?? [])
  for (const words of notRun) console.log(`!!! ${words}.`)
  for (const test of results.flatMap(({ broken = [] }) => broken)) console.log(`!!! FAILED: ${test}`)
  for (const test of results.flatMap(({ flaky = [] }) => flaky))
    console.log(`!!! FLAKY, passed when it was tried again: ${test}`)
  for (const test of results.flatMap(({ notRun = [] }) => notRun)) console.log(`!!! SKIPPED: ${test}`)
  if (complete && notRun.length + total.skipped > 0) {
    console.log(
      `!!! What was left out (${notRun.length}) or skipped (${total.skipped}) counts as failed: the run was to be complete.`,
    )
    total.failed += notRun.length + total.skipped
    total.skipped = 0
  }
  console.log(formatCounts(total))
  return total.failed > 0 ? 1 : 0

  function sum(key: keyof Count) {
    return results.reduce((so, result) => so + result[key], 0)
  }
}

function formatCounts({ passed, failed, skipped }: Count) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
