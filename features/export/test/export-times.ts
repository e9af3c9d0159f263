import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

/** Moves all times of all data exports `ms` milliseconds into the past, in the database of a test. */
export const ageExports = (db: TestApp['db'], ms: number) =>
  transaction(db, async (tx) => {
    for (const row of await tx.selectFrom('exports').selectAll().execute()) {
      const before = (time: string | null) => time && new Date(Date.parse(time) - ms).toISOString()
      const times = {
        created_at: before(row.created_at)!,
        expires_at: before(row.expires_at),
        removed_at: before(row.removed_at),
      }
      await tx.updateTable('exports').set(times).where('id', '=', row.id).execute()
    }
  })
