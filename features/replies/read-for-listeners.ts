import type { Tx } from '#core/database/database.ts'

/**
 * Returns a reply for listeners of later features, without a check of who may see it; undefined if there is
 * no such reply.
 */
export const readReplyForListenersWithoutCheck = (tx: Tx, id: number) =>
  tx
    .selectFrom('replies')
    .select(['user_id as author', 'post_id', 'post_user_id', 'mentioned_id', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
