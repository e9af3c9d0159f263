import type { Generated } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { Migrations, Tx } from '#core/database/database.ts'
import { moveSuspensions } from '#features/people/deletion-suspensions.ts'
import { createSalt, hashSecret } from '#features/people/passwords.ts'
import type { MessagesChoice } from './contract.ts'

export interface AccountTables {
  /**
   * Until a change is verified, the account keeps its old address. If that was verified, the row then stays
   * for a week, so that its owner can undo the change; also if there was no address before (see
   * `emailChanges.removeFirstEmail`). Otherwise the row is deleted when the change is verified.
   */
  email_changes: {
    id: Generated<number>
    user_id: number
    old_email: string | null
    new_email: string
    /** SHA-256 of the token in the mail to the new address. */
    token_hash: string
    /** SHA-256 of the token to the old address. Null until verified, and if nobody can undo the change. */
    undo_token_hash: string | null
    created_at: string
    verified_at: string | null
  }
  /** A code sets a new password or, with a second step, replaces a one-time code. Deleted when used. */
  recovery_codes: {
    user_id: number
    /** See `recoveryCodes.hash`. */
    code_hash: string
    /** In base64; the same for all codes of a member. */
    salt: string
    created_at: string
  }
  /** At most one for each account. */
  one_time_secrets: {
    user_id: number
    /** Encrypted by `encryptSecret`. */
    secret: string
    /** The interval of the last used code. That code and earlier ones are not accepted again. */
    last_counter: number
    /** When a code turned the second step on. */
    confirmed_at: string | null
    created_at: string
  }
  /** The password was right; they wait for the second step, for ten minutes. */
  log_in_challenges: {
    /** SHA-256 of the session cookie. This browser is not logged in yet. */
    session_hash: string
    user_id: number
    created_at: string
  }
  /** Wrong codes and passkeys in the day after the first one. */
  second_step_failures: {
    user_id: number
    count: number
    /** The first failure that counts. A day later, the count begins again. */
    began_at: string
    /** A stopped second step keeps its row until the owner, an admin or the operator acts. */
    stopped_at: string | null
  }
  /** Links and codes, valid for half an hour. */
  password_resets: {
    /** SHA-256 of the link's token, or `hashTypedCode` of a code. */
    token_hash: string
    user_id: number
    /** `mail` for a link, `code` for a code that an admin gives. */
    kind: 'mail' | 'code'
    created_at: string
    /** When it was used or made invalid, for example by another one; null if open. */
    ended_at: string | null
  }
  /** The public keys of passkeys (WebAuthn). */
  passkeys: {
    id: Generated<number>
    user_id: number
    /** In base64url. */
    credential_id: string
    /** A COSE key (RFC 9052) in base64url. */
    public_key: string
    /** Signatures at the last use; always 0 for devices that do not count. */
    counter: number
    /** Such as `internal` or `usb`, separated by spaces. */
    transports: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  /** Random values, each to be signed once, within five minutes. */
  passkey_challenges: {
    /** SHA-256 of the session cookie, logged in or not. */
    session_hash: string
    challenge: string
    purpose: 'register' | 'log_in' | 'second_step' | 'confirm'
    created_at: string
  }
  /** Each logs its member in on another device. At most one a member; ends after five minutes. */
  device_links: {
    user_id: number
    /** SHA-256 of the token in the link. */
    token_hash: string
    /** The session that created it; the database deletes the row with that session. */
    session_hash: string
    created_at: string
    used_at: string | null
  }
  /** Deleted with the account, or when somebody cancels the request. */
  account_deletions: {
    user_id: number
    messages: MessagesChoice
    /** The member or an admin; null if that admin's account is deleted. */
    requested_by: number | null
    /** For the later mail that the account is deleted, or that an admin has cancelled the deletion. */
    lang: Language
    created_at: string
    due_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AccountTables {}
}

/**
 * Hashes each unsalted SHA-256 again, with a salt and the slow hash, so that written codes still work. They
 * are few, because no release stored codes without a salt.
 */
async function hashRecoveryCodes(tx: Tx) {
  const salts = new Map<number, string>()
  const rows = await tx.selectFrom('recovery_codes').select(['user_id', 'code_hash']).execute()
  for (const { user_id, code_hash } of rows) {
    const salt = salts.get(user_id) ?? createSalt()
    salts.set(user_id, salt)
    await tx
      .updateTable('recovery_codes')
      .set({ salt, code_hash: await hashSecret(code_hash, salt, '') })
      .where('user_id', '=', user_id)
      .where('code_hash', '=', code_hash)
      .execute()
  }
}

async function moveForDeletions(tx: Tx) {
  const requestedByAdmins = await tx
    .selectFrom('account_deletions')
    .select(['user_id', 'created_at as requested_at'])
    .where((q) => q.or([q('requested_by', 'is', null), q('requested_by', '!=', q.ref('user_id'))]))
    .execute()
  await moveSuspensions(tx, requestedByAdmins)
}

export const accountMigrations: Migrations = {
  'account deletion 1': () => [
    `create table account_deletions (
      user_id bigint primary key references users (id) on delete cascade, messages text not null,
      requested_by bigint references users (id) on delete set null, lang text not null,
      created_at text not null, due_at text not null)`,
  ],
  'account email 1': ({ id }) => [
    `create table email_changes (
      id ${id}, user_id bigint not null references users (id) on delete cascade, old_email text not null,
      new_email text not null, token_hash text not null unique, undo_token_hash text unique,
      created_at text not null, verified_at text)`,
    'create index email_changes_user on email_changes (user_id)',
    'create index email_changes_created on email_changes (created_at)',
  ],
  'account 1': () => [
    `create table recovery_codes (
      user_id bigint not null references users (id) on delete cascade, code_hash text not null,
      created_at text not null, primary key (user_id, code_hash))`,
  ],
  'account second step 1': () => [
    `create table one_time_secrets (
      user_id bigint primary key references users (id) on delete cascade, secret text not null,
      last_counter bigint not null, confirmed_at text, created_at text not null)`,
    `create table log_in_challenges (
      session_hash text primary key, user_id bigint not null references users (id) on delete cascade,
      created_at text not null)`,
    'create index log_in_challenges_user on log_in_challenges (user_id)',
    'create index log_in_challenges_created on log_in_challenges (created_at)',
  ],
  'account 2': () => [
    `create table password_resets (
      token_hash text primary key, user_id bigint not null references users (id) on delete cascade,
      kind text not null, created_at text not null, ended_at text)`,
    'create index password_resets_user on password_resets (user_id)',
    'create index password_resets_created on password_resets (created_at)',
  ],
  'account passkeys 1': ({ id }) => [
    `create table passkeys (
      id ${id}, user_id bigint not null references users (id) on delete cascade,
      credential_id text not null unique, public_key text not null,
      counter bigint not null, transports text not null, name text not null,
      created_at text not null, last_used_at text)`,
    'create index passkeys_user on passkeys (user_id, id)',
    `create table passkey_challenges (
      session_hash text not null, challenge text not null, purpose text not null, created_at text not null,
      primary key (session_hash, challenge))`,
    'create index passkey_challenges_created on passkey_challenges (created_at)',
  ],
  'account no email 1': () => ['alter table email_changes alter column old_email drop not null'],
  'account 3': () => [
    `alter table recovery_codes add column salt text not null default ''`,
    hashRecoveryCodes,
  ],
  'account device links 1': () => [
    `create table device_links (
      user_id bigint primary key references users (id) on delete cascade, token_hash text not null unique,
      session_hash text not null references sessions (token_hash) on delete cascade,
      created_at text not null, used_at text)`,
    'create index device_links_session on device_links (session_hash)',
    'create index device_links_created on device_links (created_at)',
  ],
  'account second step 2': () => [
    `create table second_step_failures (
      user_id bigint primary key references users (id) on delete cascade, count integer not null,
      began_at text not null, stopped_at text)`,
    'create index second_step_failures_began on second_step_failures (began_at) where stopped_at is null',
  ],
  'account deletion 2': () => [moveForDeletions],
}
