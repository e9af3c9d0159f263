import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface ReactionTables {
  /** One row for each emoji of a member. */
  reactions: {
    id: Generated<number>
    /** One of `post_id`, `reply_id` and `message_id` is not null. */
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

/** One for the numbers of reactions, and one for the list of the people who react. */
const createIndexes = (column: string) => [
  `create unique index reactions_${column} on reactions (${column}, emoji, user_id) where ${column} is not null`,
  // With `id` instead of `id + 0`, PostgreSQL might choose the index of the primary key, and also read the
  // newer reactions to everything else.
  `create index reactions_${column}_list on reactions (${column}, (id + 0)) where ${column} is not null`,
]

export const reactionMigrations: Migrations = {
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
