import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, readRows } from '#tests/harness.ts'
import { freezeDate, jobDatabase, MS_PER_HOUR, mailMessage, msAgo } from '#tests/jobs.ts'
import { countUnfinished } from './jobs.ts'
import type { JobHandler } from './runner.ts'

afterEach(() => void vi.useRealTimers())

describe.each(databases)('leased jobs on %s', (dialect) => {
  test('of a killed process run again when the lease has expired, and not before', async () => {
    const { openExpression, start, onlyJob, add } = await jobDatabase(dialect)
    await add()
    const program = `import { openPostgres } from '#core/database/postgres.ts'
      import { openSqlite } from '#core/database/sqlite.ts'
      import { startJobRunner } from '#core/jobs/runner.ts'
      const { db } = ${openExpression}
      const mail = () => {
        console.log('running')
        return new Promise((resolve) => setTimeout(resolve, 3600_000))
      }
      startJobRunner({ db, log: console, handlers: { mail } })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    freezeDate()
    const { run_at, leased_by } = await onlyJob()
    expect(leased_by).toEqual(expect.any(String))

    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    vi.setSystemTime(Date.parse(run_at as string) - 1)
    jobs.wake()
    await jobs.idle()
    expect(handler).not.toHaveBeenCalled()
    vi.setSystemTime(Date.parse(run_at as string))
    jobs.wake()
    await jobs.idle()
    expect(handler).toHaveBeenCalledTimes(1)
    expect(await onlyJob()).toMatchObject({ attempts: 2, finished_at: expect.any(String) })
  })

  test('that crash their process every time fail for good', async () => {
    const { db, start, onlyJob, add } = await jobDatabase(dialect)
    await add()
    await transaction(db, (tx) => sql`update jobs set attempts = 3, leased_by = 'killed'`.execute(tx))
    const handler = vi.fn(async () => {})
    await start(handler, { retryDelays: [10, 10] }).idle()
    expect(handler).not.toHaveBeenCalled()
    expect(await onlyJob()).toMatchObject({ failed_at: expect.any(String), payload: null })
  })

  test('keep their lease as long as they run', async () => {
    const { start, onlyJob, waitForJob, add } = await jobDatabase(dialect)
    const noon = freezeDate()
    await add()
    const { promise, resolve } = Promise.withResolvers<void>()
    start(() => promise, { lease: 1500 })
    await waitForJob({ run_at: new Date(noon + 1500).toISOString(), attempts: 1 })
    vi.setSystemTime(noon + 1000)
    await waitForJob({ run_at: new Date(noon + 2500).toISOString() })
    vi.setSystemTime(noon + 2000)
    const other = vi.fn(async () => {})
    await start(other).idle()
    expect(other).not.toHaveBeenCalled()
    resolve()
    await waitForJob({ finished_at: expect.any(String) })
    expect(await onlyJob()).toMatchObject({ attempts: 1 })
  })

  test('that another process has taken over are aborted, and change nothing in the row', async () => {
    const { db, start, onlyJob, waitForJob, add } = await jobDatabase(dialect)
    await add()
    let signal: AbortSignal | undefined
    start(
      (_, job) => {
        signal = job.signal
        return new Promise(() => {})
      },
      { lease: 300 },
    )
    await waitForJob({ leased_by: expect.any(String) })
    await transaction(db, (tx) =>
      sql`update jobs set leased_by = 'another', run_at = ${msAgo(-MS_PER_HOUR)}`.execute(tx),
    )
    await eventually(() => expect(signal!.aborted).toBe(true))
    expect(await onlyJob()).toMatchObject({ leased_by: 'another', last_error: null })
  })

  test('never run twice at the same time, however many runners share them', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    for (let n = 0; n < 60; n++) await add()
    const atWork = new Set<number>()
    const runs: { id: number; runner: number }[] = []
    const work =
      (runner: number): JobHandler<'mail'> =>
      async (_, { id }) => {
        expect(atWork.has(id)).toBe(false)
        atWork.add(id)
        runs.push({ id, runner })
        await readRows(db, 'migrations')
        atWork.delete(id)
        // Makes the first attempt of every third job fail.
        if (id % 3 === 0 && runs.filter((run) => run.id === id).length === 1) throw new Error('Not now')
      }
    for (let n = 0; n < 3; n++) start(work(n), { retryDelays: [10] })
    await eventually(async () => expect(await countUnfinished(db, 'mail')).toBe(0))
    const rows = await readRows(db, 'jobs')
    expect(rows.filter(({ failed_at }) => failed_at)).toEqual([])
    expect(runs).toHaveLength(80)
    expect(new Set(runs.map(({ runner }) => runner)).size).toBeGreaterThan(1)
  })

  test('stay with their runner when another, whose times are older, claims late', async () => {
    const { start, waitForJob, add } = await jobDatabase(dialect)
    const noon = freezeDate()
    await add()
    vi.setSystemTime(noon + 1000)
    start(() => new Promise(() => {}), { retryDelays: [10] })
    await waitForJob({ attempts: 1 })
    vi.setSystemTime(noon)
    const other = vi.fn(async () => {})
    await start(other, { retryDelays: [10] }).idle()
    expect(other).not.toHaveBeenCalled()
  })

  test('finish while the process stops; unfinished ones are released', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    await add()
    await add({ ...mailMessage, subject: 'Never' })
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun: string[] = []
    const jobs = start(({ subject }) => {
      begun.push(subject)
      return subject === 'Never' ? new Promise(() => {}) : promise
    })
    await eventually(() => expect(begun).toHaveLength(2))
    const closed = jobs.close()
    resolve()
    await closed
    const rows = await readRows(db, 'jobs')
    expect(rows.find(({ id }) => id === 1)).toMatchObject({ finished_at: expect.any(String) })
    expect(rows.find(({ id }) => id === 2)).toMatchObject({ attempts: 0, leased_by: null, last_error: null })
    const handler = vi.fn(async () => {})
    await start(handler).idle()
    expect(handler).toHaveBeenCalledTimes(1)
  })
})
