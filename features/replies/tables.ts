import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { AttachmentColumns } from '#features/posts/tables.ts'

export interface ReplyTables {
  replies: {
    id: Generated<number>
    post_id: number
    /**
     * The author of the post: by it, the listener of `member.deleted` finds all replies to a member's posts.
     */
    post_user_id: number
    user_id: number
    /**
     * The author of the answered reply; null if the reply answers the post itself or a reply of its own
     * author, or if that person's account was deleted.
     */
    mentioned_id: number | null
    client_id: string | null
    body: string | null
    created_at: string
    edited_at: string | null
    likes_count: Generated<number>
  }
  reply_attachments: AttachmentColumns & { reply_id: number }
  reply_likes: { reply_id: number; user_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ReplyTables {}
}

/** It decides who may load pictures of replies to posts that are hidden or not for everybody. */
export const REPLY_IMAGE_GUARD = 'reply'
/** Of the files of all replies. */
export const REPLY_FILE_GUARD = 'reply file'
export const replyPlace = { table: 'reply_attachments', column: 'reply_id' } as const

export const replyMigrations: Migrations = {
  'replies 1': ({ id }) => [
    // `post_id` is checked at the commit and does not cascade: a listener deletes the replies to a deleted
    // post and marks their pictures as unreferenced. With a cascade, the pictures would stay stored for ever.
    `create table replies (
      id ${id}, post_id bigint not null references posts (id) deferrable initially deferred,
      post_user_id bigint not null,
      user_id bigint not null references users (id) on delete cascade,
      mentioned_id bigint references users (id) on delete set null, client_id text, body text,
      created_at text not null, edited_at text, likes_count integer not null default 0,
      unique (user_id, client_id))`,
    // With `id` instead of `id + 0`, PostgreSQL might choose the index of the primary key, and also read the
    // newer replies to all other posts.
    'create index replies_post on replies (post_id, (id + 0))',
    'create index replies_author on replies (user_id, (id + 0))',
    'create index replies_post_author on replies (post_user_id)',
    'create index replies_mentioned on replies (mentioned_id) where mentioned_id is not null',
    `create table reply_images (
      id ${id}, reply_id bigint not null references replies (id) on delete cascade, position integer not null,
      media text not null references media (name), alt text, unique (reply_id, position))`,
    'create index reply_images_media on reply_images (media)',
    `create table reply_likes (
      reply_id bigint not null references replies (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (reply_id, user_id))`,
    'create index reply_likes_user on reply_likes (user_id, reply_id)',
  ],
  'replies files 1': () => [
    'alter table reply_images rename to reply_attachments',
    'drop index reply_images_media',
    'create index reply_attachments_media on reply_attachments (media)',
    'alter table reply_attachments add column file integer',
  ],
}
