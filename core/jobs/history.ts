import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

const HOUR = 3600 * 1000
/** How long the row of a job stays after its end, ms. */
const KEPT = { finished_at: 7 * 24 * HOUR, failed_at: 30 * 24 * HOUR }
/** Rows that one statement deletes: a long one would hold up other writers. */
const BATCH = 500

/** Deletes the rows of jobs that ended long ago, now and every hour. Call the result to stop; it resolves once nothing runs. */
export function startCleanup(db: Db, log: Pick<FastifyBaseLogger, 'warn'>) {
  let cleaning: Promise<void>
  function clean() {
    cleaning = deleteOldJobs(db).catch((error: unknown) =>
      log.warn({ err: error }, 'Old jobs could not be deleted; tried again in an hour'),
    )
  }
  const timer = setInterval(clean, HOUR).unref()
  clean()
  return () => {
    clearInterval(timer)
    return cleaning
  }
}

async function deleteOldJobs(db: Db) {
  for (const column of ['finished_at', 'failed_at'] as const)
    while ((await deleteBatch(db, column)) === BATCH);
}

const deleteBatch = (db: Db, column: keyof typeof KEPT) =>
  transaction(db, async (tx) => {
    const old = tx
      .selectFrom('jobs')
      .select('id')
      .where(column, '<', new Date(Date.now() - KEPT[column]).toISOString())
      .orderBy(column)
      .limit(BATCH)
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('id', 'in', old).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
