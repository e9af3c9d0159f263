import { sql } from 'kysely'
import type { Tx } from '#core/database/database.ts'

/**
 * Sends the statement that sets the newest post of a person. Keeps a larger id, because on PostgreSQL the
 * post with the smaller id may be stored here last.
 */
export const sendSetNewestPostStatement = (tx: Tx, user_id: number, post_id: number) =>
  tx.sendStatement(
    sql`insert into newest_posts (user_id, post_id) values (${user_id}, ${post_id})
      on conflict (user_id) do update set post_id = excluded.post_id
        where excluded.post_id > newest_posts.post_id`,
  )
