import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { Access } from './contract.ts'

export interface OpenGroupTables {
  /** A group without a row is closed. */
  group_access: {
    group_id: number
    access: Access
    reading: string | null
    /** These three are for the filter and the order, as those of `users`. */
    name_key: string
    reading_key: string | null
    sort_key: string
    changed_at: string
  }
  group_requests: {
    id: Generated<number>
    group_id: number
    user_id: number
    created_at: string
    /** Since when only an admin can accept it, because of a child; null otherwise. */
    needs_admin_since: string | null
    /** Null while it waits. */
    decision: 'accepted' | 'declined' | null
    decided_by: number | null
    decided_at: string | null
  }
  /** One for each group at most. Whoever has it joins, also a group that is closed. */
  group_links: {
    group_id: number
    /** SHA-256. */
    token_hash: string
    created_by: number
    created_at: string
    expires_at: string
  }
  /** Of people who were removed from a group: they must ask, though it is open. */
  group_removals: { group_id: number; user_id: number; removed_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends OpenGroupTables {}
}

export const openGroupMigrations: Migrations = {
  'open groups 1': ({ id }) => [
    `create table group_access (
      group_id bigint primary key references conversations (id) on delete cascade, access text not null,
      reading text, name_key text not null, reading_key text, sort_key text not null,
      changed_at text not null)`,
    'create index group_access_order on group_access (sort_key, group_id)',
    `create table group_requests (
      id ${id}, group_id bigint not null references conversations (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, created_at text not null,
      needs_admin_since text, decision text,
      decided_by bigint references users (id) on delete set null, decided_at text,
      unique (group_id, user_id))`,
    'create index group_requests_user on group_requests (user_id, decision)',
    'create index group_requests_waiting on group_requests (id) where decision is null',
    'create index group_requests_decided on group_requests (decided_at) where decided_at is not null',
    'create index group_requests_decided_by on group_requests (decided_by) where decided_by is not null',
    `create table group_removals (
      group_id bigint not null references conversations (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, removed_at text not null,
      primary key (group_id, user_id))`,
    'create index group_removals_user on group_removals (user_id)',
  ],
  'open groups 2': () => [
    `create table group_links (
      group_id bigint primary key references conversations (id) on delete cascade,
      token_hash text not null unique, created_by bigint not null references users (id) on delete cascade,
      created_at text not null, expires_at text not null)`,
    'create index group_links_created_by on group_links (created_by)',
  ],
}
