import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface ExportTables {
  /** Each member has at most one that is not removed. */
  exports: {
    id: Generated<number>
    user_id: number
    lang: 'en' | 'ja'
    /** The browser's, such as Asia/Tokyo, otherwise the community's, otherwise UTC. */
    time_zone: Generated<string>
    created_at: string
    /** Begun. The name in `export_files` contains this number. */
    attempts: Generated<number>
    /** The current attempt, from 0 to 1000. */
    progress: Generated<number>
    /** A name in `export_files`; null until the archive is complete. */
    file: string | null
    /** Null until the archive is complete. */
    bytes: number | null
    finished_at: string | null
    /** All attempts had failed; null otherwise. */
    failed_at: string | null
    /** The clean-up removes it then; null before the export has finished or failed. */
    expires_at: string | null
    /** Expired, or removed by the member. The row stays for a day, because exports in a day are limited. */
    removed_at: string | null
  }
  /** A row is there before the files of its archive and until after them, so that no file is forgotten. */
  export_files: { name: string; bytes: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ExportTables {}
}

export const exportMigrations: Migrations = {
  'export 1': ({ id }) => [
    `create table exports (
      id ${id}, user_id bigint not null references users (id) on delete cascade, lang text not null,
      created_at text not null, attempts integer not null default 0, progress integer not null default 0,
      file text, bytes bigint, finished_at text, failed_at text, expires_at text, removed_at text)`,
    'create unique index exports_user on exports (user_id) where removed_at is null',
    'create index exports_user_created on exports (user_id, created_at)',
    'create index exports_expires on exports (expires_at) where removed_at is null',
    'create index exports_removed on exports (removed_at) where removed_at is not null',
    'create table export_files (name text primary key, bytes bigint not null)',
  ],
  'export 2': () => [`alter table exports add column time_zone text not null default 'UTC'`],
}
