import type { Tx } from '#core/database/database.ts'

/** Does not check who may see it. Undefined if there is no such reply. */
export const replyOfEvent = (tx: Tx, id: number) =>
  tx
    .selectFrom('replies')
    .select(['user_id as author', 'post_id', 'post_user_id', 'mentioned_id', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
