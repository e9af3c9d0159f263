import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface RegistrationTables {
  /** The invitations: links and codes with which people may register even if not everybody may. */
  invitations: {
    id: Generated<number>
    /** The SHA-256 of the invitation code, so that nobody can register with a copy of the database. */
    code_hash: string
    /** A note about the purpose of the invitation; only its maker and admins see it. */
    note: string | null
    /**
     * The maximum number of accounts that may be created with the invitation. `uses` is the number of
     * accounts that have been created with it.
     */
    max_uses: number
    uses: Generated<number>
    /** The id of the member who made the invitation; null after that member's account has been deleted. */
    created_by: number | null
    /**
     * The right with which the invitation was made. Each right has its own limits, and each use of the
     * invitation checks that its maker still has the right. The operator (who has no account, so that
     * `created_by` is null) always has it.
     */
    made_as: Generated<'admin' | 'member' | 'operator'>
    /** The id of the group to which people are added who register with the invitation; null for no group. */
    group_id: Generated<number | null>
    created_at: string
    expires_at: string
    /** The time at which the maker of the invitation or an admin ended it early; null otherwise. */
    ended_at: string | null
  }
  /** The uses of invitations: one row for each member who has registered with an invitation. */
  invitation_uses: { user_id: number; invitation_id: number; created_at: string }
  /** The requests to join. They are from people who have no account, and an admin decides about them. */
  join_requests: {
    id: Generated<number>
    /** The SHA-256 of the token with which the browser reads the state of the request. */
    token_hash: string
    /** The SHA-256 of the token in the mail, which verifies the e-mail address. */
    mail_token_hash: string
    name: string
    email: string
    /**
     * The e-mail address as `foldCaseAndWidth` returns it, so that the same address is found however it is
     * written.
     */
    email_key: string
    password_hash: string
    /** The question of the community that the person has answered; null if it was the standard question. */
    question: string | null
    answer: string
    /** The language of the person, in which the mails about the request are written. */
    lang: string
    created_at: string
    /**
     * The time when the person confirmed the e-mail address with the link of the mail. Stays null without a
     * mail server.
     */
    verified_at: string | null
    /** The SHA-256 of the session token of the browser that has sent the request, also of a visitor's. */
    browser_hash: Generated<string | null>
    /** The time when that browser opened the link of the mail; null if only other browsers have opened it. */
    proven_at: Generated<string | null>
    /**
     * The time when the request became visible to the admins: when the address was verified or, without a
     * mail server, when the request was made. Null before that.
     */
    entered_at: string | null
    /** The time when the admins got a mail about the request; null before that. */
    announced_at: string | null
  }
  /**
   * The decisions of admins about requests to join, without the data that the people gave. Kept for thirty
   * days.
   */
  join_decisions: {
    request_id: number
    token_hash: string
    mail_token_hash: string
    decision: 'approved' | 'refused'
    /** The id of the admin who decided; null after the account of that admin has been deleted. */
    decided_by: number | null
    decided_at: string
    /**
     * The reason of a refusal; null without a reason. `salt` is the salt of the reason's hash in the audit
     * log.
     */
    reason: Generated<string | null>
    salt: Generated<string | null>
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends RegistrationTables {}
}

export const registrationMigrations: MigrationsByName = {
  'registration 1': ({ id }) => [
    `create table invitations (
      id ${id}, code_hash text not null unique, note text, max_uses integer not null,
      uses integer not null default 0, created_by bigint references users (id) on delete set null,
      created_at text not null, expires_at text not null, ended_at text)`,
    'create index invitations_creator on invitations (created_by) where created_by is not null',
    `create table invitation_uses (
      user_id bigint primary key references users (id) on delete cascade,
      invitation_id bigint not null references invitations (id) on delete cascade, created_at text not null)`,
    'create index invitation_uses_invitation on invitation_uses (invitation_id, user_id)',
  ],
  'registration 2': ({ id }) => [
    `create table join_requests (
      id ${id}, token_hash text not null unique, mail_token_hash text not null unique, name text not null,
      email text not null, email_key text not null, password_hash text not null, question text,
      answer text not null, lang text not null, created_at text not null, verified_at text, entered_at text,
      announced_at text)`,
    'create index join_requests_email on join_requests (email_key, created_at)',
    'create index join_requests_waiting on join_requests (id) where entered_at is not null',
    `create table join_decisions (
      request_id bigint primary key, token_hash text not null unique, mail_token_hash text not null unique,
      decision text not null, decided_by bigint references users (id) on delete set null,
      decided_at text not null)`,
    'create index join_decisions_admin on join_decisions (decided_by) where decided_by is not null',
  ],
  'registration 3': () => ['alter table invitations add column group_id bigint'],
  // Sets `made_as` to `member` for the existing invitations that a member could have made, so that they stay
  // valid if their maker is no longer an admin but the setting lets members invite.
  'registration 4': () => [
    "alter table invitations add column made_as text not null default 'admin'",
    "update invitations set made_as = 'member' where max_uses <= 10 and group_id is null",
  ],
  'registration 5': () => [
    'alter table join_decisions add column reason text',
    'alter table join_decisions add column salt text',
  ],
  'registration 6': () => [
    'alter table join_requests add column browser_hash text',
    'alter table join_requests add column proven_at text',
  ],
}
