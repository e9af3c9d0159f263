import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { Channel, NotificationKind } from './contract.ts'

export interface NotificationTables {
  /** One row for each member, kind and subject, such as all likes of one post. */
  notifications: {
    id: Generated<number>
    user_id: number
    kind: NotificationKind
    /**
     * A post, a group or a private chat; for reactions, a post, reply or message; for new posts, their author; 0
     * for follows.
     */
    subject_id: number
    /** The newest event that has not ended and whose person is not muted; 0 if there is none. */
    last_event_id: number
    read_event_id: number
  }
  /** Each person has at most one row for each notification and `source_id`. */
  notification_events: {
    id: Generated<number>
    notification_id: number
    actor_id: number
    /**
     * A reply or message, or a new post. 0 for actions possible once per subject, such as likes, for a mention in a post,
     * and for reactions, where one row stands for all emoji of a person.
     */
    source_id: Generated<number>
    created_at: string
    /** When the person took the action back; null if they have not. */
    ended_at: string | null
  }
  /** A kind without a row is on, unless `isOffAtFirst`. Reactions are always switched off together. */
  notification_switches_off: {
    user_id: number
    kind: NotificationKind | 'message'
    channel: Channel
    created_at: string
  }
  /** Only for `isOffAtFirst`. */
  notification_switches_on: {
    user_id: number
    kind: NotificationKind
    channel: Channel
    created_at: string
  }
  /** Times of day have the form `22:00`. */
  quiet_hours: { user_id: number; from_time: string; to_time: string; time_zone: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends NotificationTables {}
}

export const notificationMigrations: Migrations = {
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
  'notifications 2': ({ name, id }) =>
    name === 'postgres'
      ? [
          'alter table notification_events add column source_id bigint not null default 0',
          'alter table notification_events drop constraint notification_events_notification_id_actor_id_key',
          'alter table notification_events add unique (notification_id, actor_id, source_id)',
        ]
      : [
          'alter table notification_events rename to old_notification_events',
          `create table notification_events (
            id ${id}, notification_id bigint not null references notifications (id) on delete cascade,
            actor_id bigint not null references users (id) on delete cascade,
            source_id bigint not null default 0, created_at text not null,
            ended_at text, unique (notification_id, actor_id, source_id))`,
          `insert into notification_events (id, notification_id, actor_id, created_at, ended_at)
            select id, notification_id, actor_id, created_at, ended_at from old_notification_events`,
          // A row with the highest id that the old table ever gave, so that SQLite gives no id a second time:
          // `read_event_id` contains ids of these rows.
          `insert into notification_events (id, notification_id, actor_id, created_at)
            select s.seq, n.id, n.user_id, '' from sqlite_sequence s,
              (select id, user_id from notifications limit 1) n
            where s.name = 'old_notification_events' and s.seq not in (select id from notification_events)`,
          `delete from notification_events where created_at = ''`,
          'drop table old_notification_events',
          'create index notification_events_actor on notification_events (actor_id)',
          'create index notification_events_created on notification_events (created_at)',
        ],
  'notifications 3': () => [
    `create table notification_switches_off (
      user_id bigint not null references users (id) on delete cascade, kind text not null,
      channel text not null, created_at text not null, primary key (user_id, channel, kind))`,
    `create table quiet_hours (
      user_id bigint primary key references users (id) on delete cascade, from_time text not null,
      to_time text not null, time_zone text not null)`,
  ],
  // With `user_id`, PostgreSQL quickly finds one member's notification about a subject that all members
  // share, such as follows, whichever index it chooses.
  'notifications 4': () => [
    'create index notifications_subject_member on notifications (kind, subject_id, user_id)',
    'drop index notifications_subject',
  ],
  'notifications 5': () => [
    `create table notification_switches_on (
      user_id bigint not null references users (id) on delete cascade, kind text not null,
      channel text not null, created_at text not null, primary key (user_id, channel, kind))`,
  ],
}
