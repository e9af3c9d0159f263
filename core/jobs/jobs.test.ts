import { type CompiledQuery, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { migrations } from '#app.ts'
import { migrate } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { type MailMessage, migrations as mailMigrations } from '#core/mail/mail.ts'
import { dialects, rowsOf } from '#tests/harness.ts'
import { ago, DAY, emptyDatabase, freezeClock, HOUR, message, openJobs, patient } from '#tests/jobs.ts'
import { explained } from '#tests/plans.ts'
import { countUnfinished, enqueue } from './jobs.ts'
import { type JobContext, type JobHandler, PermanentFailure, startJobs } from './runner.ts'

afterEach(() => void vi.useRealTimers())

describe.each(dialects)('jobs on %s', (dialect) => {
  test('run once they are due, with their payload, and leave a row without it', async () => {
    const { db, start, onlyJob, lines, add } = await openJobs(dialect)
    const noon = freezeClock()
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await add(message, { runAt: new Date(noon + 40 * DAY) })
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

  test('run as soon as their transaction is committed, and never when it is rolled back', async () => {
    const { db, start, add } = await openJobs(dialect)
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await jobs.settled()
    const rolledBack = transaction(db, async (tx) => {
      await enqueue(tx, 'mail', message)
      throw new Error('No')
    })
    await expect(rolledBack).rejects.toThrow('No')
    await jobs.settled()
    expect(handler).not.toHaveBeenCalled()
    await add()
    await jobs.settled()
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('that fail wait longer each time, and are given up after three days', async () => {
    const { start, onlyJob, add } = await openJobs(dialect)
    freezeClock()
    const seen: JobContext[] = []
    const jobs = start(async (_, job) => {
      seen.push(job)
      throw new Error('Not now')
    })
    await add()
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
    const { start, jobOnce, lines, add } = await openJobs(dialect)
    const reason = '550 <ann@engawa.example> is unknown, see https://mail.example/?token=1'
    start(() => Promise.reject(new PermanentFailure(reason)))
    await add()
    start(() => Promise.reject(new PermanentFailure(reason))).wake()
    const job = await jobOnce({ failed_at: expect.any(String), attempts: 1, payload: null })
    expect(job.last_error).toBe('550 (address) is unknown, see (link)')
    expect(lines.join()).not.toMatch(/ann@|token/)
  })

  test('are aborted and count as failed when they take too long', async () => {
    const { start, jobOnce, add } = await openJobs(dialect)
    let signal: AbortSignal | undefined
    const hang: JobHandler<'mail'> = (_, job) => {
      signal = job.signal
      return new Promise(() => {})
    }
    await add()
    start(hang, { timeLimit: 20, waits: [] })
    await jobOnce({ failed_at: expect.any(String), last_error: 'More than 20 ms' })
    expect(signal!.aborted).toBe(true)
  })

  test('of kinds that a process does not know are left alone', async () => {
    const { db, start, add } = await openJobs(dialect)
    // @ts-expect-error: no module declares this kind
    await transaction(db, (tx) => enqueue(tx, 'digest', { user: 1 }))
    // @ts-expect-error: a mail has a subject and a body
    const incomplete: Parameters<typeof enqueue<'mail'>>[2] = { to: message.to }
    expect(incomplete).toBeDefined()
    await add()
    const [before] = await rowsOf(db, 'jobs')
    const jobs = start(async () => {})
    await jobs.settled()
    expect(
      await rowsOf(db, 'jobs').then((rows) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))),
    ).toEqual([before, expect.objectContaining({ kind: 'mail', finished_at: expect.any(String) })])
  })

  test('are done when the clock was ahead while they were added or put off', async () => {
    const { db, start, add } = await openJobs(dialect)
    const noon = freezeClock()
    vi.setSystemTime(noon + 40 * DAY)
    const handler = vi.fn().mockRejectedValueOnce(new Error('Not now'))
    const jobs = start(handler)
    await add()
    await jobs.settled()
    await jobs.close()
    await add()
    vi.setSystemTime(noon)
    await start(handler).settled()
    expect(handler).toHaveBeenCalledTimes(3)
    expect(await countUnfinished(db, 'mail')).toBe(0)
  })

  test('leave their rows for a week, or a month where they failed', async () => {
    const { db, start } = await openJobs(dialect)
    await transaction(db, async (tx) => {
      const addEnded = (column: string, at: string) =>
        sql`insert into jobs (kind, created_at, run_at, ${sql.ref(column)})
          values ('mail', ${at}, ${at}, ${at})`.execute(tx)
      for (let n = 0; n < 1203; n++) await addEnded('finished_at', ago(7.1 * DAY))
      await addEnded('finished_at', ago(6.9 * DAY))
      await addEnded('failed_at', ago(30.1 * DAY))
      await addEnded('failed_at', ago(29.9 * DAY))
    })
    start(async () => {})
    await vi.waitFor(async () => expect(await rowsOf(db, 'jobs')).toHaveLength(2), patient)
  })

  test('are found by an index', async () => {
    const { db, start, add } = await openJobs(dialect)
    await add()
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
