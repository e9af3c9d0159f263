import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

/** The number of newest messages of a conversation whose authors are looked up. */
const SEARCHED_MESSAGES = 200
/** The maximum number of author ids that `listRecentMessageAuthorIds` returns. */
const MAX_AUTHORS = 20

/**
 * Lists the ids of the people who wrote the newest messages of a conversation, the latest author first. The
 * caller must check that the viewer is in the conversation, and which of these people the viewer may see.
 */
export async function listRecentMessageAuthorIds(db: Db, conversation: number) {
  const newest = db
    .selectFrom('messages')
    .select(['id', 'user_id'])
    .where('conversation_id', '=', conversation)
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .orderBy(sql`id + 0`, 'desc')
    .limit(SEARCHED_MESSAGES)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select('user_id')
    .groupBy('user_id')
    .orderBy(({ fn }) => fn.max('id'), 'desc')
    .limit(MAX_AUTHORS)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
