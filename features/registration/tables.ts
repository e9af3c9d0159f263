import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface RegistrationTables {
  /** People may register with them even if not everybody may. */
  invitations: {
    id: Generated<number>
    /** SHA-256, so that nobody can register with a copy of the database. */
    code_hash: string
    /** Only its maker and admins see it. */
    note: string | null
    /** `uses` accounts of at most so many have been created with it. */
    max_uses: number
    uses: Generated<number>
    /** Null after that member's account has been deleted. */
    created_by: number | null
    /**
     * Each right has its own limits, and each use checks that the maker still has it. The operator, without
     * an account, always has it.
     */
    made_as: Generated<'admin' | 'member' | 'operator'>
    /** People who register are added to it; null for no group. */
    group_id: Generated<number | null>
    created_at: string
    expires_at: string
    /** When the maker or an admin ended it early; null otherwise. */
    ended_at: string | null
  }
  /** One row for each member who has registered with one. */
  invitation_uses: { user_id: number; invitation_id: number; created_at: string }
  /** From people without an account; an admin decides. */
  join_requests: {
    id: Generated<number>
    /** SHA-256 of the token with which the browser reads the state. */
    token_hash: string
    /** SHA-256 of the token in the mail. */
    mail_token_hash: string
    name: string
    reading: Generated<string | null>
    email: string
    /** See `foldCaseAndWidth`. */
    email_key: string
    password_hash: string
    /** Null if it was the standard question. */
    question: string | null
    answer: string
    /** Used for the mails. */
    lang: string
    created_at: string
    /** When the link of the mail was opened. Stays null without a mail server. */
    verified_at: string | null
    /** SHA-256 of the session token of the browser that sent it, also a visitor's. */
    browser_hash: Generated<string | null>
    /** When that browser opened the link; null if only others have. */
    proven_at: Generated<string | null>
    /** When the admins could see it: verified or, without a mail server, made. Null before that. */
    entered_at: string | null
    /** When the admins got a mail about it. */
    announced_at: string | null
  }
  /** Without the data that the people gave. Kept for thirty days. */
  join_decisions: {
    request_id: number
    token_hash: string
    mail_token_hash: string
    decision: 'approved' | 'refused'
    /** Null after the account of that admin has been deleted. */
    decided_by: number | null
    decided_at: string
    /** `salt` belongs to the hash of the reason in the audit log. */
    reason: Generated<string | null>
    salt: Generated<string | null>
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends RegistrationTables {}
}

export const registrationMigrations: Migrations = {
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
  // Invitations of members stay valid if their maker is no longer an admin but the setting lets members
  // invite.
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
  'registration readings 1': () => ['alter table join_requests add column reading text'],
}
