import type { Generated } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { MigrationsByName, Tx } from '#core/database/database.ts'
import { moveSuspensionsToDeletionSuspensions } from '#features/people/deletion-suspensions.ts'
import { createRecoveryCodeSalt, hashSecretWithSalt } from '#features/people/passwords.ts'
import type { KeepOrDeleteMessages } from './deletion-contract.ts'

export interface AccountTables {
  /**
   * The changes of e-mail addresses. Until a change is verified, the account keeps its old address. If the
   * old address was verified, the row then stays for a week, so that the owner of the old address can undo
   * the change. The row also stays for a week if the account had no address before (see
   * `removeEmailAddressFirstAddedInLastWeek`). In other cases the row is deleted when the change is verified.
   */
  email_changes: {
    id: Generated<number>
    user_id: number
    /** The e-mail address before the change; null if the account had no address. */
    old_email: string | null
    new_email: string
    /** The SHA-256 of the token in the mail to the new e-mail address. */
    token_hash: string
    /**
     * The SHA-256 of the token in the mail to the old e-mail address. Null until the change is verified, and
     * if nobody can undo the change.
     */
    undo_token_hash: string | null
    created_at: string
    verified_at: string | null
  }
  /**
   * The recovery codes of members. A recovery code sets a new password or, if the account has a second step,
   * replaces a one-time code. The row is deleted when the code is used.
   */
  recovery_codes: {
    user_id: number
    /** See `hashRecoveryCode`. */
    code_hash: string
    /** The random salt of the hash, in base64. It is the same for all recovery codes of a member. */
    salt: string
    created_at: string
  }
  /** The secrets of authenticator apps, at most one for each account. */
  one_time_secrets: {
    user_id: number
    /** The secret of the authenticator app, encrypted by `encryptSecret`. */
    secret: string
    /**
     * The number of the time interval to which the last used code belongs. That code and earlier ones are not
     * accepted again.
     */
    last_counter: number
    /**
     * The time when the member confirmed the secret with a code, which turned the second step on; null before
     * that.
     */
    confirmed_at: string | null
    created_at: string
  }
  /**
   * The log-ins whose password was right and which wait for the second step. They expire after ten minutes.
   */
  log_in_challenges: {
    /**
     * SHA-256 of the session cookie's value, which identifies the browser. The browser is not logged in yet.
     */
    session_hash: string
    user_id: number
    created_at: string
  }
  /**
   * The numbers of failed second steps of accounts. A row counts the wrong codes and passkeys of an account
   * in the day after the first one.
   */
  second_step_failures: {
    user_id: number
    count: number
    /** The time of the first failure that is counted. A day later, the count begins again. */
    began_at: string
    /**
     * The time of the failure that stopped the second step; null if the second step is not stopped. The
     * row of a stopped second step stays until the owner, an admin or the operator acts.
     */
    stopped_at: string | null
  }
  /** The links and codes that set a new password. They are valid for half an hour. */
  password_resets: {
    /** The SHA-256 of the link's token, or the result of `hashTypedCodeWithAccountId` for a code. */
    token_hash: string
    user_id: number
    /**
     * The kind of the row: `mail` for a link that was mailed, `code` for a code that an admin gives to the
     * member.
     */
    kind: 'mail' | 'code'
    created_at: string
    /**
     * The time when the link or code was used, or was made invalid, for example because another one was used;
     * null if it is still open.
     */
    ended_at: string | null
  }
  /**
   * The passkeys of members. A row has the public key of a passkey, which is on a device of the member
   * (WebAuthn).
   */
  passkeys: {
    id: Generated<number>
    user_id: number
    /** The credential id that the authenticator gave the passkey, in base64url. */
    credential_id: string
    /** The public key of the passkey: a COSE key (RFC 9052) in base64url. */
    public_key: string
    /**
     * The number of signatures that the device has counted at the last use; always 0 for devices that do not
     * count.
     */
    counter: number
    /**
     * The ways in which a browser reaches the authenticator of the passkey, such as `internal` or `usb`,
     * separated by spaces.
     */
    transports: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  /**
   * The challenges of passkeys. A challenge is a random value that a passkey has to sign once, within five
   * minutes.
   */
  passkey_challenges: {
    /**
     * The SHA-256 of the session cookie of the browser that asked for the challenge, whether or not the
     * browser is logged in.
     */
    session_hash: string
    challenge: string
    purpose: 'register' | 'log_in' | 'second_step' | 'confirm'
    created_at: string
  }
  /**
   * The device links. A device link logs its member in on another device. Each member has at most one, which
   * ends after five minutes.
   */
  device_links: {
    user_id: number
    /** The SHA-256 of the token in the link. */
    token_hash: string
    /**
     * The hash of the session that created the link. The database deletes the row when that session is
     * deleted.
     */
    session_hash: string
    created_at: string
    used_at: string | null
  }
  /**
   * The requests to delete accounts. A row is deleted with its account, or when somebody cancels the request.
   */
  account_deletions: {
    user_id: number
    /**
     * Whether the deletion of the account deletes the messages that the member has sent, or keeps them
     * without the author's name.
     */
    messages: KeepOrDeleteMessages
    /**
     * The id of the person who requested the deletion: the member, or an admin; null if that admin's account
     * is deleted.
     */
    requested_by: number | null
    /**
     * The language of the mail that later tells the member that the account is deleted, or that an admin has
     * cancelled the deletion.
     */
    lang: Language
    created_at: string
    due_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AccountTables {}
}

/**
 * Changes the stored recovery codes that are a SHA-256 without a salt: hashes each SHA-256 again, with a salt
 * and the slow hash. So the codes that members have written down still work. There are few such codes,
 * because no release stored codes without a salt.
 */
async function hashRecoveryCodes(tx: Tx) {
  const salts = new Map<number, string>()
  const rows = await tx.selectFrom('recovery_codes').select(['user_id', 'code_hash']).execute()
  for (const { user_id, code_hash } of rows) {
    const salt = salts.get(user_id) ?? createRecoveryCodeSalt()
    salts.set(user_id, salt)
    await tx
      .updateTable('recovery_codes')
      .set({ salt, code_hash: await hashSecretWithSalt(code_hash, salt, '') })
      .where('user_id', '=', user_id)
      .where('code_hash', '=', code_hash)
      .execute()
  }
}

/**
 * Moves the suspensions that began when an admin requested the deletion of the account to the table
 * `deletion_suspensions`.
 */
async function moveSuspensionsUntilDeletion(tx: Tx) {
  const requestedByAdmins = await tx
    .selectFrom('account_deletions')
    .select(['user_id', 'created_at as requested_at'])
    .where((q) => q.or([q('requested_by', 'is', null), q('requested_by', '!=', q.ref('user_id'))]))
    .execute()
  await moveSuspensionsToDeletionSuspensions(tx, requestedByAdmins)
}

export const accountMigrations: MigrationsByName = {
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
  'account deletion 2': () => [moveSuspensionsUntilDeletion],
}
