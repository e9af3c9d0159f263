import { format } from 'node:util'
import { browser, check, engines, type Part, unit } from './parts.ts'

// `npm test` runs everything; what this machine cannot run counts as failed. With the names of parts, or with
// parts of the paths of test files, only these run; in CI, each part is complete too. The last line has the
// counts.

const usage = 'Usage: npm test -- [check] [unit] [engines] [browser] [--shard=1/2] [filter …]'
const names = ['check', 'unit', 'engines', 'browser']

const given = process.argv.slice(2)
// The parts of a run take the same samples, also at a second try and after midnight.
process.env.TEST_DAY ??= String(Math.floor(Date.now() / 86_400_000))
process.env.TEST_SEED ??= String(Date.now())
const chosen = given.filter((arg) => names.includes(arg))
const filters = given.filter((arg) => !names.includes(arg))
// A complete run allows no test that is run alone (`.only`).
if (chosen.length === 0) process.env.TEST_COMPLETE = '1'
const isKnown = (arg: string) => !arg.startsWith('-') || /^--shard=\d+\/\d+$/.test(arg)
if (!filters.every(isKnown) || (filters.length > 0 && chosen.length !== 1)) {
  console.error(usage)
  process.exit(2)
}

async function run(wanted: readonly string[]) {
  const done: Part[] = []
  if (wanted.includes('check')) done.push(...(await check()))
  if (wanted.includes('engines')) done.push(await engines(filters))
  if (wanted.includes('unit')) done.push(await unit(filters))
  if (wanted.includes('browser')) done.push(await browser(filters))
  return done
}

/** Prints what ran and what failed. Returns the exit code. */
function summarise(parts: readonly Part[], isComplete: boolean) {
  const sum = (key: 'passed' | 'failed' | 'skipped') => parts.reduce((all, part) => all + part[key], 0)
  const slowest = parts
    .flatMap(({ files }) => files)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  const leftOut = parts.flatMap(({ leftOut = [] }) => leftOut)
  console.log(`\n── slowest files ${'─'.repeat(63)}`)
  for (const { file, seconds } of slowest) console.log(format('%s  %s', inSeconds(seconds), file))
  console.log(`\n── summary ${'─'.repeat(69)}`)
  console.log(`TEST_DAY=${process.env.TEST_DAY} TEST_SEED=${process.env.TEST_SEED}`)
  for (const part of parts)
    console.log(format('%s  %s  %s', inSeconds(part.seconds), part.name.padEnd(8), counts(part)))
  for (const words of leftOut) console.log(`!!! ${words}.`)
  for (const test of parts.flatMap(({ broken }) => broken)) console.log(`!!! FAILED: ${test}`)
  for (const test of parts.flatMap(({ flaky }) => flaky)) console.log(`!!! FLAKY: ${test}`)
  for (const test of parts.flatMap(({ notRun }) => notRun)) console.log(`!!! SKIPPED: ${test}`)
  if (isComplete && leftOut.length + total.skipped > 0) {
    console.log('!!! What was left out or skipped counts as failed, because the run was to be complete.')
    total.failed += leftOut.length + total.skipped
    total.skipped = 0
  }
  console.log(counts(total))
  return total.failed > 0 ? 1 : 0
}

const inSeconds = (seconds: number) => `${seconds.toFixed(1).padStart(7)} s`

const counts = ({ passed, failed, skipped }: Pick<Part, 'passed' | 'failed' | 'skipped'>) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

process.exitCode = summarise(
  await run(chosen.length ? chosen : names),
  chosen.length === 0 || Boolean(process.env.CI),
)
