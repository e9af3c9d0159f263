import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface TurnTables {
  year_turns: {
    id: Generated<number>
    /** Null once the admin's account is deleted. */
    user_id: number | null
    created_at: string
    undone_at: string | null
  }
  turn_groups: {
    turn_id: number
    /** The group that ended. */
    group_id: number
    /** The group that goes on in its place; null if none does, or it was deleted. */
    next_id: number | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends TurnTables {}
}

export const turnMigrations: Migrations = {
  'turns 1': ({ id }) => [
    `create table year_turns (
      id ${id}, user_id bigint references users (id) on delete set null, created_at text not null,
      undone_at text)`,
    'create index year_turns_user on year_turns (user_id) where user_id is not null',
    `create table turn_groups (
      turn_id bigint not null references year_turns (id) on delete cascade,
      group_id bigint not null references conversations (id) on delete cascade,
      next_id bigint references conversations (id) on delete set null, primary key (turn_id, group_id))`,
    'create index turn_groups_group on turn_groups (group_id)',
    'create index turn_groups_next on turn_groups (next_id) where next_id is not null',
  ],
}
