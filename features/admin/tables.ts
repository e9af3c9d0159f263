import type { Migrations } from '#core/database/database.ts'
import type { RemovableContentKind } from '#core/retention.ts'

export interface AdminTables {
  /**
   * For each kind of things that the community removes after some time: when the removal begins, and what it
   * has removed. The settings have the numbers of days. There is no row before the first change.
   */
  retention_schedules: {
    kind: RemovableContentKind
    /**
     * The earliest time of a removal after a change of the setting. Until then, admins can take back the
     * change.
     */
    starts_at: string
    /** When the last run ended; null before the first one. */
    last_run_at: string | null
    /**
     * The day (UTC, `2026-11-23`) to which `removed_count` and `removed_bytes` belong; null if nothing was
     * removed yet.
     */
    removed_on: string | null
    removed_count: number
    /** The bytes of the removed pictures. */
    removed_bytes: number
  }
  /** The groups that were created as examples: see examples.ts. */
  example_groups: { conversation_id: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AdminTables {}
}

export const adminMigrations: Migrations = {
  'admin retention 1': () => [
    `create table retention_schedules (
      kind text primary key, starts_at text not null, last_run_at text, removed_on text,
      removed_count integer not null, removed_bytes bigint not null)`,
  ],
  'admin examples 1': () => [
    `create table example_groups (
      conversation_id bigint primary key references conversations (id) on delete cascade)`,
  ],
}
