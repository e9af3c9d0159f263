import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { dialects, rowsOf } from '#tests/harness.ts'
import { ago, freezeClock, HOUR, message, openJobs, patient } from '#tests/jobs.ts'
import { countUnfinished } from './jobs.ts'
import type { JobHandler } from './runner.ts'

afterEach(() => void vi.useRealTimers())

describe.each(dialects)('leases of jobs on %s', (dialect) => {
  test('of a killed process run again when its lease is over, and not before', async () => {
    const { opening, start, onlyJob, add } = await openJobs(dialect)
    await add()
    const program = `import { openPostgres } from '#core/database/postgres.ts'
      import { openSqlite } from '#core/database/sqlite.ts'
      import { startJobs } from '#core/jobs/runner.ts'
      const { db } = ${opening}
      const mail = () => {
        console.log('running')
        return new Promise((resolve) => setTimeout(resolve, 3600_000))
      }
      startJobs({ db, log: console, handlers: { mail } })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    freezeClock()
    const { run_at, leased_by } = await onlyJob()
    expect(leased_by).toEqual(expect.any(String))

    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    vi.setSystemTime(Date.parse(run_at as string) - 1)
    jobs.wake()
    await jobs.settled()
    expect(handler).not.toHaveBeenCalled()
    vi.setSystemTime(Date.parse(run_at as string))
    jobs.wake()
    await jobs.settled()
    expect(handler).toHaveBeenCalledTimes(1)
    expect(await onlyJob()).toMatchObject({ attempts: 2, finished_at: expect.any(String) })
  })

  test('that take their process down every time are given up', async () => {
    const { db, start, onlyJob, add } = await openJobs(dialect)
    await add()
    await transaction(db, (tx) => sql`update jobs set attempts = 3, leased_by = 'killed'`.execute(tx))
    const handler = vi.fn(async () => {})
    await start(handler, { waits: [10, 10] }).settled()
    expect(handler).not.toHaveBeenCalled()
    expect(await onlyJob()).toMatchObject({ failed_at: expect.any(String), payload: null })
  })

  test('keep their lease as long as they run', async () => {
    const { start, onlyJob, jobOnce, add } = await openJobs(dialect)
    const noon = freezeClock()
    await add()
    const { promise, resolve } = Promise.withResolvers<void>()
    start(() => promise, { lease: 1500 })
    await jobOnce({ run_at: new Date(noon + 1500).toISOString(), attempts: 1 })
    vi.setSystemTime(noon + 1000)
    await jobOnce({ run_at: new Date(noon + 2500).toISOString() })
    vi.setSystemTime(noon + 2000)
    const other = vi.fn(async () => {})
    await start(other).settled()
    expect(other).not.toHaveBeenCalled()
    resolve()
    await jobOnce({ finished_at: expect.any(String) })
    expect(await onlyJob()).toMatchObject({ attempts: 1 })
  })

  test('that another process took meanwhile are aborted, and the other one says how they end', async () => {
    const { db, start, onlyJob, jobOnce, add } = await openJobs(dialect)
    await add()
    let signal: AbortSignal | undefined
    start(
      (_, job) => {
        signal = job.signal
        return new Promise(() => {})
      },
      { lease: 300 },
    )
    await jobOnce({ leased_by: expect.any(String) })
    await transaction(db, (tx) =>
      sql`update jobs set leased_by = 'another', run_at = ${ago(-HOUR)}`.execute(tx),
    )
    await vi.waitFor(() => expect(signal!.aborted).toBe(true), patient)
    expect(await onlyJob()).toMatchObject({ leased_by: 'another', last_error: null })
  })

  test('never run twice at the same time, whatever number of runners share them', async () => {
    const { db, start, add } = await openJobs(dialect)
    for (let n = 0; n < 60; n++) await add()
    const atWork = new Set<number>()
    const runs: { id: number; runner: number }[] = []
    const work =
      (runner: number): JobHandler<'mail'> =>
      async (_, { id }) => {
        expect(atWork.has(id)).toBe(false)
        atWork.add(id)
        runs.push({ id, runner })
        await rowsOf(db, 'migrations')
        atWork.delete(id)
        // Some fail the first time.
        if (id % 3 === 0 && runs.filter((run) => run.id === id).length === 1) throw new Error('Not now')
      }
    for (let n = 0; n < 3; n++) start(work(n), { waits: [10] })
    await vi.waitFor(async () => expect(await countUnfinished(db, 'mail')).toBe(0), patient)
    const rows = await rowsOf(db, 'jobs')
    expect(rows.filter(({ failed_at }) => failed_at)).toEqual([])
    expect(runs).toHaveLength(80)
    expect(new Set(runs.map(({ runner }) => runner)).size).toBeGreaterThan(1)
  })

  test('finish while the process stops; those that do not are given back', async () => {
    const { db, start, add } = await openJobs(dialect)
    await add()
    await add({ ...message, subject: 'Never' })
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun: string[] = []
    const jobs = start(({ subject }) => {
      begun.push(subject)
      return subject === 'Never' ? new Promise(() => {}) : promise
    })
    await vi.waitFor(() => expect(begun).toHaveLength(2), patient)
    const closed = jobs.close()
    resolve()
    await closed
    const rows = await rowsOf(db, 'jobs')
    expect(rows.find(({ id }) => id === 1)).toMatchObject({ finished_at: expect.any(String) })
    expect(rows.find(({ id }) => id === 2)).toMatchObject({ attempts: 0, leased_by: null, last_error: null })
    const handler = vi.fn(async () => {})
    await start(handler).settled()
    expect(handler).toHaveBeenCalledTimes(1)
  })
})
