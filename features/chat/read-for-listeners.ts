import './events.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'

/**
 * Reads the message of a domain event for event listeners of other features, without visibility rules. Makes
 * no query for a new message, because its event has all that is needed. Returns undefined if there is no such
 * message. The text of a deleted message is empty.
 */
export async function readMessageOfDomainEventWithoutCheck(
  tx: Tx,
  event: { id: number } | DomainEvents['message.created'],
) {
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
