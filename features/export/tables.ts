import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface DataExportTables {
  /**
   * The exports, which are the archives that members have requested. Each member has at most one export that
   * is not removed.
   */
  exports: {
    id: Generated<number>
    user_id: number
    /** The language in which the pages of the archive are written. */
    lang: 'en' | 'ja'
    /**
     * The time zone in which the pages of the archive show times, such as Asia/Tokyo: that of the browser
     * that asked for the archive, otherwise that of the community, otherwise UTC.
     */
    time_zone: Generated<string>
    created_at: string
    /**
     * The number of attempts to make the archive that have begun. The name of the archive in `export_files`
     * contains this number.
     */
    attempts: Generated<number>
    /** The progress of the current attempt in thousandths, from 0 to 1000. */
    progress: Generated<number>
    /** The name of the complete archive in `export_files`; null until the archive is complete. */
    file: string | null
    /** The size of the complete archive in bytes; null until the archive is complete. */
    bytes: number | null
    finished_at: string | null
    /**
     * The time at which the server gave up, because all attempts to make the archive had failed; null
     * otherwise.
     */
    failed_at: string | null
    /**
     * The time after which the clean-up removes a finished or failed export; null before the export has
     * finished or failed.
     */
    expires_at: string | null
    /**
     * The time at which the export expired, or the member removed it; null before. The row stays for a day
     * longer, because the number of exports in a day is limited.
     */
    removed_at: string | null
  }
  /**
   * The names of archives that may have files in the store. A row is inserted before the files of its archive
   * are written and deleted after they are deleted, so that no file is forgotten.
   */
  export_files: { name: string; bytes: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends DataExportTables {}
}

export const dataExportMigrations: MigrationsByName = {
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
