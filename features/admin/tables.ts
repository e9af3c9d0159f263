import type { ContentKind } from '#core/community/retention.ts'
import type { Migrations } from '#core/database/database.ts'
import type { ServerCondition } from '#features/notifications/server-schemas.ts'

export interface AdminTables {
  /** The numbers of days are in the settings. There is no row before their first change. */
  retention_schedules: {
    kind: ContentKind
    /** The earliest removal after a change of the days. Until then, admins can take the change back. */
    starts_at: string
    /** When the job last ended; null before its first run. */
    last_run_at: string | null
    /** The UTC day (`2026-11-23`) of `removed_count` and `removed_bytes`; null if nothing was removed yet. */
    removed_on: string | null
    removed_count: number
    /** The size of the pictures. */
    removed_bytes: number
  }
  /** Created as example content: see examples.ts. */
  example_groups: { conversation_id: number }
  /** As the last look found them. `place` is the machine, for disks of several processes; otherwise empty. */
  server_conditions: { name: ServerCondition; place: string; is_on: number; changed_at: string }
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
