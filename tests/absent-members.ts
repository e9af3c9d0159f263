import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

const DAY = 24 * 3600_000
export const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** Makes a member somebody who has not visited for some days. */
export const leaveFor = (db: Db, id: number, days: number) =>
  transaction(db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ created_at: ago(100) })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ refreshed_at: ago(days) })
      .where('user_id', '=', id)
      .execute()
  })

/** Makes all unfinished jobs due, also those of a process that was killed. */
export const makeJobsDue = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ run_at: new Date().toISOString(), leased_by: null })
      .where('finished_at', 'is', null)
      .where('failed_at', 'is', null)
      .execute(),
  )
