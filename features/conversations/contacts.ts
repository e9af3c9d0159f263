import { type RawBuilder, sql } from 'kysely'

export const partnersQuery = (
  members: readonly number[],
): RawBuilder<{ member_id: number; user_id: number; conversation_id: number }> => sql`
  select mine.user_id as member_id, other.user_id, other.conversation_id from conversation_members mine
    join conversations c on c.id = mine.conversation_id and c.pair is not null
    join conversation_members other on other.conversation_id = c.id and other.user_id <> mine.user_id
  where mine.user_id in (${sql.join(members)})`

/** SQL expression: null without messages. `conversation` is the column with the id of the conversation. */
export const lastMessageAt = (conversation: string) =>
  sql<string | null>`(select m.created_at from messages m
    where m.conversation_id = ${sql.ref(conversation)} order by m.id + 0 desc limit 1)`
