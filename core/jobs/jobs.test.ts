import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { migrations } from '#app.ts'
import type { Database, Db } from '#core/database/database.ts'
import { migrate } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { type MailMessage, migrations as mailMigrations } from '#core/mail/mail.ts'
import { type Dialect, dialects, rowsOf } from '#tests/harness.ts'
import { explained } from '#tests/plans.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'
import { type JobContext, type JobHandler, PermanentFailure } from './attempts.ts'
import { countUnfinished, enqueue } from './jobs.ts'
import { startJobs } from './runner.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
const message: MailMessage = { to: 'ann@engawa.example', subject: 'Hello', text: 'Hello', html: '<p>Hello' }
const patient = { timeout: 20_000, interval: 10 }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** An empty database, and how another process opens it. */
async function emptyDatabase(dialect: Dialect): Promise<Database & { opening: string }> {
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

async function open(dialect: Dialect) {
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
  return { db, opening, lines, start, onlyJob, jobOnce }
}

/** The clock stands still until it is set. */
function freezeClock() {
  vi.useFakeTimers({ toFake: ['Date'] })
  return Date.now()
}
afterEach(() => void vi.useRealTimers())

describe.each(dialects)('jobs on %s', (dialect) => {
  test('run once they are due, with their payload, and leave a row without it', async () => {
    const { db, start, onlyJob, lines } = await open(dialect)
    const noon = freezeClock()
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await transaction(db, (tx) => enqueue(tx, 'mail', message, { runAt: new Date(noon + 40 * DAY) }))
    jobs.wake()
    await jobs.settled()
    expect(handler).not.toHaveBeenCalled()
    expect(await countUnfinished(db, 'mail')).toBe(1)
    vi.setSystemTime(noon + 40 * DAY)
    jobs.wake()
    await jobs.settled()
    expect(handler).toHaveBeenCalledExactlyOnceWith(message, {
      id: 1,
      createdAt: new Date(noon).toISOString(),
      signal: expect.any(AbortSignal),
    })
    expect(await countUnfinished(db, 'mail')).toBe(0)
    expect(await onlyJob()).toMatchObject({
      attempts: 1,
      payload: null,
      leased_by: null,
      last_error: null,
      finished_at: new Date(noon + 40 * DAY).toISOString(),
      failed_at: null,
    })
    expect(lines.join()).not.toContain(message.to)
  })

  test('that fail wait longer each time, and are given up after three days', async () => {
    const { db, start, onlyJob } = await open(dialect)
    freezeClock()
    const seen: JobContext[] = []
    const jobs = start(async (_, job) => {
      seen.push(job)
      throw new Error('Not now')
    })
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    const waits: number[] = []
    jobs.wake()
    await jobs.settled()
    for (let job = await onlyJob(); !job.failed_at; job = await onlyJob()) {
      expect(job).toMatchObject({ last_error: 'Not now', leased_by: null, payload: expect.any(String) })
      const runAt = Date.parse(job.run_at as string)
      waits.push((runAt - Date.now()) / 60_000)
      vi.setSystemTime(runAt - 1)
      jobs.wake()
      await jobs.settled()
      expect(seen, 'not before its time').toHaveLength(waits.length)
      vi.setSystemTime(runAt)
      jobs.wake()
      await jobs.settled()
    }
    expect(waits).toEqual([1, 5, 15, 60, 180, 360, 720, 1440, 1440])
    expect(new Set(seen.map(({ id, createdAt }) => `${id} ${createdAt}`)).size, 'one key').toBe(1)
    expect(await onlyJob()).toMatchObject({
      attempts: 10,
      last_error: 'Not now',
      payload: null,
      finished_at: null,
    })
    vi.setSystemTime(Date.now() + 20 * DAY)
    jobs.wake()
    await jobs.settled()
    expect(seen).toHaveLength(10)
  })

  test('that can never succeed are given up at once; neither row nor log has an address or a link', async () => {
    const { db, start, jobOnce, lines } = await open(dialect)
    const reason = '550 <ann@engawa.example> is unknown, see https://mail.example/?token=1'
    start(() => Promise.reject(new PermanentFailure(reason)))
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    start(() => Promise.reject(new PermanentFailure(reason))).wake()
    const job = await jobOnce({ failed_at: expect.any(String), attempts: 1, payload: null })
    expect(job.last_error).toBe('550 (address) is unknown, see (link)')
    expect(lines.join()).not.toMatch(/ann@|token/)
  })

  test('are aborted and count as failed when they take too long', async () => {
    const { db, start, jobOnce } = await open(dialect)
    let signal: AbortSignal | undefined
    const hang: JobHandler<'mail'> = (_, job) => {
      signal = job.signal
      return new Promise(() => {})
    }
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    start(hang, { timeLimit: 20, waits: [] })
    await jobOnce({ failed_at: expect.any(String), last_error: 'More than 20 ms' })
    expect(signal!.aborted).toBe(true)
  })

  test('of kinds that a process does not know are left alone', async () => {
    const { db, start } = await open(dialect)
    // @ts-expect-error: no module declares this kind
    await transaction(db, (tx) => enqueue(tx, 'digest', { user: 1 }))
    // @ts-expect-error: a mail has a subject and a body
    const incomplete: Parameters<typeof enqueue<'mail'>>[2] = { to: message.to }
    expect(incomplete).toBeDefined()
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    const [before] = await rowsOf(db, 'jobs')
    const jobs = start(async () => {})
    await jobs.settled()
    expect(
      await rowsOf(db, 'jobs').then((rows) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))),
    ).toEqual([before, expect.objectContaining({ kind: 'mail', finished_at: expect.any(String) })])
  })

  test('are done when the clock was ahead while they were added or put off', async () => {
    const { db, start } = await open(dialect)
    const noon = freezeClock()
    vi.setSystemTime(noon + 40 * DAY)
    const handler = vi.fn().mockRejectedValueOnce(new Error('Not now'))
    const jobs = start(handler)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    jobs.wake()
    await jobs.settled()
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    vi.setSystemTime(noon)
    jobs.wake()
    await jobs.settled()
    expect(handler).toHaveBeenCalledTimes(3)
    expect(await countUnfinished(db, 'mail')).toBe(0)
  })

  test('of a killed process run again when its lease is over, and not before', async () => {
    const { db, opening, start, onlyJob } = await open(dialect)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
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
    const { db, start, onlyJob } = await open(dialect)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    await transaction(db, (tx) => sql`update jobs set attempts = 3, leased_by = 'killed'`.execute(tx))
    const handler = vi.fn(async () => {})
    await start(handler, { waits: [10, 10] }).settled()
    expect(handler).not.toHaveBeenCalled()
    expect(await onlyJob()).toMatchObject({ failed_at: expect.any(String), payload: null })
  })

  test('keep their lease as long as they run', async () => {
    const { db, start, onlyJob, jobOnce } = await open(dialect)
    const noon = freezeClock()
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
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
    const { db, start, onlyJob, jobOnce } = await open(dialect)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
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
    const { db, start } = await open(dialect)
    for (let n = 0; n < 60; n++) await transaction(db, (tx) => enqueue(tx, 'mail', message))
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
    const { db, start } = await open(dialect)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    await transaction(db, (tx) => enqueue(tx, 'mail', { ...message, subject: 'Never' }))
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

  test('leave their rows for a week, or a month where they failed', async () => {
    const { db, start } = await open(dialect)
    const add = (column: string, at: string) =>
      transaction(db, (tx) =>
        sql`insert into jobs (kind, created_at, run_at, ${sql.ref(column)}) values ('mail', ${at}, ${at}, ${at})`.execute(
          tx,
        ),
      )
    await transaction(db, async (tx) => {
      for (let n = 0; n < 1203; n++) await addOld(tx)
    })
    await add('finished_at', ago(6.9 * DAY))
    await add('failed_at', ago(30.1 * DAY))
    await add('failed_at', ago(29.9 * DAY))
    start(async () => {})
    await vi.waitFor(async () => expect(await rowsOf(db, 'jobs')).toHaveLength(2), patient)
  })

  test('are found by an index', async () => {
    const { db, start } = await open(dialect)
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    const connection = await db.getExecutor().provideConnection(async (one) => Object.getPrototypeOf(one))
    const spy = vi.spyOn(connection, 'executeQuery')
    await start(async () => {}).settled()
    const queries = spy.mock.calls.map(([query]) => query as CompiledQuery)
    spy.mockRestore()
    const ours = queries.filter((query) => /"jobs"/.test(query.sql) && !/^insert/.test(query.sql))
    expect(ours.length).toBeGreaterThan(4)
    for (const query of ours) {
      const plan = (await explained[dialect](db, query)).join('\n')
      expect(plan, query.sql).not.toMatch(
        dialect === 'postgres' ? /Seq Scan/ : /SCAN jobs(?! USING (COVERING )?INDEX)/,
      )
    }
  })

  test('are made of the mails of the version before, which leave as they were', async () => {
    const { db } = await emptyDatabase(dialect)
    await migrate(db, [{ 'mail 1': mailMigrations['mail 1']! }])
    const rows = [
      { to: 'sent@engawa.example', sent: ago(DAY), failed: null, tries: 1 },
      { to: 'failed@engawa.example', sent: null, failed: ago(DAY), tries: 10 },
      { to: 'tried@engawa.example', sent: null, failed: null, tries: 2 },
      { to: 'new@engawa.example', sent: null, failed: null, tries: 0 },
    ]
    for (const { to, sent, failed, tries } of rows)
      await transaction(db, (tx) =>
        sql`insert into mails (recipient, subject, body_text, body_html, link, created_at, due_at, tries, sent_at, failed_at, error)
        values (${to}, '"Hello" 縁側', 'a\nb', '<p>a', 'https://x.example/?a=1', ${ago(DAY)}, ${ago(HOUR)}, ${tries}, ${sent}, ${failed}, ${to})`.execute(
          tx,
        ),
      )
    expect(await migrate(db, migrations)).toEqual(expect.arrayContaining(['jobs 1', 'mail 2']))
    await expect(rowsOf(db, 'mails')).rejects.toThrow(/mails/)
    expect(await rowsOf(db, 'jobs')).toMatchObject([
      { id: 1, payload: null, last_error: null, finished_at: rows[0]!.sent, failed_at: null, attempts: 1 },
      { id: 2, payload: null, last_error: null, finished_at: null, failed_at: rows[1]!.failed, attempts: 10 },
      { id: 3, finished_at: null, failed_at: null, attempts: 2 },
      { id: 4, finished_at: null, failed_at: null, attempts: 0 },
    ])
    const sent: MailMessage[] = []
    const log = { info() {}, warn() {}, error() {} }
    const jobs = startJobs({ db, log, handlers: { mail: async (mail) => void sent.push(mail) } })
    await jobs.settled()
    await jobs.close()
    const content = { subject: '"Hello" 縁側', text: 'a\nb', html: '<p>a', link: 'https://x.example/?a=1' }
    expect(sent).toEqual([
      { ...content, to: 'tried@engawa.example' },
      { ...content, to: 'new@engawa.example' },
    ])
    await transaction(db, (tx) => enqueue(tx, 'mail', message))
    expect((await rowsOf(db, 'jobs')).map(({ id }) => id)).toContain(5)
  })
})

const addOld = (tx: Db) =>
  sql`insert into jobs (kind, created_at, run_at, finished_at) values ('mail', '', '', ${ago(7.1 * DAY)})`.execute(
    tx,
  )
