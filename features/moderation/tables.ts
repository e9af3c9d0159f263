import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'
import { messageIdsWithChatMemberIdsSqlQuery } from '#features/chat/tables.ts'
import type { ModerationDecisionAction, ReportReason, ReportSubjectKind } from './contract.ts'

export interface ModerationTables {
  /**
   * The moderation cases. A case has all reports of one post, reply, message or member until moderators
   * decide about them.
   */
  report_cases: {
    id: Generated<number>
    kind: ReportSubjectKind
    /** The id of the reported post, reply, message or member. */
    subject_id: number
    /** The member whom the reports concern: the author of the reported content, or the reported member. */
    author_id: number
    /** The kind of chat that the reported message is in; null for posts, replies and members. */
    chat: 'private' | 'group' | null
    /**
     * The reported content as the first reporter saw it, as JSON: an array of `StoredModerationEvidenceItem`.
     * Null from ninety days after the decision.
     */
    evidence: string | null
    created_at: string
    closed_at: string | null
    /** The action of the newest decision about the case; null while the case is open. */
    outcome: ModerationDecisionAction | null
  }
  reports: {
    id: Generated<number>
    case_id: number
    reporter_id: number
    reason: ReportReason
    note: string | null
    created_at: string
  }
  /**
   * The decisions of moderators about cases. `moderator_id` becomes null when the account of the moderator is
   * deleted.
   */
  case_decisions: {
    id: Generated<number>
    case_id: number
    moderator_id: number | null
    action: ModerationDecisionAction
    note: string
    /** A random text that is hashed together with the note of the decision. The audit log has the hash. */
    salt: string
    created_at: string
  }
  /**
   * Which moderator has opened the evidence of which case from a private chat: see
   * `readModerationEvidenceWithAccessState`. `is_alone` is 1 if no other moderator could open the evidence at
   * that moment, otherwise 0.
   */
  evidence_openings: { case_id: number; moderator_id: number; created_at: string; is_alone: 0 | 1 }
  /**
   * The two people of the private chat that a reported message is in. They may not open the evidence, not
   * even after the message itself was removed because of its age.
   */
  case_parties: { case_id: number; user_id: number }
  /** The notices of moderators to members, which they see at the next visit and have to acknowledge. */
  moderation_notices: {
    id: Generated<number>
    user_id: number
    action: ModerationDecisionAction
    kind: ReportSubjectKind
    /**
     * The beginning of the post, the reply, the message or the text of the profile. Null if that text is
     * empty, for a message of a private chat, and from ninety days after the member has acknowledged the
     * notice.
     */
    excerpt: string | null
    note: string
    created_at: string
    acknowledged_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ModerationTables {}
}

export const moderationMigrations: MigrationsByName = {
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
      join (${messageIdsWithChatMemberIdsSqlQuery}) p on p.message_id = c.subject_id
      where c.chat = 'private' on conflict do nothing`,
    'drop index report_cases_private',
    `create index moderation_notices_excerpt on moderation_notices (acknowledged_at) where excerpt is not null`,
  ],
}
