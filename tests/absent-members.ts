import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

const DAY = 24 * 3600_000
export const createIsoTimeDaysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/**
 * Sets the last use of a member's sessions to `days` days ago, and the creation of the account to 100 days
 * ago.
 */
export const makeTestMemberAbsentForDays = (db: Db, id: number, days: number) =>
  transaction(db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ created_at: createIsoTimeDaysAgo(100) })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ refreshed_at: createIsoTimeDaysAgo(days) })
      .where('user_id', '=', id)
      .execute()
  })

/** Makes all unfinished jobs due, also those of a process that was killed. */
export const makeAllTestJobsDueNow = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ run_at: new Date().toISOString(), leased_by: null })
      .where('finished_at', 'is', null)
      .where('failed_at', 'is', null)
      .execute(),
  )
