import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import { setOwnersSql } from '#core/media/tables.ts'
import type { PostAudience } from './contract.ts'

export interface PostTables {
  posts: {
    id: Generated<number>
    user_id: number
    client_id: string | null
    body: string | null
    created_at: string
    likes_count: Generated<number>
    /** The feature `replies` changes it with `repliedPosts.addReplies`. */
    replies_count: Generated<number>
    /** Raised by each statement that changes what lists show: cached JSON is valid for one revision. */
    revision: Generated<number>
    /** Never changes: caches and the guard of the pictures depend on that. */
    audience: Generated<PostAudience>
    /** Null if the audience is not a group. The id stays when the group is deleted. */
    group_id: number | null
    /** The number of pictures that were removed because of their age. */
    removed_images: Generated<number>
    /** Null if the post was never edited. */
    edited_at: string | null
    /** For the community or for the group that is its audience; null if the post is not pinned. */
    pinned_at: string | null
  }
  /** Earlier texts. `created_at` is the time at which the author wrote the text. */
  post_versions: { id: Generated<number>; post_id: number; body: string | null; created_at: string }
  post_attachments: AttachmentColumns & { post_id: number }
  likes: { post_id: number; user_id: number; created_at: string }
  bookmarks: { id: Generated<number>; post_id: number; user_id: number; created_at: string }
  /** Separate from `posts`, because each change of `posts` empties many caches. */
  hidden_posts: { post_id: number; created_at: string }
  /** An admin has told everyone of the post. The row stays when the post is unpinned. */
  post_announcements: { post_id: number; created_at: string }
}
/** Of a post, reply or message. */
export interface AttachmentColumns {
  id: Generated<number>
  position: number
  /** A file has a `file_name` in `media`. */
  media: string
  /** Alternative text of a picture. */
  alt: string | null
  /** The number of a file, from 1. The picture with the same number shows its first page. Null: a picture. */
  file: number | null
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends PostTables {}
}

/** It decides who may load pictures of posts that are hidden or not for everybody. */
export const POST_IMAGE_GUARD = 'post'
/** Of the files of all posts. */
export const POST_FILE_GUARD = 'post file'
export const postPlace = { table: 'post_attachments', column: 'post_id' } as const

export const postsMigrations: Migrations = {
  'posts 1': ({ id }) => [
    `create table posts (
      id ${id}, user_id bigint not null references users (id) on delete cascade, client_id text,
      body text, created_at text not null, likes_count integer not null default 0,
      unique (user_id, client_id))`,
    'create index posts_user on posts (user_id, id)',
    `create table post_images (
      id ${id}, post_id bigint not null references posts (id) on delete cascade, position integer not null,
      media text not null references media (name), alt text, unique (post_id, position))`,
    'create index post_images_media on post_images (media)',
    `create table likes (
      post_id bigint not null references posts (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (post_id, user_id))`,
    'create index likes_user on likes (user_id)',
  ],
  // With `id` instead of `id + 0`, PostgreSQL might choose the index of the primary key, and also read the
  // newer posts of all other authors.
  'posts 2': () => ['create index posts_author on posts (user_id, (id + 0))', 'drop index posts_user'],
  'posts 3': () => ['alter table posts add column revision integer not null default 0'],
  // The database reads a member's likes in the order of the posts.
  'posts 4': () => ['create index likes_user_post on likes (user_id, post_id)', 'drop index likes_user'],
  'posts hidden 1': () => [
    `create table hidden_posts (
      post_id bigint primary key references posts (id) on delete cascade, created_at text not null)`,
  ],
  'posts audience 1': () => ["alter table posts add column audience text not null default 'everyone'"],
  'posts audience 2': () => ['alter table posts add column group_id bigint'],
  // Without this index, the queries for visitors would also read all newer posts that only members may see.
  'posts audience 3': () => ["create index posts_everyone on posts (id) where audience = 'everyone'"],
  'posts retention 1': () => [
    'alter table posts add column removed_images integer not null default 0',
    'create index posts_created on posts (created_at)',
  ],
  'posts storage 1': () => [
    setOwnersSql(`select post_images.media as name, posts.user_id from post_images
      join posts on posts.id = post_images.post_id`),
  ],
  'posts replies 1': () => ['alter table posts add column replies_count integer not null default 0'],
  'posts edits 1': ({ id }) => [
    'alter table posts add column edited_at text',
    `create table post_versions (
      id ${id}, post_id bigint not null references posts (id) on delete cascade, body text,
      created_at text not null)`,
    'create index post_versions_post on post_versions (post_id, (id + 0))',
  ],
  'posts bookmarks 1': ({ id }) => [
    `create table bookmarks (
      id ${id}, post_id bigint not null references posts (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, created_at text not null,
      unique (post_id, user_id))`,
    'create index bookmarks_user on bookmarks (user_id, (id + 0))',
  ],
  'posts pins 1': () => [
    'alter table posts add column pinned_at text',
    'create index posts_pinned on posts (group_id, pinned_at) where pinned_at is not null',
  ],
  'posts announcements 1': () => [
    `create table post_announcements (
      post_id bigint primary key references posts (id) on delete cascade, created_at text not null)`,
  ],
  'posts newest 1': () => [
    `create table newest_posts (
      user_id bigint primary key references users (id) on delete cascade, post_id bigint not null)`,
    `insert into newest_posts (user_id, post_id)
  select user_id, max(id) from posts where true group by user_id
  on conflict (user_id) do update set post_id = excluded.post_id
    where excluded.post_id > newest_posts.post_id`,
  ],
  'posts newest 2': () => ['drop table newest_posts'],
  'posts files 1': () => [
    'alter table post_images rename to post_attachments',
    // SQLite cannot rename an index, so the index is dropped and created again.
    'drop index post_images_media',
    'create index post_attachments_media on post_attachments (media)',
    'alter table post_attachments add column file integer',
    // One file of each post, for the list of posts with files.
    'create index post_attachments_file on post_attachments (post_id) where file = 1',
  ],
}
