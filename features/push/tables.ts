import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { PushPrivacy } from './contract.ts'

export interface PushTables {
  /** A row is deleted with the session of its browser. */
  push_subscriptions: {
    id: Generated<number>
    user_id: number
    session_hash: string
    /** The push URL. To send to it, a server also needs PUSH_KEY. */
    endpoint: string
    /** The browser's public key and its secret `auth` (RFC 8291, 3.1 and 3.2), in base64url. */
    p256dh: string
    auth: string
    created_at: string
    last_sent_at: string | null
  }
  /** No row: names and text. */
  push_settings: { user_id: number; privacy: PushPrivacy }
  /** Still to be sent, each at most once for each device. */
  push_items: {
    id: Generated<number>
    subscription_id: number
    kind: PushItemKind
    /** A message or notification. */
    subject_id: number
    created_at: string
    /** The end of quiet hours; null if the item has never waited. */
    held_until: Generated<string | null>
  }
}
export type PushItemKind = 'message' | 'notification'

declare module '#core/database/database.ts' {
  interface DatabaseTables extends PushTables {}
}

export const pushMigrations: Migrations = {
  'push 1': ({ id }) => [
    `create table push_subscriptions (
      id ${id}, user_id bigint not null references users (id) on delete cascade,
      session_hash text not null unique references sessions (token_hash) on delete cascade,
      endpoint text not null unique, p256dh text not null, auth text not null, created_at text not null,
      last_sent_at text)`,
    'create index push_subscriptions_user on push_subscriptions (user_id)',
    `create table push_settings (
      user_id bigint primary key references users (id) on delete cascade, privacy text not null)`,
    `create table push_items (
      id ${id}, subscription_id bigint not null references push_subscriptions (id) on delete cascade,
      kind text not null, subject_id bigint not null, created_at text not null,
      unique (subscription_id, kind, subject_id))`,
    'create index push_items_created on push_items (created_at)',
  ],
  'push 2': () => ['alter table push_items add column held_until text'],
}
