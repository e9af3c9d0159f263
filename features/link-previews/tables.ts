import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface PreviewTables {
  /**
   * At most one row for each post, reply or message, and none if the page has no preview. `title` is null
   * while the job has not visited the page yet, and after the author has removed the preview.
   */
  link_previews: {
    id: Generated<number>
    /** One of post_id, reply_id and message_id is not null. */
    post_id: number | null
    reply_id: number | null
    message_id: number | null
    /** The author of the text. */
    user_id: number
    url: string
    site_name: string | null
    title: string | null
    description: string | null
    created_at: string
    /** Null if the author has not removed the preview. */
    removed_at: string | null
  }
  /**
   * The server visits a page once for several texts. `title` is null if there is no preview or the visit
   * failed.
   */
  link_pages: {
    /** SHA-256 of the URL in hexadecimal digits. Long URLs do not fit into an index. */
    url_hash: string
    site_name: string | null
    title: string | null
    description: string | null
    fetched_at: string
    /** From then on the page is visited again. */
    expires_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends PreviewTables {}
}

const createSubjectIndex = (column: string) =>
  `create unique index link_previews_${column} on link_previews (${column}) where ${column} is not null`

export const previewMigrations: Migrations = {
  'link previews 1': ({ id }) => [
    `create table link_previews (
      id ${id}, post_id bigint references posts (id) on delete cascade,
      reply_id bigint references replies (id) on delete cascade,
      message_id bigint references messages (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      url text not null, site_name text, title text, description text,
      created_at text not null, removed_at text,
      check ((case when post_id is null then 0 else 1 end) + (case when reply_id is null then 0 else 1 end)
        + (case when message_id is null then 0 else 1 end) = 1))`,
    ...['post_id', 'reply_id', 'message_id'].map(createSubjectIndex),
    'create index link_previews_author on link_previews (user_id, id)',
    `create index link_previews_waiting on link_previews (user_id, created_at)
      where title is null and removed_at is null`,
    `create table link_pages (
      url_hash text primary key, site_name text, title text, description text,
      fetched_at text not null, expires_at text not null)`,
    'create index link_pages_expiry on link_pages (expires_at)',
  ],
}
