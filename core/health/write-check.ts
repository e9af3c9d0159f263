import { type Db, isoNow, type Migrations } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

declare module '#core/database/database.ts' {
  interface DatabaseTables {
    /** The table with one row, which a check writes to see that the database can be written to. */
    write_checks: { id: number; checked_at: string }
  }
}

export const writeMigrations: Migrations = {
  'write checks 1': () => ['create table write_checks (id integer primary key, checked_at text not null)'],
}

/** The time in ms for which a successful check counts. */
const LIFETIME = 5000

/** Returns a function that throws if the database cannot be written to, as on a full or read-only disk. */
export function createWriteCheck(db: Db) {
  let checkedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - checkedAt < LIFETIME) return
    const checked_at = isoNow()
    await transaction(db, (tx) =>
      tx
        .insertInto('write_checks')
        .values({ id: 1, checked_at })
        .onConflict((c) => c.column('id').doUpdateSet({ checked_at }))
        .execute(),
    )
    checkedAt = performance.now()
  }
}
