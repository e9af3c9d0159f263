import type { Generated, Selectable } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { Answer } from './schemas.ts'

export interface EventTables {
  events: {
    id: Generated<number>
    post_id: number
    /** Who wrote the post. */
    user_id: number
    /** Of the audience of the post, which never changes; null if it is not for a group. */
    group_id: number | null
    /** IANA name. */
    zone: string
    all_day: 0 | 1
    /** The value of RRULE (RFC 5545); null for a single date. */
    rule: string | null
    max_guests: number
    created_at: string
  }
  /** Each date of an event has answers of its own, also after the others were changed. */
  event_dates: {
    id: Generated<number>
    event_id: number
    title: string
    place: string | null
    /** As on a wall clock of the zone, `2026-12-05T19:30`; the date alone if it lasts whole days. */
    begins: string
    /** Of whole days the last one. */
    ends: string
    /** In UTC. */
    begins_at: string
    /** In UTC, the first moment after it. */
    ends_at: string
    /** How many people may come; null for any number. */
    places: number | null
    answers_until: string | null
    closed_at: string | null
    cancelled_at: string | null
    reminded_at: string | null
    /** Of iCalendar: raised by each change of time or place. */
    sequence: Generated<number>
    changed_at: string
  }
  event_answers: {
    date_id: number
    user_id: number
    answer: Answer
    guests: number
    note: string | null
    /** The guardian who answered. */
    guardian_id: number | null
    answered_at: string
    /** Only of `yes`: the place in the waiting list. Null has a place. */
    queue: number | null
    /** The place is kept until then; the member decides. */
    offered_until: string | null
  }
  /** On the day, also of those who have not answered. */
  event_attendance: { date_id: number; user_id: number; state: 'here' | 'absent'; marked_at: string }
  /** Each is deleted in the transaction that begins it. */
  event_reminders: { date_id: number; kind: ReminderKind; due_at: string }
}
/** `soon`: to those who come. `missing`: to those who have not answered. `maybe`: to the undecided. */
export type ReminderKind = 'soon' | 'missing' | 'maybe'
export type EventRow = Selectable<EventTables['events']>
export type DateRow = Selectable<EventTables['event_dates']>
export type AnswerRow = Selectable<EventTables['event_answers']>

declare module '#core/database/database.ts' {
  interface DatabaseTables extends EventTables {}
}

export const eventMigrations: Migrations = {
  'events 1': ({ id }) => [
    `create table events (
      id ${id}, post_id bigint not null unique references posts (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, group_id bigint,
      zone text not null, all_day integer not null, rule text, max_guests integer not null,
      created_at text not null)`,
    'create index events_user on events (user_id)',
    'create index events_group on events (group_id) where group_id is not null',
    `create table event_dates (
      id ${id}, event_id bigint not null references events (id) on delete cascade,
      title text not null, place text, begins text not null, ends text not null,
      begins_at text not null, ends_at text not null, places integer, answers_until text,
      closed_at text, cancelled_at text, reminded_at text, sequence integer not null default 0,
      changed_at text not null)`,
    'create index event_dates_begin on event_dates (begins_at, id)',
    'create index event_dates_event on event_dates (event_id, begins_at)',
    `create table event_answers (
      date_id bigint not null references event_dates (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      answer text not null, guests integer not null default 0, note text,
      guardian_id bigint references users (id) on delete set null, answered_at text not null,
      queue integer, offered_until text,
      primary key (date_id, user_id))`,
    'create index event_answers_list on event_answers (date_id, answer, queue, user_id, guests)',
    'create index event_answers_user on event_answers (user_id, date_id)',
    'create index event_answers_guardian on event_answers (guardian_id) where guardian_id is not null',
    `create table event_attendance (
      date_id bigint not null references event_dates (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      state text not null, marked_at text not null, primary key (date_id, user_id))`,
    'create index event_attendance_user on event_attendance (user_id)',
    `create table event_reminders (
      date_id bigint not null references event_dates (id) on delete cascade,
      kind text not null, due_at text not null, primary key (date_id, kind))`,
    'create index event_reminders_due on event_reminders (due_at)',
  ],
}
