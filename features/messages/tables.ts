import type { Migrations } from '#core/database/database.ts'

export interface MessageTables {
  pinned_messages: {
    message_id: number
    conversation_id: number
    pinned_by: number | null
    created_at: string
  }
  /** Copies, forwarded from other chats. */
  forwarded_messages: {
    message_id: number
    /** Author of the original; null for a former member. */
    author_id: number | null
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends MessageTables {}
}

export const messageMigrations: Migrations = {
  'chat pins 1': () => [
    `create table pinned_messages (
      message_id bigint primary key references messages (id) on delete cascade,
      conversation_id bigint not null references conversations (id) on delete cascade,
      pinned_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index pinned_messages_conversation on pinned_messages (conversation_id, created_at)',
    'create index pinned_messages_pinned_by on pinned_messages (pinned_by)',
  ],
  'chat forwards 1': () => [
    `create table forwarded_messages (
      message_id bigint primary key references messages (id) on delete cascade,
      author_id bigint references users (id) on delete set null, created_at text not null)`,
    'create index forwarded_messages_author on forwarded_messages (author_id)',
  ],
}
