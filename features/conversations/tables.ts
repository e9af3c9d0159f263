import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import { setGuardSql, setOwnersSql } from '#core/media/tables.ts'
import type { AttachmentColumns } from '#features/posts/tables.ts'

export interface ChatTables {
  /** A private chat has a `pair` of user ids, such as “3.7”; a group has a `name`. */
  conversations: {
    id: Generated<number>
    pair: string | null
    name: string | null
    created_by: number | null
    /** Null in a private chat, and in a group that only admins manage: see features/groups/owners.ts. */
    owner_id: number | null
    /** Seconds between two messages of a member of the group; 0 while slow mode is off. */
    slow_mode_seconds: Generated<number>
    /** Since when only chosen members may write (features/groups/writers.ts). */
    chosen_writers_since: string | null
    /** Since when nobody writes or joins any more; null in a group that goes on, and in a private chat. */
    ended_at: string | null
    /** Only in groups; null if there is none. */
    description: string | null
    /** Only in groups: name in `media`; null if there is none. */
    picture: string | null
    created_at: string
  }
  conversation_members: {
    conversation_id: number
    user_id: number
    added_by: number | null
    /**
     * Since when the member may open the private chat. Null before the first message to them, and in groups.
     */
    first_received_at: string | null
    /** Newest message that counts as read; moves back if the member marks messages as unread. */
    last_read_id: Generated<number>
    /** Newest message ever read. Others see it, unless the member is in `hidden_read_marks`. */
    furthest_read_id: Generated<number>
    muted_until: string | null
    /** When somebody added the member to the group; null once they have opened it. */
    unopened_since: string | null
    /** Time of the last message sent while slow mode was on. */
    last_slow_message_at: string | null
    /** Since when the member is one of the chosen writers of the group. */
    may_write_since: string | null
    created_at: string
  }
  messages: {
    id: Generated<number>
    conversation_id: number
    user_id: number
    client_id: string | null
    body: string
    created_at: string
    edited_at: string | null
    deleted_at: string | null
    /** When a moderator hid it from all but its author. */
    hidden_at: string | null
    /** A message of the same conversation. */
    quotes_id: number | null
    /** Number of pictures and files removed because they were too old. */
    removed_images: Generated<number>
  }
  /** Members who do not show what they have read, and cannot see what others have read. */
  hidden_read_marks: { user_id: number; created_at: string }
  message_attachments: AttachmentColumns & {
    message_id: number
    /** JSON of `VoiceDetails`; null if it is no voice message. */
    voice: string | null
  }
  group_changes: {
    id: Generated<number>
    conversation_id: number
    kind:
      | 'created'
      | 'added'
      | 'removed'
      | 'left'
      | 'renamed'
      | 'deleted'
      | 'slow_mode'
      | 'writers_all'
      | 'writers_chosen'
      | 'access'
      | 'owner'
      | 'description'
      | 'picture'
      | 'ended'
      | 'reopened'
    actor_id: number | null
    /** The member who was added, was removed, left, or owns the group from now on. */
    user_id: number | null
    name: string | null
    /** Null unless slow mode was changed. */
    slow_mode_seconds: number | null
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ChatTables {}
}

export const MESSAGE_GUARD = 'message'

/** Each message id with each member of its chat, for migrations of later features. */
export const messageReaders = `select m.id as message_id, cm.user_id from messages m
  join conversation_members cm on cm.conversation_id = m.conversation_id`

export const chatMigrations: Migrations = {
  'chat 1': ({ id }) => [
    `create table conversations (
      id ${id}, pair text unique, name text,
      created_by bigint references users (id) on delete set null, created_at text not null)`,
    `create table members (
      conversation_id bigint not null references conversations (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      added_by bigint references users (id) on delete set null, written_to_at text,
      last_read_id bigint not null default 0, created_at text not null,
      primary key (conversation_id, user_id))`,
    'create index members_user on members (user_id, conversation_id)',
    `create table messages (
      id ${id}, conversation_id bigint not null references conversations (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, client_id text,
      body text not null, created_at text not null, edited_at text, deleted_at text,
      unique (conversation_id, user_id, client_id))`,
    // Index and queries use `id + 0`: with `id`, PostgreSQL might choose the primary key, and read the newer
    // messages of all other conversations too.
    'create index messages_conversation on messages (conversation_id, (id + 0))',
    'create index messages_user on messages (user_id)',
    `create table message_images (
      id ${id}, message_id bigint not null references messages (id) on delete cascade,
      position integer not null, media text not null references media (name), alt text,
      unique (message_id, position))`,
    'create index message_images_media on message_images (media)',
    `create table group_changes (
      id ${id}, conversation_id bigint not null references conversations (id) on delete cascade,
      kind text not null, actor_id bigint references users (id) on delete set null,
      person_id bigint references users (id) on delete set null, name text, created_at text not null)`,
    'create index group_changes_conversation on group_changes (conversation_id, id)',
  ],
  'chat 2': () => [setGuardSql(MESSAGE_GUARD, 'select media from message_images')],
  'chat 3': () => ['alter table members add column new_since text'],
  'chat 4': () => [
    'alter table members rename to conversation_members',
    'alter table conversation_members rename column written_to_at to first_received_at',
    'alter table conversation_members rename column new_since to unopened_since',
    // SQLite cannot rename an index, so the index is dropped and created again.
    'drop index members_user',
    'create index conversation_members_user on conversation_members (user_id, conversation_id)',
    'alter table group_changes rename column person_id to user_id',
  ],
  'chat hidden 1': () => ['alter table messages add column hidden_at text'],
  'chat retention 1': () => [
    'alter table messages add column removed_images integer not null default 0',
    'create index messages_created on messages (created_at)',
  ],
  // No foreign key: a quote of a message that retention has removed is just not shown, and copying a database
  // needs tables that do not refer to themselves. Ids of removed messages are never used again.
  'chat quotes 1': () => ['alter table messages add column quotes_id bigint'],
  'chat marks 1': () => [
    'alter table conversation_members add column furthest_read_id bigint not null default 0',
    'update conversation_members set furthest_read_id = last_read_id',
    'alter table conversation_members add column muted_until text',
  ],
  'chat marks 2': () => [
    `create table hidden_read_marks (
      user_id bigint primary key references users (id) on delete cascade, created_at text not null)`,
  ],
  'chat storage 1': () => [
    setOwnersSql(`select message_images.media as name, messages.user_id from message_images
      join messages on messages.id = message_images.message_id`),
  ],
  'chat files 1': () => [
    'alter table message_images rename to message_attachments',
    // SQLite cannot rename an index, so the index is dropped and created again.
    'drop index message_images_media',
    'create index message_attachments_media on message_attachments (media)',
    'alter table message_attachments add column voice text',
  ],
  'chat files 2': () => ['alter table message_attachments add column file integer'],
}
