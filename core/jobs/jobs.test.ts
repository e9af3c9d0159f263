import { type CompiledQuery, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { type MailMessage, mailMigrations } from '#core/mail/mail.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, readRows } from '#tests/harness.ts'
import {
  freezeDate,
  jobDatabase,
  MS_PER_DAY,
  MS_PER_HOUR,
  mailMessage,
  msAgo,
  openReopenable,
} from '#tests/jobs.ts'
import { planReaders } from '#tests/query-plans.ts'
import { countUnfinished, enqueueJob } from './jobs.ts'
import { type JobHandler, PermanentFailure, type RunningJob, startJobRunner } from './runner.ts'

afterEach(() => void vi.useRealTimers())

describe.each(databases)('jobs on %s', (dialect) => {
  test('run when they are due, with their payload, and keep a row without the payload', async () => {
    const { db, start, onlyJob, lines, add } = await jobDatabase(dialect)
    const noon = freezeDate()
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await add(mailMessage, { runAt: new Date(noon + 40 * MS_PER_DAY) })
    jobs.wake()
    await jobs.idle()
    expect(handler).not.toHaveBeenCalled()
    expect(await countUnfinished(db, 'mail')).toBe(1)
    vi.setSystemTime(noon + 40 * MS_PER_DAY)
    jobs.wake()
    await jobs.idle()
    expect(handler).toHaveBeenCalledExactlyOnceWith(mailMessage, {
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
      finished_at: new Date(noon + 40 * MS_PER_DAY).toISOString(),
      failed_at: null,
    })
    expect(lines.join()).not.toContain(mailMessage.to)
  })

  test('run as soon as their transaction is committed, and never when it is rolled back', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await jobs.idle()
    const rolledBack = transaction(db, async (tx) => {
      await enqueueJob(tx, 'mail', mailMessage)
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
    const { start, onlyJob, add } = await jobDatabase(dialect)
    freezeDate()
    const seen: RunningJob[] = []
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
    const { start, waitForJob, lines, add } = await jobDatabase(dialect)
    const reason = '550 <ann@engawa.example> is unknown, see https://mail.example/?token=1'
    start(() => Promise.reject(new PermanentFailure(reason)))
    await add()
    start(() => Promise.reject(new PermanentFailure(reason))).wake()
    const job = await waitForJob({ failed_at: expect.any(String), attempts: 1, payload: null })
    expect(job.last_error).toBe('550 (address) is unknown, see (link)')
    expect(lines.join()).not.toMatch(/ann@|token/)
  })

  test('are aborted and count as failed after the time limit', async () => {
    const { start, waitForJob, add } = await jobDatabase(dialect)
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
    const { db, start, add } = await jobDatabase(dialect)
    // @ts-expect-error: no module declares a job of the kind `digest`
    await transaction(db, (tx) => enqueueJob(tx, 'digest', { user: 1 }))
    // @ts-expect-error: the data of a mail job must have a subject and a body
    const incomplete: Parameters<typeof enqueueJob<'mail'>>[2] = { to: mailMessage.to }
    expect(incomplete).toBeDefined()
    await add()
    const [before] = await readRows(db, 'jobs')
    const jobs = start(async () => {})
    await jobs.idle()
    expect(
      await readRows(db, 'jobs').then((rows) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))),
    ).toEqual([before, expect.objectContaining({ kind: 'mail', finished_at: expect.any(String) })])
  })

  test('run although the clock was ahead when they were added or delayed', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    const noon = freezeDate()
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
    expect(await countUnfinished(db, 'mail')).toBe(0)
  })

  test('keep their rows for a week, or for a month after a failure', async () => {
    const { db, start } = await jobDatabase(dialect)
    await transaction(db, async (tx) => {
      const addEnded = (column: string, at: string) =>
        sql`insert into jobs (kind, created_at, run_at, ${sql.ref(column)})
          values ('mail', ${at}, ${at}, ${at})`.execute(tx)
      for (let n = 0; n < 1203; n++) await addEnded('finished_at', msAgo(7.1 * MS_PER_DAY))
      await addEnded('finished_at', msAgo(6.9 * MS_PER_DAY))
      await addEnded('failed_at', msAgo(30.1 * MS_PER_DAY))
      await addEnded('failed_at', msAgo(29.9 * MS_PER_DAY))
    })
    start(async () => {})
    await eventually(async () => expect(await readRows(db, 'jobs')).toHaveLength(2))
  })

  test('are found through an index, without reading those that wait for a later time', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    await add()
    const connection = await db.getExecutor().provideConnection(async (one) => Object.getPrototypeOf(one))
    const spy = vi.spyOn(connection, 'executeQuery')
    await start(async () => {}).idle()
    const queries = spy.mock.calls.map(([query]) => query as CompiledQuery)
    spy.mockRestore()
    const ours = queries.filter((query) => /"jobs"/.test(query.sql) && !/^insert/.test(query.sql))
    expect(ours.length).toBeGreaterThan(4)
    for (const query of ours) {
      const plan = (await planReaders[dialect](db, query)).join('\n')
      expect(plan, query.sql).not.toMatch(
        dialect === 'postgres' ? /Seq Scan|using jobs_(due|ahead) on jobs\b.*\n *Filter/ : /SCAN jobs/,
      )
    }
  })

  test('include the mails of the previous version, with their state', async () => {
    const { db } = await openReopenable(dialect)
    await runMigrations(db, [{ 'mail 1': mailMigrations['mail 1']! }])
    const rows = [
      { to: 'sent@engawa.example', sent: msAgo(MS_PER_DAY), failed: null, tries: 1 },
      { to: 'failed@engawa.example', sent: null, failed: msAgo(MS_PER_DAY), tries: 10 },
      { to: 'tried@engawa.example', sent: null, failed: null, tries: 2 },
      { to: 'new@engawa.example', sent: null, failed: null, tries: 0 },
    ]
    for (const { to, sent, failed, tries } of rows)
      await transaction(db, (tx) =>
        sql`insert into mails (recipient, subject, body_text, body_html, link, created_at, due_at, tries, sent_at, failed_at, error)
        values (${to}, '"Hello" 縁側', 'a\nb', '<p>a', 'https://x.example/?a=1', ${msAgo(MS_PER_DAY)}, ${msAgo(MS_PER_HOUR)}, ${tries}, ${sent}, ${failed}, ${to})`.execute(
          tx,
        ),
      )
    expect(await runMigrations(db, allMigrations)).toEqual(expect.arrayContaining(['jobs 1', 'mail 2']))
    await expect(readRows(db, 'mails')).rejects.toThrow(/mails/)
    expect(await readRows(db, 'jobs')).toMatchObject([
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
    await transaction(db, (tx) => enqueueJob(tx, 'mail', mailMessage))
    expect((await readRows(db, 'jobs')).map(({ id }) => id)).toContain(5)
  })
})
