import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { DeliveryTrace } from '#core/realtime/bus.ts'
import type { DeliveryStep } from './contract.ts'

export interface DeliveryTables {
  /** Push messages and digests. Rows are deleted after seven days. */
  delivery_steps: {
    id: Generated<number>
    user_id: number
    subject_kind: TracedKind
    /** A message or notification; 0 for a digest. */
    subject_id: number
    channel: 'push' | 'mail'
    outcome: DeliveryStep['outcome']
    reason: string | null
    until_time: string | null
    /** As it was named at that time. */
    device: string | null
    created_at: string
  }
  /** One row for each event and server process. Rows are deleted after seven days. */
  live_deliveries: {
    id: Generated<number>
    subject_kind: DeliveryTrace['kind']
    /** For an announcement, the announced post. */
    subject_id: number
    /** For notifications, when the event (such as a like) was stored. Equal for all processes. */
    broadcast_at: string
    /** JSON that `encodeCounts` writes. */
    windows: string
  }
  /** By hour, for admins. The rows name no member. */
  delivery_counts: {
    /** In UTC, such as `2026-11-24T09`. */
    hour: string
    channel: 'live' | 'push' | 'mail'
    /** A host name; empty for other channels. */
    provider: string
    outcome: CountedOutcome
    /** Machine-readable, such as an HTTP status. Empty for none: a key column is not null. */
    reason: string
    count: number
    last_at: string
    /** No requests to the push service until then; null for no pause. */
    paused_until: string | null
  }
}
export type TracedKind = 'message' | 'notification' | 'digest'
/** `lost`: nothing was stored about a live event, because too many events waited. */
export type CountedOutcome =
  | 'shown'
  | 'lost'
  | 'accepted'
  | 'sent'
  | 'refused'
  | 'gone'
  | 'delayed'
  | 'deferred'

declare module '#core/database/database.ts' {
  interface DatabaseTables extends DeliveryTables {}
}

export const deliveryMigrations: Migrations = {
  'deliveries 1': ({ id }) => [
    `create table delivery_steps (
      id ${id}, user_id bigint not null references users (id) on delete cascade, subject_kind text not null,
      subject_id bigint not null, channel text not null, outcome text not null, reason text, until_time text,
      device text, created_at text not null)`,
    'create index delivery_steps_subject on delivery_steps (user_id, subject_kind, subject_id)',
    'create index delivery_steps_created on delivery_steps (created_at)',
    `create table live_deliveries (
      id ${id}, subject_kind text not null, subject_id bigint not null, broadcast_at text not null,
      windows text not null)`,
    'create index live_deliveries_subject on live_deliveries (subject_kind, subject_id)',
    'create index live_deliveries_broadcast on live_deliveries (broadcast_at)',
    `create table delivery_counts (
      hour text not null, channel text not null, provider text not null, outcome text not null,
      reason text not null, count bigint not null, last_at text not null, paused_until text,
      primary key (hour, channel, provider, outcome, reason))`,
  ],
  // With the last column, the newest rows of a subject are read without its older rows.
  'deliveries 2': () => [
    'drop index delivery_steps_subject',
    'create index delivery_steps_subject on delivery_steps (user_id, subject_kind, subject_id, id)',
    'drop index live_deliveries_subject',
    'create index live_deliveries_subject on live_deliveries (subject_kind, subject_id, broadcast_at)',
  ],
}
