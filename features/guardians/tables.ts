import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { AttemptKind, ChildNoticeKind } from './contract.ts'

export interface GuardianTables {
  /** One or two for a child. `seen_at`: the last visit of the guardian's page; null before. */
  guardians: { child_id: number; guardian_id: number; seen_at: string | null; created_at: string }
  /**
   * The state `requested` waits for a decision. Members of a common group and guardians need no row. Rows
   * stay for a year after the mark, so that a new mark does not allow a person whom a guardian has refused.
   */
  child_contacts: {
    child_id: number
    person_id: number
    state: 'requested' | 'allowed' | 'refused'
    /** The child or the person. Null if neither asked, because the two already had contact. */
    asked_by: Generated<number | null>
    /** What the child asked for and has had no answer to; null if it did not ask, or was told. */
    child_wants: Generated<'contact' | 'follow' | null>
    /** If nobody asked, when the row was inserted. */
    asked_at: string
    /** A guardian. Null before a decision, for contacts from before the mark, and for deleted accounts. */
    decided_by: Generated<number | null>
    decided_at: Generated<string | null>
    /** When the hourly clean-up noticed the end of the mark; null before. */
    unmarked_at: Generated<string | null>
  }
  child_notices: {
    id: Generated<number>
    child_id: number
    kind: ChildNoticeKind
    /** The note of a moderator, the reason of a suspension, or the name of a group. */
    text: string | null
    /** The end of the suspension; null for other notices, and for a suspension without end. */
    ends_at: string | null
    created_at: string
  }
  /**
   * Held back between a child and a person whom its guardian has refused: a row for each kind and `actor_id`,
   * which is one of the two. No words and no place.
   */
  child_attempts: {
    child_id: number
    person_id: number
    actor_id: number
    kind: AttemptKind
    count: number
    last_at: string
  }
  /** `next_at`: not before this time. `is_waiting` is 1 while a job that sends the mail is enqueued. */
  guardian_mails: { user_id: number; next_at: string; is_waiting: 0 | 1 }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends GuardianTables {}
}

export const guardianMigrations: Migrations = {
  'guardians 1': ({ id }) => [
    `create table guardians (
      child_id bigint not null references children (user_id) on delete cascade,
      guardian_id bigint not null references users (id) on delete cascade,
      seen_at text, created_at text not null, primary key (child_id, guardian_id))`,
    'create index guardians_guardian on guardians (guardian_id, child_id)',
    `create table child_contacts (
      child_id bigint not null references users (id) on delete cascade,
      person_id bigint not null references users (id) on delete cascade,
      state text not null, asked_by bigint references users (id) on delete set null, asked_at text not null,
      decided_by bigint references users (id) on delete set null, decided_at text, unmarked_at text,
      primary key (child_id, person_id))`,
    'create index child_contacts_person on child_contacts (person_id)',
    `create index child_contacts_requested on child_contacts (child_id, person_id) where state = 'requested'`,
    'create index child_contacts_asker on child_contacts (asked_by) where asked_by is not null',
    'create index child_contacts_decider on child_contacts (decided_by) where decided_by is not null',
    `create table child_notices (
      id ${id}, child_id bigint not null references children (user_id) on delete cascade, kind text not null,
      text text, ends_at text, created_at text not null)`,
    'create index child_notices_child on child_notices (child_id, id)',
    'create index child_notices_time on child_notices (created_at)',
    `create table guardian_mails (
      user_id bigint primary key references users (id) on delete cascade, next_at text not null,
      is_waiting integer not null)`,
  ],
  'guardians 2': () => [
    `create table child_attempts (
      child_id bigint not null references children (user_id) on delete cascade,
      person_id bigint not null references users (id) on delete cascade,
      actor_id bigint not null, kind text not null, count bigint not null, last_at text not null,
      primary key (child_id, person_id, actor_id, kind))`,
    'create index child_attempts_newest on child_attempts (child_id, last_at)',
    'create index child_attempts_person on child_attempts (person_id)',
    'create index child_attempts_time on child_attempts (last_at)',
  ],
  'guardians 3': () => [
    'alter table child_contacts add column child_wants text',
    `update child_contacts set child_wants = 'contact' where state = 'requested' and asked_by = child_id`,
  ],
}
