import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface ReactionTables {
  /** The table with one row for each emoji with which a member reacts to a post, reply or message. */
  reactions: {
    id: Generated<number>
    /** Exactly one of the three columns `post_id`, `reply_id` and `message_id` is not null. */
    post_id: number | null
    reply_id: number | null
    message_id: number | null
    user_id: number
    emoji: string
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ReactionTables {}
}

/**
 * Returns the SQL of the two indexes of a column that contains ids of posts, replies or messages: one index
 * for the numbers of reactions, and one for the list of the people who react.
 */
const createIndexes = (column: string) => [
  `create unique index reactions_${column} on reactions (${column}, emoji, user_id) where ${column} is not null`,
  // The index and the query use `id + 0`. If they used `id`, PostgreSQL might choose the index of the primary
  // key, and then it would also read the newer reactions to all other posts, replies and messages.
  `create index reactions_${column}_list on reactions (${column}, (id + 0)) where ${column} is not null`,
]

export const reactionsMigrations: MigrationsByName = {
  'reactions 1': ({ id }) => [
    `create table reactions (
      id ${id}, post_id bigint references posts (id) on delete cascade,
      reply_id bigint references replies (id) on delete cascade,
      message_id bigint references messages (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      emoji text not null, created_at text not null,
      check ((case when post_id is null then 0 else 1 end) + (case when reply_id is null then 0 else 1 end)
        + (case when message_id is null then 0 else 1 end) = 1))`,
    ...['post_id', 'reply_id', 'message_id'].flatMap(createIndexes),
    'create index reactions_user on reactions (user_id, (id + 0))',
  ],
}
