import { expect, onTestFinished, test, vi } from 'vitest'
import { modules } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueue } from '#core/jobs/jobs.ts'
import type { FeatureModule, ModuleJobs } from '#core/module.ts'
import { createTestApp, dialects, rowsOf } from '#tests/harness.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobKinds {
    'test.greet': { name: string }
  }
}

/** Gives the last feature of app.ts a job handler for the duration of the test. */
function addJobs(jobs: ModuleJobs) {
  const module: FeatureModule = modules.at(-1)!
  module.jobs = jobs
  onTestFinished(() => {
    delete module.jobs
  })
}

test.each(dialects)('a feature handles the kinds of jobs that its module names, on %s', async (dialect) => {
  const greet = vi.fn<NonNullable<ModuleJobs['test.greet']>>(async () => {})
  addJobs({ 'test.greet': greet })
  const { db, context } = await createTestApp({ dialect })
  await transaction(db, (tx) => enqueue(tx, 'test.greet', { name: 'Ann' }))
  await context.jobs.settled()
  expect(greet).toHaveBeenCalledExactlyOnceWith({ name: 'Ann' }, expect.objectContaining({ id: 1 }), context)
})

test.each(dialects)('a job of a kind that no module names waits, on %s', async (dialect) => {
  const { db, context } = await createTestApp({ dialect })
  await transaction(db, (tx) => enqueue(tx, 'test.greet', { name: 'Ann' }))
  await context.jobs.settled()
  expect(await rowsOf(db, 'jobs')).toMatchObject([{ attempts: 0, finished_at: null, failed_at: null }])
})
