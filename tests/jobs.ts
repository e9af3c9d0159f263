import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { migrations } from '#app.ts'
import type { Database } from '#core/database/database.ts'
import { migrate } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueue } from '#core/jobs/jobs.ts'
import { type JobHandler, startJobs } from '#core/jobs/runner.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { type Dialect, rowsOf } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

export const HOUR = 3600 * 1000
export const DAY = 24 * HOUR
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
export const message: MailMessage = {
  to: 'ann@engawa.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello',
}
/** For vi.waitFor. */
export const patient = { timeout: 20_000, interval: 10 }

/** An empty database, and how another process opens it. */
export async function emptyDatabase(dialect: Dialect): Promise<Database & { opening: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  const url = dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null
  const file = join(folder, 'x.db')
  const database = url ? await openPostgres(url) : openSqlite(file)
  onTestFinished(async () => {
    await database.close()
    if (url) await dropDatabase(url)
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...database, opening: url ? `await openPostgres('${url}')` : `openSqlite('${file}')` }
}

/** A database with the tables of the app, and runners that the test starts on it. */
export async function openJobs(dialect: Dialect) {
  const { db, opening } = await emptyDatabase(dialect)
  await migrate(db, migrations)
  const lines: string[] = []
  const write = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const log = { info: write, warn: write, error: write }
  const start = (mail: JobHandler<'mail'>, options: Partial<Parameters<typeof startJobs>[0]> = {}) => {
    const jobs = startJobs({ db, log, handlers: { mail }, ...options })
    onTestFinished(() => jobs.close())
    return jobs
  }
  const add = (mail = message, options?: { runAt: Date }) =>
    transaction(db, (tx) => enqueue(tx, 'mail', mail, options))
  const onlyJob = async () => {
    const rows = await rowsOf(db, 'jobs')
    expect(rows).toHaveLength(1)
    return rows[0]!
  }
  /** The only job, once it is as wanted. vi.waitFor would move the frozen clock. */
  const jobOnce = async (wanted: object) => {
    for (let tries = 0; tries < 1000; tries++) {
      const job = await onlyJob()
      if (expect.objectContaining(wanted).asymmetricMatch(job)) return job
      await sleep(10)
    }
    const job = await onlyJob()
    expect(job).toMatchObject(wanted)
    return job
  }
  return { db, opening, lines, start, add, onlyJob, jobOnce }
}

/** From now on the clock stands still until it is set. Call vi.useRealTimers() after the test. */
export function freezeClock() {
  vi.useFakeTimers({ toFake: ['Date'] })
  return Date.now()
}
