import type { Generated } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { Migrations, Tx } from '#core/database/database.ts'
import { createSalt, hashWithSalt } from '#features/people/passwords.ts'
import type { MessageChoice } from './deletion-contract.ts'

export interface AccountTables {
  /**
   * A change of an e-mail address. Until it is verified, the account keeps its old address. The row stays for
   * a week after that, so that the owner of the old address can undo the change.
   */
  email_changes: {
    id: Generated<number>
    user_id: number
    old_email: string
    new_email: string
    /** SHA-256 of the token in the mail to the new address. */
    token_hash: string
    /** SHA-256 of the token in the mail to the old address; null until the change is verified. */
    undo_token_hash: string | null
    created_at: string
    verified_at: string | null
  }
  /** Codes that the owner keeps for the day when nothing else opens the account. A used code has no row. */
  recovery_codes: {
    user_id: number
    /** See `hashRecoveryCode`. */
    code_hash: string
    /** The same random salt for all codes of a member, in base64. */
    salt: string
    created_at: string
  }
  /** The secrets of authenticator apps. */
  one_time_secrets: {
    user_id: number
    /** Encrypted: see `encryptSecret`. */
    secret: string
    /** The interval of the code that was used last; no code of it or of an earlier one works again. */
    last_counter: number
    /** Null until the member has entered a code. The second step is on from then. */
    confirmed_at: string | null
    created_at: string
  }
  /** Log-ins whose password was right and which wait for the second step. They expire after ten minutes. */
  log_in_challenges: {
    /** SHA-256 of the session cookie's value. There is no session yet. */
    session_hash: string
    user_id: number
    created_at: string
  }
  /** Links and codes that set a new password. They are valid for half an hour. */
  password_resets: {
    /** SHA-256 of the link's token, or `hashCode` of the code. */
    token_hash: string
    user_id: number
    /** A link that was mailed, or a code that an admin gives to the member. */
    kind: 'mail' | 'code'
    created_at: string
    /** When it was used, or became invalid because another one was used. */
    ended_at: string | null
  }
  /** A public key of a device with which a member logs in (WebAuthn). */
  passkeys: {
    id: Generated<number>
    user_id: number
    /** The id that the authenticator gave the key, in base64url. */
    credential_id: string
    /** COSE key (RFC 9052) in base64url. */
    public_key: string
    /** The number of signatures by the last one's own count; always 0 for devices that do not count. */
    counter: number
    /** How a browser reaches the authenticator, such as `internal` or `usb`, separated by spaces. */
    transports: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  /** A random value that a passkey has to sign once, within five minutes. */
  passkey_challenges: {
    /** SHA-256 of the session cookie that asked for it, of a member or a visitor. */
    session_hash: string
    challenge: string
    purpose: 'register' | 'log_in' | 'second_step' | 'confirm'
    created_at: string
  }
  /**
   * Accounts that will be deleted. The row is deleted with the account, or when somebody takes the request
   * back.
   */
  account_deletions: {
    user_id: number
    /** Whether messages to others stay without the author's name, or are deleted too. */
    messages: MessageChoice
    /** The member, or the admin who requested it; null if the account of that admin is deleted. */
    requested_by: number | null
    /** The language of the mail that says that the account is deleted. */
    lang: Language
    created_at: string
    due_at: string
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends AccountTables {}
}

/**
 * Gives the recovery codes that were stored as SHA-256 a salt and a slow hash, of that SHA-256. So the codes
 * that members have written down keep working. Their number is small: no release had codes without a salt.
 */
async function hashRecoveryCodes(tx: Tx) {
  const salts = new Map<number, string>()
  const rows = await tx.selectFrom('recovery_codes').select(['user_id', 'code_hash']).execute()
  for (const { user_id, code_hash } of rows) {
    const salt = salts.get(user_id) ?? createSalt()
    salts.set(user_id, salt)
    await tx
      .updateTable('recovery_codes')
      .set({ salt, code_hash: await hashWithSalt(code_hash, salt, '') })
      .where('user_id', '=', user_id)
      .where('code_hash', '=', code_hash)
      .execute()
  }
}

export const migrations: Migrations = {
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
      id ${id}, user_id bigint not null references users (id) on delete cascade, credential_id text not null unique,
      public_key text not null, counter bigint not null, transports text not null, name text not null,
      created_at text not null, last_used_at text)`,
    'create index passkeys_user on passkeys (user_id, id)',
    `create table passkey_challenges (
      session_hash text not null, challenge text not null, purpose text not null, created_at text not null,
      primary key (session_hash, challenge))`,
    'create index passkey_challenges_created on passkey_challenges (created_at)',
  ],
  'account 3': () => [
    `alter table recovery_codes add column salt text not null default ''`,
    hashRecoveryCodes,
  ],
}
