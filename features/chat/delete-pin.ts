import type { Tx } from '#core/database/database.ts'

/** Deletes the pin of a message. Returns whether the message was pinned. */
export async function deleteMessagePin(tx: Tx, message: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('pinned_messages')
    .where('message_id', '=', message)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}
