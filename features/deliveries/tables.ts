import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'
import type { LiveDeliveryTraceSubject } from '#core/realtime/bus.ts'
import type { ChannelDeliveryOutcome } from './contract.ts'

export interface DeliveryTables {
  /**
   * The table of the steps in the delivery of push messages and digests to members. Rows are deleted after
   * seven days.
   */
  delivery_steps: {
    id: Generated<number>
    user_id: number
    subject_kind: DeliveryTraceSubjectKind
    /** The id of the message or of the notification that was delivered; 0 for a digest. */
    subject_id: number
    channel: 'push' | 'mail'
    outcome: ChannelDeliveryOutcome['outcome']
    reason: string | null
    until_time: string | null
    /** The name that the device had at the time of this step of the delivery. */
    device: string | null
    created_at: string
  }
  /**
   * To how many windows of each member one server process wrote the event about a message or notification:
   * one row for each event and process. Rows are deleted after seven days.
   */
  live_deliveries: {
    id: Generated<number>
    subject_kind: LiveDeliveryTraceSubject['kind']
    /**
     * The id of the message or notification that the event was about. For an announcement, the id of the
     * announced post.
     */
    subject_id: number
    /**
     * The time of the broadcast of the event. For a notification or an announcement, the time when the event
     * in the notification, such as a like, was stored. It is the same in the rows of all processes.
     */
    broadcast_at: string
    /**
     * JSON that lists the members by their number of windows, in the form that
     * `encodeDeliveredWindowCountsByMemberWithTotal` writes.
     */
    windows: string
  }
  /** How often each outcome of a delivery happened in each hour, for admins. The rows name no member. */
  delivery_counts: {
    /** The hour of the counted outcomes in UTC, such as `2026-11-24T09`. */
    hour: string
    channel: 'live' | 'push' | 'mail'
    /** The host name of the push service; an empty text for other channels. */
    provider: string
    outcome: CountedDeliveryOutcome
    /**
     * The machine-readable reason of the outcome, such as an HTTP status. It is an empty text if there is no
     * reason, because a column of the primary key cannot be null.
     */
    reason: string
    count: number
    last_at: string
    /**
     * The time until which the server sends no requests to the push service; null if there was no such pause.
     */
    paused_until: string | null
  }
}
export type DeliveryTraceSubjectKind = 'message' | 'notification' | 'digest'
/**
 * The outcomes of deliveries that are counted for admins. `lost`: nothing was stored about a live event,
 * because too many events waited to be stored.
 */
export type CountedDeliveryOutcome =
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

export const deliveriesMigrations: MigrationsByName = {
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
  // With the last column in each index, the database reads the newest rows of a subject without reading its
  // older rows.
  'deliveries 2': () => [
    'drop index delivery_steps_subject',
    'create index delivery_steps_subject on delivery_steps (user_id, subject_kind, subject_id, id)',
    'drop index live_deliveries_subject',
    'create index live_deliveries_subject on live_deliveries (subject_kind, subject_id, broadcast_at)',
  ],
}
