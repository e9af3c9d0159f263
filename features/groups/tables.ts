import type { Migrations } from '#core/database/database.ts'
import { repairOwners } from './owner-repair.ts'

/** Columns of the tables of all conversations, whose types are in `features/conversations/tables.ts`. */
export const groupMigrations: Migrations = {
  'chat groups 1': () => [
    'alter table conversations add column owner_id bigint references users (id) on delete set null',
    'create index conversations_owner on conversations (owner_id) where owner_id is not null',
    'alter table conversations add column slow_mode_seconds integer not null default 0',
    'alter table conversation_members add column last_slow_message_at text',
    'alter table group_changes add column slow_mode_seconds integer',
  ],
  'chat groups 2': () => ['alter table conversations add column description text'],
  'chat groups 3': () => [repairOwners],
  'chat groups 4': () => [
    'alter table conversations add column picture text references media (name)',
    'create index conversations_picture on conversations (picture) where picture is not null',
  ],
  'chat groups 5': () => [
    'alter table conversations add column chosen_writers_since text',
    'alter table conversation_members add column may_write_since text',
  ],
  'chat groups 6': () => ['alter table conversations add column ended_at text'],
}
