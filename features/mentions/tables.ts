import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface MentionTables {
  /**
   * One row for each member whom a text mentions. One of `post_id`, `reply_id` and `message_id` is not null.
   * The member could see the text when it was written or edited, and gets no other notification about it.
   */
  mentions: {
    id: Generated<number>
    post_id: number | null
    reply_id: number | null
    /** The post of a reply; the deletion of a post finds the mentions in its replies by it. */
    replied_post_id: number | null
    message_id: number | null
    /** The author of the text. */
    user_id: number
    mentioned_id: number
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends MentionTables {}
}

export const mentionMigrations: Migrations = {
  'mentions 1': ({ id }) => [
    // The keys to posts and replies are checked at the commit and do not cascade, because listeners delete
    // the rows and emit `mention.deleted`. The rows of deleted messages cascade, without an event.
    `create table mentions (
      id ${id}, post_id bigint references posts (id) deferrable initially deferred,
      reply_id bigint references replies (id) deferrable initially deferred,
      replied_post_id bigint, message_id bigint references messages (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      mentioned_id bigint not null references users (id) on delete cascade,
      created_at text not null, unique (post_id, mentioned_id), unique (reply_id, mentioned_id),
      unique (message_id, mentioned_id))`,
    'create index mentions_replied_post on mentions (replied_post_id) where replied_post_id is not null',
    'create index mentions_author on mentions (user_id)',
    'create index mentions_mentioned on mentions (mentioned_id, id)',
  ],
}
