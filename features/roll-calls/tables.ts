import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { PhoneAudience, RollCallState } from './contract.ts'

export interface RollCallTables {
  roll_calls: {
    id: Generated<number>
    title: string
    is_drill: 0 | 1
    /** Null: everybody is asked. */
    group_id: number | null
    /** Null if the account was deleted. */
    started_by: number | null
    started_at: string
    ended_at: string | null
  }
  /** Who was asked, at the start. */
  roll_call_members: {
    roll_call_id: number
    user_id: number
    /** The place on the board: see positions.ts. */
    position: number
    /** The newest row of `roll_call_answers`; null without one. */
    answer_id: Generated<number | null>
  }
  /** One for each change. */
  roll_call_answers: {
    id: Generated<number>
    roll_call_id: number
    /** Whom it is about. */
    user_id: number
    state: RollCallState
    words: string | null
    place: string | null
    /** The person or a guardian; null if that account was deleted. */
    answered_by: number | null
    created_at: string
  }
  phones: { user_id: number; number: string; shown_to: PhoneAudience; updated_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends RollCallTables {}
}

export const rollCallMigrations: Migrations = {
  'roll-calls 1': ({ id }) => [
    `create table roll_calls (
      id ${id}, title text not null, is_drill integer not null, group_id bigint,
      started_by bigint references users (id) on delete set null, started_at text not null, ended_at text)`,
    // One at a time for the same people.
    'create unique index roll_calls_open on roll_calls (coalesce(group_id, 0)) where ended_at is null',
    'create index roll_calls_group on roll_calls (group_id) where group_id is not null',
    'create index roll_calls_starter on roll_calls (started_by) where started_by is not null',
    'create index roll_calls_ended on roll_calls (ended_at)',
    `create table roll_call_members (
      roll_call_id bigint not null references roll_calls (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      position bigint not null, answer_id bigint, primary key (roll_call_id, user_id))`,
    'create index roll_call_members_board on roll_call_members (roll_call_id, position)',
    'create index roll_call_members_user on roll_call_members (user_id, roll_call_id)',
    `create table roll_call_answers (
      id ${id}, roll_call_id bigint not null references roll_calls (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, state text not null, words text,
      place text, answered_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index roll_call_answers_person on roll_call_answers (roll_call_id, user_id, id)',
    'create index roll_call_answers_user on roll_call_answers (user_id, id)',
    `create index roll_call_answers_by on roll_call_answers (answered_by, id)
      where answered_by is not null`,
    `create table phones (
      user_id bigint primary key references users (id) on delete cascade, number text not null,
      shown_to text not null, updated_at text not null)`,
  ],
}
