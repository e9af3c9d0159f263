import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'
import { createSetMediaGuardSql, createSetMediaOwnersSql } from '#core/media/tables.ts'
import { giveOwnerlessGroupsAnOwnerInMigration } from './group-owner-repair.ts'

export interface ChatTables {
  /**
   * The table of private chats and groups. A private chat has a `pair` of user ids, such as “3.7”; a group
   * has a `name`.
   */
  conversations: {
    id: Generated<number>
    pair: string | null
    name: string | null
    created_by: number | null
    /**
     * The member who owns the group: the member without admin rights who created it, or the member to whom
     * it has passed or was handed over (see group-owners.ts). Null in a private chat, and in a group that
     * only admins manage.
     */
    owner_id: number | null
    /**
     * In a group: how many seconds slow mode makes members wait between two messages; 0 while slow mode is
     * off.
     */
    slow_mode_seconds: Generated<number>
    /**
     * In a group: the purpose of the group, in the words of its managers; null if there is no description.
     */
    description: string | null
    /** In a group: the name of the group's picture in the table `media`; null if the group has none. */
    picture: string | null
    created_at: string
  }
  /**
   * The table of the people in each conversation: the members of a group, or the two people of a private
   * chat.
   */
  conversation_members: {
    conversation_id: number
    user_id: number
    added_by: number | null
    /**
     * In a private chat: the time when the member received the first message from the other person, from
     * which on the member may open the chat. Null before that, and in groups.
     */
    first_received_at: string | null
    /**
     * The id of the newest message that counts as read for the member. This read mark moves back if the
     * member marks messages as unread.
     */
    last_read_id: Generated<number>
    /**
     * The id of the newest message that the member has ever read. Others see this read mark, unless the
     * member is in `hidden_read_marks`.
     */
    furthest_read_id: Generated<number>
    /** The time until which the member has muted the conversation; null if the member has not muted it. */
    muted_until: string | null
    /** In a group: the time when somebody added the member; null after the member has opened the group. */
    unopened_since: string | null
    /** In a group: the time of the member's last message that was sent while slow mode was on. */
    last_slow_message_at: string | null
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
    /**
     * The time when a moderator hid the message from all but its author; null if the message is not hidden.
     */
    hidden_at: string | null
    /** The id of the message of the same conversation that this message quotes; null if it quotes none. */
    quotes_id: number | null
    /**
     * The number of pictures and files of the message that the server has removed because they were too old.
     */
    removed_images: Generated<number>
  }
  /** The table of the messages that the managers of groups have pinned. */
  pinned_messages: {
    message_id: number
    conversation_id: number
    pinned_by: number | null
    created_at: string
  }
  /** The table of the messages that are copies, which their authors have forwarded from other chats. */
  forwarded_messages: {
    message_id: number
    /** The id of the author of the original message; null if that author is no longer a member. */
    author_id: number | null
    created_at: string
  }
  /**
   * The table of the members who do not show others what they have read, and so cannot see what others have
   * read.
   */
  hidden_read_marks: { user_id: number; created_at: string }
  /**
   * The table of the pictures and files of messages. A file that is not a picture has a `file_name` in its
   * row of `media`.
   */
  message_attachments: {
    id: Generated<number>
    message_id: number
    position: number
    media: string
    /** The description (alternative text) of a picture. */
    alt: string | null
    /**
     * The length and the wave form of a voice message, as JSON of `VoiceDetails`; null for all other
     * attachments.
     */
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
      | 'owner'
      | 'description'
      | 'picture'
    actor_id: number | null
    /** The id of the member who was added, was removed or left, or who owns the group from this change on. */
    user_id: number | null
    name: string | null
    /** The new number of seconds between two messages, if slow mode was changed; otherwise null. */
    slow_mode_seconds: number | null
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ChatTables {}
}

/**
 * The name of the guard that decides who may load the pictures and files of messages: see
 * `createMessageAttachmentAccessGuards`.
 */
export const MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME = 'message'

/**
 * SQL query: the ids of all messages, each with the id of each member of its chat, for migrations of later
 * features.
 */
export const messageIdsWithChatMemberIdsSqlQuery = `select m.id as message_id, cm.user_id from messages m
  join conversation_members cm on cm.conversation_id = m.conversation_id`

export const chatMigrations: MigrationsByName = {
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
    // The index and the queries use `id + 0`. If they used `id`, PostgreSQL might choose the primary key, and
    // then it would read the newer messages of all other conversations too.
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
  'chat 2': () => [
    createSetMediaGuardSql(MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME, 'select media from message_images'),
  ],
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
  'chat groups 1': () => [
    'alter table conversations add column owner_id bigint references users (id) on delete set null',
    'create index conversations_owner on conversations (owner_id) where owner_id is not null',
    'alter table conversations add column slow_mode_seconds integer not null default 0',
    'alter table conversation_members add column last_slow_message_at text',
    'alter table group_changes add column slow_mode_seconds integer',
  ],
  'chat groups 2': () => ['alter table conversations add column description text'],
  'chat groups 3': () => [giveOwnerlessGroupsAnOwnerInMigration],
  'chat groups 4': () => [
    'alter table conversations add column picture text references media (name)',
    'create index conversations_picture on conversations (picture) where picture is not null',
  ],
  'chat retention 1': () => [
    'alter table messages add column removed_images integer not null default 0',
    'create index messages_created on messages (created_at)',
  ],
  // `quotes_id` is no foreign key, because a quote of a message that retention has removed is just not shown,
  // and because the copy of a database needs tables that do not refer to themselves. A new message never gets
  // the id of a removed one, so a quote cannot lead to a wrong message.
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
  'chat storage 1': () => [
    createSetMediaOwnersSql(`select message_images.media as name, messages.user_id from message_images
      join messages on messages.id = message_images.message_id`),
  ],
  'chat files 1': () => [
    'alter table message_images rename to message_attachments',
    // SQLite cannot rename an index, so the index is dropped and created again.
    'drop index message_images_media',
    'create index message_attachments_media on message_attachments (media)',
    'alter table message_attachments add column voice text',
  ],
}
