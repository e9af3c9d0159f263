import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, findFirefox, findWebKit } from '../programs.ts'
import { hasPostgres } from '../services.ts'
import {
  type PlaywrightReport,
  readPlaywright,
  readVitest,
  type Tests,
  type VitestReport,
} from './reports.ts'

export interface Part extends Tests {
  name: string
  seconds: number
  /** What did not run because this machine lacks a program. */
  leftOut?: string | undefined
}

const root = join(import.meta.dirname, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'engawa-test-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Types, lint, unused code, and the sizes of the scripts that a page loads. */
export async function check(): Promise<Part[]> {
  const programs = {
    types: ['node_modules/typescript/bin/tsc'],
    lint: ['node_modules/@biomejs/biome/bin/biome', 'check'],
    unused: ['node_modules/knip/bin/knip.js'],
    sizes: ['bin/sizes.ts'],
  }
  const done: Part[] = []
  for (const [name, args] of Object.entries(programs)) {
    const { isOk, seconds } = await start(name, args)
    done.push(complete(isOk, { name, seconds, ...none, passed: isOk ? 1 : 0 }))
  }
  return done
}
const none: Tests = { passed: 0, failed: 0, skipped: 0, files: [], broken: [], notRun: [], flaky: [] }

/** `filters` are parts of the paths of test files, or `--shard=1/2`, here and below. */
export const unit = (filters: readonly string[]) =>
  vitest('unit', filters, {
    leftOut: hasPostgres() ? undefined : 'NO POSTGRESQL: only SQLite is tested',
  })

/** Walks through the main features in Firefox and WebKit, and in the deep stage also in Chromium. */
export function engines(filters: readonly string[]) {
  const found = {
    CHROMIUM: findChromium(),
    FIREFOX: findFirefox(),
    WEBKIT: findWebKit(),
  }
  const missing = Object.entries(found).flatMap(([name, path]) => (path ? [] : name))
  const leftOut = missing.length ? `NO ${missing.join(', NO ')}: its walk did not run` : undefined
  return vitest('engines', filters, { leftOut, config: 'tests/engines/vitest.config.ts' })
}

interface VitestOptions {
  leftOut: string | undefined
  config?: string
}

async function vitest(
  name: string,
  filters: readonly string[],
  { leftOut, config = 'vitest.config.ts' }: VitestOptions,
): Promise<Part> {
  const report = join(scratch, `${name}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', `--config=${config}`, ...reporters, ...filters]
  const { isOk, seconds } = await start(name, args)
  return complete(isOk, { name, seconds, leftOut, ...readVitest(read<VitestReport>(report), root) })
}

export async function browser(filters: readonly string[]): Promise<Part> {
  const name = 'browser'
  const leftOut = findChromium() ? undefined : 'NO CHROMIUM: none of the browser tests ran'
  if (leftOut) return { name, seconds: 0, leftOut, ...none }
  const report = join(scratch, 'playwright.json')
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=dot,json', ...filters]
  const { isOk, seconds } = await start(name, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  return complete(isOk, { name, seconds, leftOut, ...readPlaywright(read<PlaywrightReport>(report)) })
}

/** Counts a failure if the program failed without a failed test: in a crash, or because it found no tests. */
const complete = (isOk: boolean, part: Part): Part =>
  isOk || part.failed > 0 ? part : { ...part, failed: 1, broken: [`${part.name} ended with an error`] }

const read = <Report>(file: string): Partial<Report> =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

async function start(name: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`)
  const began = Date.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = await once(child, 'close')
  return { isOk: code === 0, seconds: (Date.now() - began) / 1000 }
}
