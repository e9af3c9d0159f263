import type { Tx } from '#core/database/database.ts'

/** Ends the pin of a message, if there is one. Returns whether there was one. */
export async function deletePin(tx: Tx, message: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('pinned_messages')
    .where('message_id', '=', message)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}
