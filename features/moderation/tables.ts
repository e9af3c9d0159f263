import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import { messageReaders } from '#features/conversations/tables.ts'
import type { DecisionAction, ReportKind, ReportReason } from './contract.ts'

export interface ModerationTables {
  /** A case has all reports of one post, reply, message or member until moderators decide. */
  report_cases: {
    id: Generated<number>
    kind: ReportKind
    subject_id: number
    /** The author of the reported content, or the reported member. */
    author_id: number
    /** Null if no message was reported. */
    chat: 'private' | 'group' | null
    /** JSON, `StoredEvidence[]`. Null from 90 days after the decision. */
    evidence: string | null
    created_at: string
    closed_at: string | null
    /** The action of the newest decision; null while the case is open. */
    outcome: DecisionAction | null
  }
  reports: {
    id: Generated<number>
    case_id: number
    reporter_id: number
    reason: ReportReason
    note: string | null
    created_at: string
    /** When moderators got a mail about it; null before. */
    announced_at: Generated<string | null>
  }
  /** `moderator_id` becomes null when that account is deleted. */
  case_decisions: {
    id: Generated<number>
    case_id: number
    moderator_id: number | null
    action: DecisionAction
    note: string
    /** Random, hashed with the note of the decision. The audit log has the hash. */
    salt: string
    created_at: string
  }
  /**
   * Evidence from private chats: see `getEvidence`. `is_alone` is 1 if no other
   * moderator could open the evidence at that moment.
   */
  evidence_openings: { case_id: number; moderator_id: number; created_at: string; is_alone: 0 | 1 }
  /**
   * The two people of the chat of a reported message. They may not open the evidence, not even after the
   * message was removed because of its age.
   */
  case_parties: { case_id: number; user_id: number }
  /** Shown at the next visit until acknowledged. */
  moderation_notices: {
    id: Generated<number>
    user_id: number
    action: DecisionAction
    kind: ReportKind
    /** The text's beginning. Null if empty, for private chats, and 90 days after acknowledgement. */
    excerpt: string | null
    note: string
    created_at: string
    acknowledged_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ModerationTables {}
}

export const moderationMigrations: Migrations = {
  'moderation 1': ({ id }) => [
    `create table report_cases (
      id ${id}, kind text not null, subject_id bigint not null,
      author_id bigint not null references users (id) on delete cascade, chat text, evidence text,
      created_at text not null, closed_at text, outcome text)`,
    'create unique index report_cases_open on report_cases (kind, subject_id) where closed_at is null',
    'create index report_cases_author on report_cases (author_id)',
    'create index report_cases_closed on report_cases (closed_at) where evidence is not null',
    `create table reports (
      id ${id}, case_id bigint not null references report_cases (id) on delete cascade,
      reporter_id bigint not null references users (id) on delete cascade, reason text not null, note text,
      created_at text not null, unique (case_id, reporter_id))`,
    'create index reports_reporter on reports (reporter_id, id)',
    `create table case_decisions (
      id ${id}, case_id bigint not null references report_cases (id) on delete cascade,
      moderator_id bigint references users (id) on delete set null, action text not null, note text not null,
      created_at text not null)`,
    'create index case_decisions_case on case_decisions (case_id, id)',
    'create index case_decisions_moderator on case_decisions (moderator_id) where moderator_id is not null',
    `create table evidence_openings (
      case_id bigint not null references report_cases (id) on delete cascade,
      moderator_id bigint not null references users (id) on delete cascade, created_at text not null,
      primary key (case_id, moderator_id))`,
    'create index evidence_openings_moderator on evidence_openings (moderator_id)',
    `create table moderation_notices (
      id ${id}, user_id bigint not null references users (id) on delete cascade, action text not null,
      kind text not null, excerpt text, note text not null, created_at text not null, acknowledged_at text)`,
    'create index moderation_notices_user on moderation_notices (user_id, id)',
    'create index moderation_notices_open on moderation_notices (user_id) where acknowledged_at is null',
  ],
  'moderation 2': () => [
    'alter table evidence_openings add column is_alone integer not null default 0',
    `alter table case_decisions add column salt text not null default ''`,
  ],
  'moderation 3': () => [
    `create table case_parties (
      case_id bigint not null references report_cases (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, primary key (case_id, user_id))`,
    'create index case_parties_user on case_parties (user_id)',
    `create index report_cases_private on report_cases (subject_id) where chat = 'private'`,
  ],
  'moderation 4': () => [
    `insert into case_parties (case_id, user_id)
      select c.id, p.user_id from report_cases c
      join (${messageReaders}) p on p.message_id = c.subject_id
      where c.chat = 'private' on conflict do nothing`,
    'drop index report_cases_private',
    `create index moderation_notices_excerpt on moderation_notices (acknowledged_at) where excerpt is not null`,
  ],
  'moderation 5': () => [
    'alter table reports add column announced_at text',
    'update reports set announced_at = created_at',
    'create index reports_unannounced on reports (id) where announced_at is null',
  ],
}
