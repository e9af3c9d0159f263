import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { allMigrations } from '#app.ts'
import type { OpenedDatabase } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { type JobHandler, startJobRunner } from '#core/jobs/runner.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { type Dialect, readRows } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

export const MS_PER_HOUR = 3600 * 1000
export const MS_PER_DAY = 24 * MS_PER_HOUR
export const msAgo = (ms: number) => new Date(Date.now() - ms).toISOString()
export const mailMessage: MailMessage = {
  to: 'ann@engawa.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello',
}

/**
 * Creates an empty database, and returns it opened. `openExpression` is source code that another process
 * evaluates to open the same database.
 */
export async function openReopenable(dialect: Dialect): Promise<OpenedDatabase & { openExpression: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  const url = dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null
  const file = join(folder, 'x.db')
  const database = url ? await openPostgres(url) : openSqlite(file)
  onTestFinished(async () => {
    await database.close()
    if (url) await dropDatabase(url)
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...database, openExpression: url ? `await openPostgres('${url}')` : `openSqlite('${file}')` }
}

/**
 * Creates a database with all tables. Returns it with functions that start job runners, add jobs and read
 * jobs.
 */
export async function jobDatabase(dialect: Dialect) {
  const { db, openExpression } = await openReopenable(dialect)
  await runMigrations(db, allMigrations)
  const lines: string[] = []
  const write = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const log = { info: write, warn: write, error: write }
  const start = (mail: JobHandler<'mail'>, options: Partial<Parameters<typeof startJobRunner>[0]> = {}) => {
    const jobs = startJobRunner({ db, log, handlers: { mail }, ...options })
    onTestFinished(() => jobs.close())
    return jobs
  }
  const add = (mail = mailMessage, options?: { runAt: Date }) =>
    transaction(db, (tx) => enqueueJob(tx, 'mail', mail, options))
  const onlyJob = async () => {
    const rows = await readRows(db, 'jobs')
    expect(rows).toHaveLength(1)
    return rows[0]!
  }
  /**
   * Expects exactly one row in the table `jobs`. Waits until this row matches `wanted`, and returns it.
   * Does not use vi.waitFor, because vi.waitFor moves a clock that the test has stopped.
   */
  const waitForJob = async (wanted: object) => {
    for (let tries = 0; tries < 1000; tries++) {
      const job = await onlyJob()
      if (expect.objectContaining(wanted).asymmetricMatch(job)) return job
      await sleep(10)
    }
    const job = await onlyJob()
    expect(job).toMatchObject(wanted)
    return job
  }
  return { db, openExpression, lines, start, add, onlyJob, waitForJob }
}

/**
 * Stops the clock of `Date`, and returns its time in milliseconds. From now on, only the test moves this
 * clock; timers go on. Call vi.useRealTimers() after the test.
 */
export function freezeDate() {
  vi.useFakeTimers({ toFake: ['Date'] })
  return Date.now()
}
