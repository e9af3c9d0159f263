import type { MigrationsByName } from '#core/database/database.ts'
import type { RemovableContentKind } from '#core/retention.ts'
import type { ServerCondition } from '#features/notifications/server-contract.ts'

export interface AdminTables {
  /**
   * One row for each kind of content (messages, pictures) that the community removes after some time: when
   * the removal begins, and what it has removed. The numbers of days are in the settings. There is no row
   * before the first change of the setting.
   */
  retention_schedules: {
    kind: RemovableContentKind
    /**
     * The earliest time of a removal after an admin has changed the number of days. Until then, admins can
     * take back the change.
     */
    starts_at: string
    /** When the job that removes this kind of content last ended; null before its first run. */
    last_run_at: string | null
    /**
     * The day (UTC, `2026-11-23`) to which `removed_count` and `removed_bytes` belong; null if nothing was
     * removed yet.
     */
    removed_on: string | null
    removed_count: number
    /** The total size in bytes of the pictures that were removed on the day `removed_on`. */
    removed_bytes: number
  }
  /** The groups that were created as example content: see examples.ts. */
  example_groups: { conversation_id: number }
  /**
   * The conditions of the server of which admins are told, as the last look has found them. `place` is the
   * machine for conditions of a disk, if several processes share the database; otherwise empty.
   */
  server_conditions: { name: ServerCondition; place: string; is_on: number; changed_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AdminTables {}
}

export const adminMigrations: MigrationsByName = {
  'admin retention 1': () => [
    `create table retention_schedules (
      kind text primary key, starts_at text not null, last_run_at text, removed_on text,
      removed_count integer not null, removed_bytes bigint not null)`,
  ],
  'admin conditions 1': () => [
    `create table server_conditions (
      name text not null, place text not null, is_on integer not null, changed_at text not null,
      primary key (name, place))`,
  ],
  'admin examples 1': () => [
    `create table example_groups (
      conversation_id bigint primary key references conversations (id) on delete cascade)`,
  ],
}
