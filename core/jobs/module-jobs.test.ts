import { expect, onTestFinished, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import type { FeatureModule, ModuleJobHandlers } from '#core/feature/module.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    'test.greet': { name: string }
  }
}

/** Gives the last feature of app.ts these job handlers for the duration of the test. */
function addJobs(jobs: ModuleJobHandlers) {
  const module: FeatureModule = featureModules.at(-1)!
  module.jobs = jobs
  onTestFinished(() => {
    delete module.jobs
  })
}

test.each(dialectsInTurn())(
  "a feature's module handles the kinds of jobs that it declares, on %s",
  async (dialect) => {
    const greet = vi.fn<NonNullable<ModuleJobHandlers['test.greet']>>(async () => {})
    addJobs({ 'test.greet': greet })
    const { db, context } = await createTestApp({ dialect })
    await transaction(db, (tx) => enqueueJob(tx, 'test.greet', { name: 'Ann' }))
    await context.jobs.idle()
    expect(greet).toHaveBeenCalledExactlyOnceWith(
      { name: 'Ann' },
      expect.objectContaining({ id: 1 }),
      context,
    )
  },
)

test.each(dialectsInTurn())(
  'a job of a kind that no module declares stays in the queue, on %s',
  async (dialect) => {
    const { db, context } = await createTestApp({ dialect })
    await transaction(db, (tx) => enqueueJob(tx, 'test.greet', { name: 'Ann' }))
    await context.jobs.idle()
    expect(await readRows(db, 'jobs')).toMatchObject([{ attempts: 0, finished_at: null, failed_at: null }])
  },
)
