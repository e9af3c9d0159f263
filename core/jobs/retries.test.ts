import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { jobDatabase, mailMessage } from '#tests/jobs.ts'
import { enqueueJobs } from './jobs.ts'

describe.each(dialectsInTurn())('repeated jobs on %s', (dialect) => {
  test('take only some of the places of a runner, so that new jobs begin at once', async () => {
    const { db, start, add } = await jobDatabase(dialect)
    const attempts = new Map<string, number>()
    const release = Promise.withResolvers<void>()
    let repeating = 0
    let mostRepeating = 0
    const handler = async ({ subject }: { subject: string }) => {
      const attempt = (attempts.get(subject) ?? 0) + 1
      attempts.set(subject, attempt)
      if (subject === 'new') return
      if (attempt === 1) throw new Error('Not now')
      mostRepeating = Math.max(mostRepeating, ++repeating)
      await release.promise
      repeating--
    }
    const old = Array.from({ length: 6 }, (_, n) => ({ ...mailMessage, subject: `old ${n}` }))
    await transaction(db, (tx) => enqueueJobs(tx, 'mail', old))
    start(handler, { concurrency: 3, retryConcurrency: 1, retryDelays: [0] })
    await eventually(() => {
      expect([...attempts.values()].length).toBe(6)
      expect(repeating).toBe(1)
    })
    await add({ ...mailMessage, subject: 'new' })
    await eventually(() => expect(attempts.get('new')).toBe(1))
    expect(repeating).toBe(1)
    release.resolve()
    await eventually(async () => {
      const rows = await readRows(db, 'jobs')
      expect(rows.filter(({ finished_at }) => finished_at !== null)).toHaveLength(7)
    })
    expect(mostRepeating).toBe(1)
    expect([...attempts.values()].filter((count) => count === 2)).toHaveLength(6)
  })

  test('that are added together have one row each, and run at once', async () => {
    const { db, start } = await jobDatabase(dialect)
    const handler = vi.fn(async () => {})
    const jobs = start(handler)
    await jobs.idle()
    const many = Array.from({ length: 501 }, (_, n) => ({ ...mailMessage, subject: `mail ${n}` }))
    await transaction(db, async (tx) => {
      await enqueueJobs(tx, 'mail', many)
      await enqueueJobs(tx, 'mail', [])
    })
    await eventually(() => expect(handler).toHaveBeenCalledTimes(501))
  })
})
