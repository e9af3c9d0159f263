import { type CompiledQuery, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { type MailMessage, mailMigrations } from '#core/mail/mail.ts'
import { eventually } from '#tests/eventually.ts'
import { readTestTableRows, testDatabaseDialects } from '#tests/harness.ts'
import {
  createIsoTimeMsAgo,
  createTestDatabaseWithJobFunctions,
  freezeDateInTest,
  MS_PER_DAY,
  MS_PER_HOUR,
  openEmptyTestDatabaseWithReopenExpression,
  testMailMessage,
} from '#tests/jobs.ts'
import { queryPlanReadersByDialect } from '#tests/query-plans.ts'
import { countUnfinishedJobsOfKind, enqueueJob } from './jobs.ts'
import {
  type JobHandler,
  PermanentJobFailure,
  type RunningJobIdAndAbortSignal,
  startJobRunner,
} from './runner.ts'

afterEach(() => void vi.useRealTimers())

describe.each(testDatabaseDialects)('jobs on %s', (dialect) => {
  test('run when they are due, with their payload, and keep a row without the payload', async () => {
    const { db, start, onlyJob, lines, add } = await createTestDatabaseWithJobFunctions(dialect)
    const noon = freezeDateInTest()
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await add(testMailMessage, { runAt: new Date(noon + 40 * MS_PER_DAY) })
    jobs.wake()
    await jobs.idle()
    expect(handler).not.toHaveBeenCalled()
    expect(await countUnfinishedJobsOfKind(db, 'mail')).toBe(1)
    vi.setSystemTime(noon + 40 * MS_PER_DAY)
    jobs.wake()
    await jobs.idle()
    expect(handler).toHaveBeenCalledExactlyOnceWith(testMailMessage, {
      id: 1,
      createdAt: new Date(noon).toISOString(),
      signal: expect.any(AbortSignal),
    })
    expect(await countUnfinishedJobsOfKind(db, 'mail')).toBe(0)
    expect(await onlyJob()).toMatchObject({
      attempts: 1,
      payload: null,
      leased_by: null,
      last_error: null,
      finished_at: new Date(noon + 40 * MS_PER_DAY).toISOString(),
      failed_at: null,
    })
    expect(lines.join()).not.toContain(testMailMessage.to)
  })

  test('run as soon as their transaction is committed, and never when it is rolled back', async () => {
    const { db, start, add } = await createTestDatabaseWithJobFunctions(dialect)
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await jobs.idle()
    const rolledBack = transaction(db, async (tx) => {
      await enqueueJob(tx, 'mail', testMailMessage)
      throw new Error('No')
    })
    await expect(rolledBack).rejects.toThrow('No')
    await jobs.idle()
    expect(handler).not.toHaveBeenCalled()
    await add()
    await jobs.idle()
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('that fail wait longer each time, and fail for good after three days', async () => {
    const { start, onlyJob, add } = await createTestDatabaseWithJobFunctions(dialect)
    freezeDateInTest()
    const seen: RunningJobIdAndAbortSignal[] = []
    const jobs = start(async (_, job) => {
      seen.push(job)
      throw new Error('Not now')
    })
    await add()
    const waits: number[] = []
    jobs.wake()
    await jobs.idle()
    for (let job = await onlyJob(); !job.failed_at; job = await onlyJob()) {
      expect(job).toMatchObject({ last_error: 'Not now', leased_by: null, payload: expect.any(String) })
      const runAt = Date.parse(job.run_at as string)
      waits.push((runAt - Date.now()) / 60_000)
      vi.setSystemTime(runAt - 1)
      jobs.wake()
      await jobs.idle()
      expect(seen, 'not before its time').toHaveLength(waits.length)
      vi.setSystemTime(runAt)
      jobs.wake()
      await jobs.idle()
    }
    expect(waits).toEqual([1, 5, 15, 60, 180, 360, 720, 1440, 1440])
    expect(new Set(seen.map(({ id, createdAt }) => `${id} ${createdAt}`)).size, 'one key').toBe(1)
    expect(await onlyJob()).toMatchObject({
      attempts: 10,
      last_error: 'Not now',
      payload: null,
      finished_at: null,
    })
    vi.setSystemTime(Date.now() + 20 * MS_PER_DAY)
    jobs.wake()
    await jobs.idle()
    expect(seen).toHaveLength(10)
  })

  test('that cannot succeed fail at once; neither the row nor the log has an address or a link', async () => {
    const { start, waitForJob, lines, add } = await createTestDatabaseWithJobFunctions(dialect)
    const reason = '550 <ann@engawa.example> is unknown, see https://mail.example/?token=1'
    start(() => Promise.reject(new PermanentJobFailure(reason)))
    await add()
    start(() => Promise.reject(new PermanentJobFailure(reason))).wake()
    const job = await waitForJob({ failed_at: expect.any(String), attempts: 1, payload: null })
    expect(job.last_error).toBe('550 (address) is unknown, see (link)')
    expect(lines.join()).not.toMatch(/ann@|token/)
  })

  test('are aborted and count as failed after the time limit', async () => {
    const { start, waitForJob, add } = await createTestDatabaseWithJobFunctions(dialect)
    let signal: AbortSignal | undefined
    const hang: JobHandler<'mail'> = (_, job) => {
      signal = job.signal
      return new Promise(() => {})
    }
    await add()
    start(hang, { attemptTimeout: 20, retryDelays: [] })
    await waitForJob({ failed_at: expect.any(String), last_error: 'More than 20 ms' })
    expect(signal!.aborted).toBe(true)
  })

  test('of kinds that a process does not know stay in the queue', async () => {
    const { db, start, add } = await createTestDatabaseWithJobFunctions(dialect)
    // @ts-expect-error: no module declares a job of the kind `digest`
    await transaction(db, (tx) => enqueueJob(tx, 'digest', { user: 1 }))
    // @ts-expect-error: the data of a mail job must have a subject and a body
    const incomplete: Parameters<typeof enqueueJob<'mail'>>[2] = { to: testMailMessage.to }
    expect(incomplete).toBeDefined()
    await add()
    const [before] = await readTestTableRows(db, 'jobs')
    const jobs = start(async () => {})
    await jobs.idle()
    expect(
      await readTestTableRows(db, 'jobs').then((rows) =>
        rows.toSorted((a, b) => Number(a.id) - Number(b.id)),
      ),
    ).toEqual([before, expect.objectContaining({ kind: 'mail', finished_at: expect.any(String) })])
  })

  test('run although the clock was ahead when they were added or delayed', async () => {
    const { db, start, add } = await createTestDatabaseWithJobFunctions(dialect)
    const noon = freezeDateInTest()
    vi.setSystemTime(noon + 40 * MS_PER_DAY)
    const handler = vi.fn().mockRejectedValueOnce(new Error('Not now'))
    const jobs = start(handler)
    await add()
    await jobs.idle()
    await jobs.close()
    await add()
    vi.setSystemTime(noon)
    await start(handler).idle()
    expect(handler).toHaveBeenCalledTimes(3)
    expect(await countUnfinishedJobsOfKind(db, 'mail')).toBe(0)
  })

  test('keep their rows for a week, or for a month after a failure', async () => {
    const { db, start } = await createTestDatabaseWithJobFunctions(dialect)
    await transaction(db, async (tx) => {
      const addEnded = (column: string, at: string) =>
        sql`insert into jobs (kind, created_at, run_at, ${sql.ref(column)})
          values ('mail', ${at}, ${at}, ${at})`.execute(tx)
      for (let n = 0; n < 1203; n++) await addEnded('finished_at', createIsoTimeMsAgo(7.1 * MS_PER_DAY))
      await addEnded('finished_at', createIsoTimeMsAgo(6.9 * MS_PER_DAY))
      await addEnded('failed_at', createIsoTimeMsAgo(30.1 * MS_PER_DAY))
      await addEnded('failed_at', createIsoTimeMsAgo(29.9 * MS_PER_DAY))
    })
    start(async () => {})
    await eventually(async () => expect(await readTestTableRows(db, 'jobs')).toHaveLength(2))
  })

  test('are found through an index', async () => {
    const { db, start, add } = await createTestDatabaseWithJobFunctions(dialect)
    await add()
    const connection = await db.getExecutor().provideConnection(async (one) => Object.getPrototypeOf(one))
    const spy = vi.spyOn(connection, 'executeQuery')
    await start(async () => {}).idle()
    const queries = spy.mock.calls.map(([query]) => query as CompiledQuery)
    spy.mockRestore()
    const ours = queries.filter((query) => /"jobs"/.test(query.sql) && !/^insert/.test(query.sql))
    expect(ours.length).toBeGreaterThan(4)
    for (const query of ours) {
      const plan = (await queryPlanReadersByDialect[dialect](db, query)).join('\n')
      expect(plan, query.sql).not.toMatch(
        dialect === 'postgres' ? /Seq Scan/ : /SCAN jobs(?! USING (COVERING )?INDEX)/,
      )
    }
  })

  test('include the mails of the previous version, with their state', async () => {
    const { db } = await openEmptyTestDatabaseWithReopenExpression(dialect)
    await runMigrations(db, [{ 'mail 1': mailMigrations['mail 1']! }])
    const rows = [
      { to: 'sent@engawa.example', sent: createIsoTimeMsAgo(MS_PER_DAY), failed: null, tries: 1 },
      { to: 'failed@engawa.example', sent: null, failed: createIsoTimeMsAgo(MS_PER_DAY), tries: 10 },
      { to: 'tried@engawa.example', sent: null, failed: null, tries: 2 },
      { to: 'new@engawa.example', sent: null, failed: null, tries: 0 },
    ]
    for (const { to, sent, failed, tries } of rows)
      await transaction(db, (tx) =>
        sql`insert into mails (recipient, subject, body_text, body_html, link, created_at, due_at, tries, sent_at, failed_at, error)
        values (${to}, '"Hello" 縁側', 'a\nb', '<p>a', 'https://x.example/?a=1', ${createIsoTimeMsAgo(MS_PER_DAY)}, ${createIsoTimeMsAgo(MS_PER_HOUR)}, ${tries}, ${sent}, ${failed}, ${to})`.execute(
          tx,
        ),
      )
    expect(await runMigrations(db, allMigrations)).toEqual(expect.arrayContaining(['jobs 1', 'mail 2']))
    await expect(readTestTableRows(db, 'mails')).rejects.toThrow(/mails/)
    expect(await readTestTableRows(db, 'jobs')).toMatchObject([
      { id: 1, payload: null, last_error: null, finished_at: rows[0]!.sent, failed_at: null, attempts: 1 },
      { id: 2, payload: null, last_error: null, finished_at: null, failed_at: rows[1]!.failed, attempts: 10 },
      { id: 3, finished_at: null, failed_at: null, attempts: 2 },
      { id: 4, finished_at: null, failed_at: null, attempts: 0 },
    ])
    const sent: MailMessage[] = []
    const log = { info() {}, warn() {}, error() {} }
    const jobs = startJobRunner({ db, log, handlers: { mail: async (mail) => void sent.push(mail) } })
    await jobs.idle()
    await jobs.close()
    const content = { subject: '"Hello" 縁側', text: 'a\nb', html: '<p>a', link: 'https://x.example/?a=1' }
    expect(sent).toEqual([
      { ...content, to: 'tried@engawa.example' },
      { ...content, to: 'new@engawa.example' },
    ])
    await transaction(db, (tx) => enqueueJob(tx, 'mail', testMailMessage))
    expect((await readTestTableRows(db, 'jobs')).map(({ id }) => id)).toContain(5)
  })
})
