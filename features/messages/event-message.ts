import '#features/conversations/events.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'

/**
 * Checks no visibility. No query for a new message, whose event has it all. The text of a deleted one is
 * empty.
 */
export async function findEventMessage(tx: Tx, event: { id: number } | DomainEvents['message.created']) {
  if ('body' in event) return { ...event, author: event.user_id }
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
    .where('m.id', '=', event.id)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, ...message } = row
  return { ...message, is_group: name !== null }
}
