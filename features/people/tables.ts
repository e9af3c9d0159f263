import { type Generated, sql } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { Migrations, Tx } from '#core/database/database.ts'
import { setOwnersSql } from '#core/media/tables.ts'
import { foldNameForSearch } from '#core/text/fold-names.ts'
import { sortKey } from '#core/text/readings.ts'
import { nameSkeleton, suggestHandle } from './handles.ts'
import type { SecurityEventKind } from './security-event-kinds.ts'

export interface PeopleTables {
  users: {
    id: Generated<number>
    name: string
    /** See `foldNameForSearch`. */
    name_key: string
    /** How the name is read: see `cleanReading`. */
    reading: Generated<string | null>
    /** See `foldReading`. */
    reading_key: Generated<string | null>
    /** Of the reading or, without one, of the name: see `sortKey`. */
    sort_key: Generated<string>
    handle: string
    /** Equal for names that look alike: see `nameSkeleton`. */
    name_skeleton: string
    /** Equal to `handle` if another name looks alike: see `updateShownHandles`. */
    shared_handle: Generated<string | null>
    /** Null for a member who logs in with the handle. */
    email: string | null
    /** Folded, so that an address has only one account. */
    email_key: string | null
    password_hash: string
    bio: string | null
    /** Its name in the table `media`. */
    image: string | null
    email_verified_at: string | null
    /** When the owner of the address proved that the account is theirs too: see `proveEmail`. */
    email_proven_at: Generated<string | null>
    created_at: string
    /** Each statement that changes what others see (name, reading, handle, bio, picture) increments it. */
    revision: Generated<number>
    /**
     * Null for a member. The row of a deleted account stays as the author of its messages, without name and
     * address: see `addFormerMember`.
     */
    former_since: Generated<string | null>
  }
  /** `granted_by` is null for the first admin, ADMIN_EMAIL, the command line and deleted admins. */
  admins: { user_id: number; granted_by: number | null; created_at: string }
  /** `granted_by` becomes null when that admin's account is deleted. */
  moderators: { user_id: number; granted_by: number | null; created_at: string }
  /** They may tell everybody of a post: see announcers.ts. */
  announcers: { user_id: number; granted_by: number | null; created_at: string }
  sessions: {
    /** SHA-256 of the cookie, so that nobody can log in with a copy of the database. */
    token_hash: string
    user_id: number
    created_at: string
    /** When its cookies were sent. The session ends thirty days later. */
    refreshed_at: string
    /** Browser and system, such as `Firefox · Linux`; null if unknown. */
    device: string | null
    /** See `networkOf`. */
    network: string | null
    /** By the log-in or `recordConfirmation`. */
    confirmed_at: string | null
    /** Last used in this session; the member may have removed it since. Null if none was. */
    passkey_id: number | null
  }
  /** See `SecurityEventKind`. Rows are kept for a year. */
  security_log: {
    id: Generated<number>
    user_id: number
    kind: SecurityEventKind
    /** An admin or moderator. Null if the member or the operator (command line, ADMIN_EMAIL) caused it. */
    actor_id: number | null
    /** See `networkOf`. Null if an admin caused the event, and after ninety days. */
    network: string | null
    created_at: string
  }
  /** At the last log-in, for mails and push messages that others cause. */
  member_languages: { user_id: number; lang: Language }
  follows: { follower_id: number; followed_id: number; created_at: string }
  /** Former addresses, folded, which no other account may take until `until`. */
  reserved_emails: { email_key: string; user_id: number; until: string }
  /** A block hides the two from each other: see `visibility.allRules`. */
  blocks: { blocker_id: number; blocked_id: number; created_at: string }
  /** Many lists and the unread counts of `muter_id` leave `muted_id` out: see `visibility.notMuted`. */
  mutes: { muter_id: number; muted_id: number; created_at: string }
  /** Known to `known_by` (null once deleted), so without the limits for new members. */
  known_members: { user_id: number; known_by: number | null; created_at: string }
  /** See `NewMemberAction`. */
  new_member_counts: { user_id: number; kind: string; started_at: string; count: number }
  /** `suspended_by` is null once deleted. A job ends it at `ends_at`; null: only an admin does. */
  suspensions: {
    user_id: number
    suspended_by: number | null
    created_at: string
    ends_at: string | null
    /** From the decision about a report; the member reads it. */
    reason: string | null
  }
  /** Because an admin has requested the deletion of the account. */
  deletion_suspensions: { user_id: number; suspended_by: number | null; created_at: string }
  /** From the local day `ends_on` (YYYY-MM-DD) on, the account is not a child's. */
  children: { user_id: number; ends_on: string; created_by: number | null; created_at: string }
  /** Invented people with whom an admin has filled the community. */
  example_members: { user_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends PeopleTables {}
}

const BATCH_SIZE = 1000

/** Folds names again that were folded in another way than now. */
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

/** For accounts older than readings. */
async function fillSortKeys(tx: Tx) {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from users where former_since is null and id > ${after}
      order by id limit ${BATCH_SIZE}`.execute(tx)
    for (const { id, name } of rows)
      await sql`update users set sort_key = ${sortKey(name)} where id = ${id}`.execute(tx)
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/** For accounts older than handles, in the order of their ids. */
async function fillHandles(tx: Tx) {
  const counters = new Map<string, number>()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from users where handle is null and id > ${after}
      order by id limit ${BATCH_SIZE}`.execute(tx)
    for (const { id, name } of rows) {
      const handle = await nextHandle(tx, suggestHandle(name), counters)
      await sql`update users set handle = ${handle}, name_skeleton = ${nameSkeleton(name)} where id = ${id}`.execute(
        tx,
      )
    }
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/** `counters` has the last number tried for each base. */
async function nextHandle(tx: Tx, base: string, counters: Map<string, number>) {
  for (;;) {
    const number = (counters.get(base) ?? 0) + 1
    counters.set(base, number)
    const handle = number === 1 ? base : `${base}${number}`
    const { rows } = await sql`select 1 from users where handle = ${handle}`.execute(tx)
    if (!rows.length) return handle
  }
}

export const peopleMigrations: Migrations = {
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
  // Sessions from before have no `passkey_id`, even with a passkey: their admins confirm with one once more.
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
    setOwnersSql('select image as name, id as user_id from users where image is not null'),
  ],
  'people proven emails 1': () => [
    'alter table users add column email_proven_at text',
    'update users set email_proven_at = email_verified_at',
  ],
  'people readings 1': ({ name }) => [
    'alter table users add column reading text',
    'alter table users add column reading_key text',
    // By code points, as SQLite compares.
    `alter table users add column sort_key text ${name === 'postgres' ? 'collate "C"' : ''} not null default ''`,
    // With kana in hiragana.
    foldNames,
    fillSortKeys,
    'create index users_sorted on users (sort_key, id) where former_since is null',
  ],
  'people examples 1': () => [
    `create table example_members (
      user_id bigint primary key references users (id) on delete cascade, created_at text not null)`,
  ],
  'people announcers 1': () => [
    `create table announcers (
      user_id bigint primary key references users (id) on delete cascade,
      granted_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index announcers_granter on announcers (granted_by) where granted_by is not null',
  ],
}
