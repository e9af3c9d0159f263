import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

const DAY = 24 * 3600_000
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/**
 * Changes the database so that a member seems absent: the sessions of the member were last used `days` days
 * ago, and the account was created 100 days ago.
 */
export const ageMember = (db: Db, id: number, days: number) =>
  transaction(db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ created_at: daysAgo(100) })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ refreshed_at: daysAgo(days) })
      .where('user_id', '=', id)
      .execute()
  })

/**
 * Makes all unfinished jobs in the database due now, and removes their leases, so that a server can run them
 * at once, even those that a killed process had leased.
 */
export const makeJobsDue = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ run_at: new Date().toISOString(), leased_by: null })
      .where('finished_at', 'is', null)
      .where('failed_at', 'is', null)
      .execute(),
  )
