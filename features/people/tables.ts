import { type Generated, sql } from 'kysely'
import { foldNameForSearch, type Language } from '#core/contract.ts'
import type { Migrations, Tx } from '#core/database/database.ts'
import { suggestHandleBase, toNameSkeleton } from './handles.ts'

export type SecurityEventKind =
  | 'registered'
  | 'logged_in'
  | 'logged_in_with_passkey'
  | 'log_in_failed'
  | 'password_changed'
  | 'email_changed'
  | 'email_restored'
  | 'passkey_added'
  | 'passkey_removed'
  | 'session_ended'
  | 'recovery_codes_created'
  | 'recovery_code_used'
  | 'password_reset'
  | 'reset_code_created'
  | 'email_verified'
  | 'admin_granted'
  | 'admin_revoked'
  | 'second_step_added'
  | 'second_step_removed'
  | 'second_step_failed'
  | 'suspended'
  | 'unsuspended'
  | 'data_exported'
  | 'deletion_requested'
  | 'deletion_cancelled'

export interface PeopleTables {
  users: {
    id: Generated<number>
    name: string
    /** The name as searches compare it: see `foldNameForSearch`. */
    name_key: string
    /** The member's short, unique name, such as `aya2`. */
    handle: string
    /** The same text for all names that look alike: see `toNameSkeleton`. */
    name_skeleton: string
    /**
     * The same as `handle`, if another person has a name that looks alike; otherwise null. See
     * `updateSharedHandles`.
     */
    shared_handle: Generated<string | null>
    email: string
    /** The e-mail address folded, so that it has only one account, in whatever case it is written. */
    email_key: string
    password_hash: string
    bio: string | null
    /** The name of the profile image in `media`; null if the member has none. */
    image: string | null
    email_verified_at: string | null
    created_at: string
    /** A version number. Every change that others see (name, picture) raises it in the same statement. */
    revision: Generated<number>
    /**
     * When the account was deleted; null for a member. After the deletion the row has no name and no address.
     * It stays as the author of the messages that are left. See `createFormerMember`.
     */
    former_since: Generated<string | null>
  }
  /**
   * The admins. `granted_by` is null for the first account, for ADMIN_EMAIL and for the command line. It
   * becomes null when that admin's account is deleted.
   */
  admins: { user_id: number; granted_by: number | null; created_at: string }
  sessions: {
    /** SHA-256 of the cookie's value, so that nobody can log in with a copy of the database. */
    token_hash: string
    user_id: number
    created_at: string
    /** When the cookies were last sent. Cookies and session end thirty days later. */
    refreshed_at: string
    /** The browser and the system of the log-in, such as `Firefox · Linux`; null if unknown. */
    device: string | null
    /** The network from which the member logged in: see `toClientNetwork`. */
    network: string | null
    /** When the member last proved that it is them, by logging in or by `confirmSession`. */
    confirmed_at: string | null
    /** When a passkey was last used in this session, to log in or to confirm; null if none was. */
    passkey_used_at: string | null
  }
  /** Events that concern an account's security: see `SecurityEventKind`. Rows are kept for a year. */
  security_log: {
    id: Generated<number>
    user_id: number
    kind: SecurityEventKind
    /**
     * The admin who changed a right. Null if the member or the operator (command line, ADMIN_EMAIL) caused
     * the event.
     */
    actor_id: number | null
    /**
     * The network of a log-in or a failed log-in (see `toClientNetwork`); null for other events, and after
     * ninety days.
     */
    network: string | null
    created_at: string
  }
  /**
   * The language of a member's last log-in. It is a table of its own, because a change of `users` empties
   * many caches.
   */
  member_languages: { user_id: number; lang: Language }
  follows: { follower_id: number; followed_id: number; created_at: string }
  /** Former addresses of accounts, folded, which no other account may take until the time `until`. */
  reserved_emails: { email_key: string; user_id: number; until: string }
  /** One row for each block. The two people are hidden from each other: see `visibilityRules`. */
  blocks: { blocker_id: number; blocked_id: number; created_at: string }
  /** Suspended accounts cannot log in. `suspended_by` becomes null when that admin's account is deleted. */
  suspensions: { user_id: number; suspended_by: number | null; created_at: string }
}
declare module '#core/database/database.ts' {
  interface Tables extends PeopleTables {}
}

const BATCH_SIZE = 1000

/** Recomputes `name_key` of rows whose folded name has changed. */
async function foldNames(tx: Tx) {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string; name_key: string }>`
      select id, name, name_key from users where id > ${after} order by id limit ${BATCH_SIZE}`.execute(tx)
    for (const { id, name, name_key } of rows)
      if (name_key !== foldNameForSearch(name))
        await sql`update users set name_key = ${foldNameForSearch(name)} where id = ${id}`.execute(tx)
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/**
 * Gives a handle (`aya`, `aya2`, `aya3` …) and a skeleton to accounts that were created before handles
 * existed, in the order of their ids.
 */
async function fillHandles(tx: Tx) {
  const counters = new Map<string, number>()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from users where handle is null and id > ${after} order by id limit ${BATCH_SIZE}`.execute(
      tx,
    )
    for (const { id, name } of rows) {
      const handle = await nextHandle(tx, suggestHandleBase(name), counters)
      await sql`update users set handle = ${handle}, name_skeleton = ${toNameSkeleton(name)} where id = ${id}`.execute(
        tx,
      )
    }
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/** Returns the next free handle for `base`. `counters` stores the last number of each base. */
async function nextHandle(tx: Tx, base: string, counters: Map<string, number>) {
  for (;;) {
    const number = (counters.get(base) ?? 0) + 1
    counters.set(base, number)
    const handle = number === 1 ? base : `${base}${number}`
    const { rows } = await sql`select 1 from users where handle = ${handle}`.execute(tx)
    if (!rows.length) return handle
  }
}

export const migrations: Migrations = {
  'people 1': ({ id }) => [
    `create table users (
      id ${id}, name text not null, name_key text not null, email text not null, email_key text not null unique,
      password_hash text not null, bio text, image text references media (name), email_verified_at text, created_at text not null)`,
    'create index users_image on users (image) where image is not null',
    `create table admins (
      user_id bigint primary key references users (id) on delete cascade, granted_by bigint references users (id) on delete set null,
      created_at text not null)`,
    `create table sessions (
      token_hash text primary key, user_id bigint not null references users (id) on delete cascade,
      created_at text not null, refreshed_at text not null)`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_refreshed on sessions (refreshed_at)',
    `create table follows (
      follower_id bigint not null references users (id) on delete cascade, followed_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (follower_id, followed_id))`,
    'create index follows_followed on follows (followed_id, follower_id)',
  ],
  'people 2': () => [
    `create table suspensions (
      user_id bigint primary key references users (id) on delete cascade, suspended_by bigint references users (id) on delete set null,
      created_at text not null)`,
  ],
  'people 3': () => ['alter table users add column revision integer not null default 0'],
  'people 4': ({ id }) => [
    `create table security_log (
      id ${id}, user_id bigint not null references users (id) on delete cascade, kind text not null,
      actor_id bigint references users (id) on delete set null, network text, created_at text not null)`,
    'create index security_log_user on security_log (user_id, id)',
    'create index security_log_actor on security_log (actor_id) where actor_id is not null',
    'create index security_log_created on security_log (created_at)',
    'create index security_log_network on security_log (created_at) where network is not null',
  ],
  'people 5': () => [
    'alter table users add column handle text',
    'alter table users add column name_skeleton text',
    'create unique index users_handle on users (handle)',
    'create index users_skeleton on users (name_skeleton)',
    'create index users_unfilled on users (id) where handle is null',
  ],
  'people 6': () => [foldNames],
  'people 7': () => [fillHandles, 'drop index users_unfilled'],
  'people 8': () => [
    'alter table users add column shared_handle text',
    `update users set shared_handle = handle where exists (
      select 1 from users as other where other.name_skeleton = users.name_skeleton and other.id <> users.id)`,
  ],
  'people 9': () => [
    'alter table sessions add column device text',
    'alter table sessions add column network text',
    'alter table sessions add column confirmed_at text',
  ],
  'people 10': () => ['alter table users add column former_since text'],
  'people 11': () => ['alter table sessions add column passkey_used_at text'],
  'people 12': () => [
    `create table member_languages (
      user_id bigint primary key references users (id) on delete cascade, lang text not null)`,
  ],
  'people reserved emails 1': () => [
    `create table reserved_emails (
      email_key text primary key, user_id bigint not null references users (id) on delete cascade,
      until text not null)`,
    'create index reserved_emails_user on reserved_emails (user_id)',
    'create index reserved_emails_until on reserved_emails (until)',
  ],
  'people 13': () => [
    `create table blocks (
      blocker_id bigint not null references users (id) on delete cascade,
      blocked_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (blocker_id, blocked_id), check (blocker_id <> blocked_id))`,
    'create index blocks_blocked on blocks (blocked_id, blocker_id)',
  ],
}
