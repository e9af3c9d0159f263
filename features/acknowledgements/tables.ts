import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface AcknowledgementTables {
  /** A post whose author asks who has read it. */
  acknowledgement_requests: {
    post_id: number
    /** The author. */
    user_id: number
    created_at: string
    /** Null if only the author ends it. */
    until: string | null
    /** Null while the author has not ended it. */
    ended_at: Generated<string | null>
    /** When the post was changed after an answer; null again once the author said whether to ask again. */
    changed_at: Generated<string | null>
  }
  /** Those who could see the post when its author asked. */
  acknowledgement_recipients: { post_id: number; user_id: number }
  /** Also of members who came later. */
  acknowledgements: {
    post_id: number
    user_id: number
    /** The guardian who answered for the member; null if the member did, or the account is deleted. */
    by_id: number | null
    created_at: string
  }
  acknowledgement_reminders: {
    id: Generated<number>
    post_id: number
    /** 1 if it does not wait for the end of quiet hours. */
    is_urgent: 0 | 1
    due_at: string
    /** Null while it is planned, or if it was left out. */
    sent_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AcknowledgementTables {}
}

export const acknowledgementMigrations: Migrations = {
  'acknowledgements 1': () => [
    `create table acknowledgement_requests (
      post_id bigint primary key references posts (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      created_at text not null, until text, ended_at text, changed_at text)`,
    'create index acknowledgement_requests_author on acknowledgement_requests (user_id, post_id)',
    `create table acknowledgement_recipients (
      post_id bigint not null references acknowledgement_requests (post_id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade, primary key (post_id, user_id))`,
    'create index acknowledgement_recipients_member on acknowledgement_recipients (user_id, post_id)',
    `create table acknowledgements (
      post_id bigint not null references acknowledgement_requests (post_id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      by_id bigint references users (id) on delete set null, created_at text not null,
      primary key (post_id, user_id))`,
    'create index acknowledgements_member on acknowledgements (user_id, post_id)',
    'create index acknowledgements_guardian on acknowledgements (by_id) where by_id is not null',
  ],
  'acknowledgements 2': ({ id }) => [
    `create table acknowledgement_reminders (
      id ${id}, post_id bigint not null references acknowledgement_requests (post_id) on delete cascade,
      is_urgent integer not null, due_at text not null, sent_at text)`,
    'create index acknowledgement_reminders_post on acknowledgement_reminders (post_id, sent_at)',
  ],
}
