import type { Tx } from '#core/database/database.ts'

/**
 * Reads a message for listeners of later features, without visibility rules. Returns undefined if there is no
 * such message. The text of a deleted message is empty.
 */
export const readMessageForListeners = (tx: Tx, id: number) =>
  tx
    .selectFrom('messages')
    .select(['user_id as author', 'conversation_id', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
