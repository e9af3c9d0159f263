import type { Tx } from '#core/database/database.ts'

/** Rows of one SQL statement. */
const BATCH = 500

/** The rows of emptied messages stay, so the database deletes neither pins nor marks. */
export async function deleteMarks(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH) {
    const ids = messages.slice(first, first + BATCH)
    await tx.deleteFrom('pinned_messages').where('message_id', 'in', ids).execute()
    await tx.deleteFrom('forwarded_messages').where('message_id', 'in', ids).execute()
  }
}
