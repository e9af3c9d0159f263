import type { Tx } from '#core/database/database.ts'

/**
 * Reads a reply for listeners of later features, without visibility rules. Returns undefined if there is no
 * such reply.
 */
export const readReplyForListenersWithoutCheck = (tx: Tx, id: number) =>
  tx
    .selectFrom('replies')
    .select(['user_id as author', 'post_id', 'post_user_id', 'mentioned_id', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
