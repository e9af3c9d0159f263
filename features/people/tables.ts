import { type Generated, sql } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { MigrationsByName, Tx } from '#core/database/database.ts'
import { createSetMediaOwnersSql } from '#core/media/tables.ts'
import { foldNameForSearch } from '#core/unicode.ts'
import { suggestHandleFromName, toLookalikeNameSkeleton } from './handles.ts'
import type { SecurityEventKind } from './security-event-kinds.ts'

export interface PeopleTables {
  users: {
    id: Generated<number>
    name: string
    /** The name of the member, folded so that searches can compare it: see `foldNameForSearch`. */
    name_key: string
    /** The member's short, unique name, such as `aya2`. */
    handle: string
    /** The visual form of the name, equal for names that look alike: see `toLookalikeNameSkeleton`. */
    name_skeleton: string
    /**
     * The same text as `handle` if another person has a name that looks alike, so that pages show the handle;
     * otherwise null. See `updateShownHandlesOfLookalikeNames`.
     */
    shared_handle: Generated<string | null>
    /** The e-mail address; null for a member without one, who logs in with the handle. */
    email: string | null
    /** The folded e-mail address, so that an address has only one account. Null without an address. */
    email_key: string | null
    password_hash: string
    bio: string | null
    /** The name of the member's profile image in the table `media`; null if the member has none. */
    image: string | null
    email_verified_at: string | null
    /** When the owner of the address proved that the account is theirs too (see `proveEmail`); null before. */
    email_proven_at: Generated<string | null>
    created_at: string
    /**
     * A version number of the row. Every statement that changes what others see of the member (name, handle,
     * bio, picture) also increments this number.
     */
    revision: Generated<number>
    /**
     * The time when the account was deleted; null for a member. The row of a deleted account has no name and
     * no address. The row stays as the author of the messages that the account has left. See
     * `insertFormerMemberRowAndReturnId`.
     */
    former_since: Generated<string | null>
  }
  /**
   * The members who are admins. `granted_by` is the admin who made them one. It is null for the first
   * account, for ADMIN_EMAIL and the command line, and after the account of that admin is deleted.
   */
  admins: { user_id: number; granted_by: number | null; created_at: string }
  /** The moderators, whom admins appoint. `granted_by` becomes null when that admin's account is deleted. */
  moderators: { user_id: number; granted_by: number | null; created_at: string }
  sessions: {
    /** The SHA-256 hash of the cookie's value, so that nobody can log in with a copy of the database. */
    token_hash: string
    user_id: number
    created_at: string
    /**
     * The time when the session was last used and its cookies were sent. The session ends thirty days later.
     */
    refreshed_at: string
    /** The browser and the system of the log-in, such as `Firefox · Linux`; null if unknown. */
    device: string | null
    /** The network from which the member logged in, made from the IP address: see `toClientIpNetwork`. */
    network: string | null
    /**
     * The time when the member last proved their identity, by the log-in or by
     * `recordIdentityConfirmationOfSession`.
     */
    confirmed_at: string | null
    /**
     * The id of the passkey that was last used in this session, for the log-in or for a confirmation; null if
     * none was. The member may have removed the passkey since.
     */
    passkey_id: number | null
  }
  /** The security log of all accounts: see `SecurityEventKind`. Rows are kept for a year. */
  security_log: {
    id: Generated<number>
    user_id: number
    kind: SecurityEventKind
    /**
     * The id of the admin or moderator who caused the event. Null if the member or the operator (command
     * line, ADMIN_EMAIL) caused it.
     */
    actor_id: number | null
    /**
     * The network from which the member caused the event (see `toClientIpNetwork`), for example at a log-in.
     * Null if the caller did not pass it, for example for events that an admin caused, and after ninety
     * days.
     */
    network: string | null
    created_at: string
  }
  /** The language of each member at the last log-in, for mails and push messages that others cause. */
  member_languages: { user_id: number; lang: Language }
  follows: { follower_id: number; followed_id: number; created_at: string }
  /** Former e-mail addresses of accounts, folded, which no other account may take until the time `until`. */
  reserved_emails: { email_key: string; user_id: number; until: string }
  /**
   * The people whom members have blocked, one row for each block. A block hides the two people from each
   * other: see `personVisibilityRules`.
   */
  blocks: { blocker_id: number; blocked_id: number; created_at: string }
  /**
   * The people whom members have muted, one row for each mute. Many lists and the unread counts of
   * `muter_id` leave out what `muted_id` writes: see `buildNotMutedCondition`.
   */
  mutes: { muter_id: number; muted_id: number; created_at: string }
  /**
   * The members whom the admin or moderator `known_by` knows, so that the limits for new members do not apply
   * to them. `known_by` becomes null when the account of the admin or moderator is deleted.
   */
  known_members: { user_id: number; known_by: number | null; created_at: string }
  /** How many actions of a kind (see `NewMemberAction`) a new member has done since `started_at`. */
  new_member_counts: { user_id: number; kind: string; started_at: string; count: number }
  /**
   * The suspensions of members. `suspended_by` is the admin or moderator who suspended the member; null after
   * that account is deleted. A job ends the suspension at `ends_at`; null if only an admin ends it.
   */
  suspensions: {
    user_id: number
    suspended_by: number | null
    created_at: string
    ends_at: string | null
    /** The reason, from the decision about a report, that the member reads; null without a report. */
    reason: string | null
  }
  /** The members who are suspended because an admin has requested the deletion of their accounts. */
  deletion_suspensions: { user_id: number; suspended_by: number | null; created_at: string }
  /** The accounts of children. From the local day `ends_on` (YYYY-MM-DD) on, the account is not a child's. */
  children: { user_id: number; ends_on: string; created_by: number | null; created_at: string }
  /** The example members: invented people with whom an admin has filled the community. */
  example_members: { user_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends PeopleTables {}
}

const BATCH_SIZE = 1000

/** Recomputes the column `name_key` of accounts whose name is folded in another way than before. */
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

/** Gives a handle and a name skeleton to accounts that are older than handles, in the order of their ids. */
async function fillHandles(tx: Tx) {
  const counters = new Map<string, number>()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from users where handle is null and id > ${after}
      order by id limit ${BATCH_SIZE}`.execute(tx)
    for (const { id, name } of rows) {
      const handle = await nextHandle(tx, suggestHandleFromName(name), counters)
      await sql`update users set handle = ${handle}, name_skeleton = ${toLookalikeNameSkeleton(name)} where id = ${id}`.execute(
        tx,
      )
    }
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/** Returns the next free handle: `base` and a number. `counters` has the last number tried for each base. */
async function nextHandle(tx: Tx, base: string, counters: Map<string, number>) {
  for (;;) {
    const number = (counters.get(base) ?? 0) + 1
    counters.set(base, number)
    const handle = number === 1 ? base : `${base}${number}`
    const { rows } = await sql`select 1 from users where handle = ${handle}`.execute(tx)
    if (!rows.length) return handle
  }
}

export const peopleMigrations: MigrationsByName = {
  'people 1': ({ id }) => [
    `create table users (
      id ${id}, name text not null, name_key text not null, email text not null,
      email_key text not null unique, password_hash text not null, bio text,
      image text references media (name), email_verified_at text, created_at text not null)`,
    'create index users_image on users (image) where image is not null',
    `create table admins (
      user_id bigint primary key references users (id) on delete cascade,
      granted_by bigint references users (id) on delete set null, created_at text not null)`,
    `create table sessions (
      token_hash text primary key, user_id bigint not null references users (id) on delete cascade,
      created_at text not null, refreshed_at text not null)`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_refreshed on sessions (refreshed_at)',
    `create table follows (
      follower_id bigint not null references users (id) on delete cascade,
      followed_id bigint not null references users (id) on delete cascade, created_at text not null,
      primary key (follower_id, followed_id))`,
    'create index follows_followed on follows (followed_id, follower_id)',
  ],
  'people 2': () => [
    `create table suspensions (
      user_id bigint primary key references users (id) on delete cascade,
      suspended_by bigint references users (id) on delete set null, created_at text not null)`,
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
  'people no email 1': () => [
    'alter table users alter column email drop not null',
    'alter table users alter column email_key drop not null',
  ],
  'people 13': () => [
    `create table blocks (
      blocker_id bigint not null references users (id) on delete cascade,
      blocked_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (blocker_id, blocked_id), check (blocker_id <> blocked_id))`,
    'create index blocks_blocked on blocks (blocked_id, blocker_id)',
  ],
  'people suspensions 1': () => ['alter table suspensions add column ends_at text'],
  'people suspensions 2': () => ['alter table suspensions add column reason text'],
  'people suspensions 3': () => [
    `create table deletion_suspensions (
      user_id bigint primary key references users (id) on delete cascade,
      suspended_by bigint references users (id) on delete set null, created_at text not null)`,
    `create index deletion_suspensions_suspender on deletion_suspensions (suspended_by)
      where suspended_by is not null`,
  ],
  'people moderators 1': () => [
    `create table moderators (
      user_id bigint primary key references users (id) on delete cascade,
      granted_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index moderators_granter on moderators (granted_by) where granted_by is not null',
  ],
  'people mutes 1': () => [
    `create table mutes (
      muter_id bigint not null references users (id) on delete cascade,
      muted_id bigint not null references users (id) on delete cascade,
      created_at text not null, primary key (muter_id, muted_id), check (muter_id <> muted_id))`,
    'create index mutes_muted on mutes (muted_id, muter_id)',
  ],
  'people new members 1': () => [
    `create table known_members (
      user_id bigint primary key references users (id) on delete cascade,
      known_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index known_members_knower on known_members (known_by) where known_by is not null',
    `create table new_member_counts (
      user_id bigint not null references users (id) on delete cascade, kind text not null,
      started_at text not null, count integer not null, primary key (user_id, kind))`,
  ],
  // Sessions that began before this migration have no `passkey_id`, even if a passkey was used in them.
  // Admins with such a session have to confirm their identity with a passkey once more.
  'people sessions 1': () => [
    'alter table sessions add column passkey_id bigint',
    'alter table sessions drop column passkey_used_at',
  ],
  'people children 1': () => [
    `create table children (
      user_id bigint primary key references users (id) on delete cascade, ends_on text not null,
      created_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index children_creator on children (created_by) where created_by is not null',
    'create index children_end on children (ends_on)',
  ],
  'people storage 1': () => [
    createSetMediaOwnersSql('select image as name, id as user_id from users where image is not null'),
  ],
  'people proven emails 1': () => [
    'alter table users add column email_proven_at text',
    'update users set email_proven_at = email_verified_at',
  ],
  'people examples 1': () => [
    `create table example_members (
      user_id bigint primary key references users (id) on delete cascade, created_at text not null)`,
  ],
}
