import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

/**
 * Inserts `count` members directly into the database, because registering hundreds of members would take too
 * long. Returns their ids.
 */
export const insertMembers = ({ db }: TestApp, count: number) =>
  transaction(db, async (tx) => {
    const rows = Array.from({ length: count }, (_, index) => {
      const unique = `filler${index}`
      const keys = { name_key: unique, handle: unique, name_skeleton: unique, email_key: unique }
      return { name: unique, email: unique, password_hash: '', created_at: isoNow(), ...keys }
    })
    const ids: number[] = []
    while (rows.length) {
      const part = tx.insertInto('users').values(rows.splice(0, 200)).returning('id')
      ids.push(...(await part.execute()).map(({ id }) => id))
    }
    return ids
  })
