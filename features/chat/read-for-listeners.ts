import type { Tx } from '#core/database/database.ts'

/**
 * Reads a message for listeners of later features, without visibility rules. Returns undefined if there is no
 * such message. The text of a deleted message is empty.
 */
export async function readMessageForListeners(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin('messages as quoted', 'quoted.id', 'm.quotes_id')
    .select([
      'm.user_id as author',
      'm.conversation_id',
      'm.body',
      'c.name',
      'quoted.user_id as quoted_user_id',
    ])
    .where('m.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, ...message } = row
  return { ...message, is_group: name !== null }
}
