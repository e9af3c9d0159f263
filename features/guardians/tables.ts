import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'
import type { AttemptKind, NoticeAboutChildKind } from './contract.ts'

export interface GuardianTables {
  /**
   * The guardians of children, one row for each child and guardian. A child has one or two guardians when an
   * admin marks the account. `seen_at` is the time when the guardian last opened the page of guardians; null
   * if the guardian has not opened it as a guardian of this child.
   */
  guardians: { child_id: number; guardian_id: number; seen_at: string | null; created_at: string }
  /**
   * The requests for contacts of a child, and the decisions of its guardians. A row with the state
   * `requested` waits for a decision. A member of a common group and a guardian may have contact without a
   * row. The rows stay for a year after the mark of the child has ended, so that a new mark does not allow a
   * person whom a guardian has refused.
   */
  child_contacts: {
    child_id: number
    person_id: number
    state: 'requested' | 'allowed' | 'refused'
    /**
     * The id of the child or the person who asked for the contact. Null if neither asked, because the two
     * already had contact.
     */
    asked_by: Generated<number | null>
    /** The time when somebody asked for the contact. If nobody asked, the time when the row was inserted. */
    asked_at: string
    /**
     * The id of the guardian who decided about the contact. Null before a decision, for contacts that were
     * allowed because they existed before the account became a child's, and after the account of the guardian
     * was deleted.
     */
    decided_by: Generated<number | null>
    decided_at: Generated<string | null>
    /**
     * The time when the hourly clean-up noticed that the account is no longer a child's. Null while the
     * account is a child's.
     */
    unmarked_at: Generated<string | null>
  }
  /** The notices for the guardians of a child: what the community told the child, or did to it. */
  child_notices: {
    id: Generated<number>
    child_id: number
    kind: NoticeAboutChildKind
    /**
     * The text of the notice: the note of a moderator, the reason of a suspension, or the name of a group.
     */
    text: string | null
    /**
     * The end of the suspension that the notice is about; null for other notices, and for a suspension
     * without end.
     */
    ends_at: string | null
    created_at: string
  }
  /**
   * What a child and a person whom its guardian has refused tried to bring to each other: one row for each
   * kind and `actor_id`, which is one of the two. It has no words and no place.
   */
  child_attempts: {
    child_id: number
    person_id: number
    actor_id: number
    kind: AttemptKind
    count: number
    last_at: string
  }
  /**
   * The mails to guardians, one row for each guardian. `next_at` is the earliest time of the next mail, and
   * `is_waiting` is 1 while a job that sends this mail is enqueued.
   */
  guardian_mails: { user_id: number; next_at: string; is_waiting: 0 | 1 }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends GuardianTables {}
}

export const guardiansMigrations: MigrationsByName = {
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
}
