import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

/**
 * Returns a query for the people with whom these members have private chats. Each row has the member
 * (`member_id`), the other person (`user_id`) and the id of the conversation.
 */
export const buildPrivateChatPartnersQuery = (
  members: readonly number[],
): RawBuilder<{ member_id: number; user_id: number; conversation_id: number }> => sql`
  select mine.user_id as member_id, other.user_id, other.conversation_id from conversation_members mine
    join conversations c on c.id = mine.conversation_id and c.pair is not null
    join conversation_members other on other.conversation_id = c.id and other.user_id <> mine.user_id
  where mine.user_id in (${sql.join(members)})`

/**
 * Returns an SQL expression: the time of the newest message of a conversation; null if it has no message.
 * `conversation` is the name of the column that has the id of the conversation.
 */
export const buildLastMessageTimeExpression = (conversation: string) =>
  sql<string | null>`(select m.created_at from messages m
    where m.conversation_id = ${sql.ref(conversation)} order by m.id + 0 desc limit 1)`

/** Reads the name of a group; null if there is no such group. */
export async function readGroupName(db: Db, group: number) {
  const row = await db.selectFrom('conversations').select('name').where('id', '=', group).executeTakeFirst()
  return row?.name ?? null
}
