import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { NotificationKind } from './contract.ts'

export interface NotificationTables {
  /** The notifications of members: one row for each member, kind and subject. */
  notifications: {
    id: Generated<number>
    user_id: number
    kind: NotificationKind
    /** The id of the liked post, of the group, or of the private chat; 0 for follows. */
    subject_id: number
    /**
     * The id of the newest row of `notification_events` that has not ended and is of a person whom the
     * member has not muted; 0 if there is none.
     */
    last_event_id: number
    /** The member has read the events with ids up to this one. */
    read_event_id: number
  }
  /** The acts that a notification names. Each person has at most one row for each notification. */
  notification_events: {
    id: Generated<number>
    notification_id: number
    actor_id: number
    created_at: string
    /** The time when the person took the act back, for example unliked the post; otherwise null. */
    ended_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends NotificationTables {}
}

export const migrations: Migrations = {
  'notifications 1': ({ id }) => [
    `create table notifications (
      id ${id}, user_id bigint not null references users (id) on delete cascade, kind text not null,
      subject_id bigint not null, last_event_id bigint not null, read_event_id bigint not null,
      unique (user_id, kind, subject_id))`,
    'create index notifications_subject on notifications (kind, subject_id)',
    'create index notifications_newest on notifications (user_id, last_event_id)',
    'create index notifications_unread on notifications (user_id) where last_event_id > read_event_id',
    `create table notification_events (
      id ${id}, notification_id bigint not null references notifications (id) on delete cascade,
      actor_id bigint not null references users (id) on delete cascade, created_at text not null,
      ended_at text, unique (notification_id, actor_id))`,
    'create index notification_events_actor on notification_events (actor_id)',
    'create index notification_events_created on notification_events (created_at)',
  ],
}
