import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface ReplyTables {
  replies: {
    id: Generated<number>
    post_id: number
    /**
     * The id of the author of the post. The listener of `member.deleted` finds all replies to a member's
     * posts by this column.
     */
    post_user_id: number
    user_id: number
    /**
     * The id of the author of the reply that this reply answers; null if it answers the post itself or a
     * reply of its own author, or if that person's account was deleted.
     */
    mentioned_id: number | null
    client_id: string | null
    body: string | null
    created_at: string
    edited_at: string | null
    likes_count: Generated<number>
  }
  reply_images: {
    id: Generated<number>
    reply_id: number
    position: number
    media: string
    alt: string | null
  }
  reply_likes: { reply_id: number; user_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ReplyTables {}
}

/**
 * The name of the guard that decides who may load the pictures of replies to posts that are not for
 * everybody, or that a moderator has hidden.
 */
export const REPLY_IMAGE_ACCESS_GUARD_NAME = 'reply'

export const repliesMigrations: MigrationsByName = {
  'replies 1': ({ id }) => [
    // The foreign key `post_id` is checked at the commit and does not cascade, because a listener deletes the
    // replies to a deleted post and marks their pictures as unreferenced. With a cascade, the pictures would
    // stay stored for ever.
    `create table replies (
      id ${id}, post_id bigint not null references posts (id) deferrable initially deferred,
      post_user_id bigint not null,
      user_id bigint not null references users (id) on delete cascade,
      mentioned_id bigint references users (id) on delete set null, client_id text, body text,
      created_at text not null, edited_at text, likes_count integer not null default 0,
      unique (user_id, client_id))`,
    // The indexes and the queries use `id + 0`. If they used `id`, PostgreSQL might choose the index of the
    // primary key, and then it would also read the newer replies to all other posts.
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
}
