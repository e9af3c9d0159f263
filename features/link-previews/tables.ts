import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface LinkPreviewTables {
  /**
   * The previews of links in posts, replies and messages: at most one row for each of these texts. `title` is
   * null while the job has not visited the page yet, and after the author has removed the preview. A
   * text whose page has no preview has no row.
   */
  link_previews: {
    id: Generated<number>
    /**
     * The id of the post; null for a reply or message. Exactly one of the three columns post_id, reply_id and
     * message_id is not null.
     */
    post_id: number | null
    reply_id: number | null
    message_id: number | null
    /** The id of the member who wrote the text with the link. */
    user_id: number
    url: string
    site_name: string | null
    title: string | null
    description: string | null
    created_at: string
    /** The time when the author of the text removed the preview; null if the author has not removed it. */
    removed_at: string | null
  }
  /**
   * The results of recent visits of web pages, so that the server visits a page only once for several texts.
   * `title` is null if the page has no preview or could not be read.
   */
  link_pages: {
    /**
     * The SHA-256 hash of the URL in hexadecimal digits. The URL itself is no key, because long URLs do not
     * fit into an index.
     */
    url_hash: string
    site_name: string | null
    title: string | null
    description: string | null
    fetched_at: string
    /** The time from which the result is no longer used, so that the page is visited again. */
    expires_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends LinkPreviewTables {}
}

const createSubjectIndex = (column: string) =>
  `create unique index link_previews_${column} on link_previews (${column}) where ${column} is not null`

export const linkPreviewsMigrations: MigrationsByName = {
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
