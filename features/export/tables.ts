import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface ExportTables {
  /** The archives that members have asked for. A member has at most one that is not removed. */
  exports: {
    id: Generated<number>
    user_id: number
    /** The language of the archive. */
    lang: 'en' | 'ja'
    created_at: string
    /** The number of attempts that have begun. A name in `export_files` contains it. */
    attempts: Generated<number>
    /** In thousandths. */
    progress: Generated<number>
    /** The name of the archive in `export_files`, once it is complete. */
    file: string | null
    /** The size of the archive. */
    bytes: number | null
    finished_at: string | null
    /** When the last attempt failed. */
    failed_at: string | null
    /** When a finished or failed export is removed. */
    expires_at: string | null
    /** When it expired, or the member removed it. The row stays for a day, which limits new exports. */
    removed_at: string | null
  }
  /**
   * Archives that may have files. The row is added before the files and deleted after them, so that no file
   * is forgotten.
   */
  export_files: { name: string; bytes: number }
}
declare module '#core/database/database.ts' {
  interface Tables extends ExportTables {}
}

export const migrations: Migrations = {
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
}
