import type { Generated, Selectable } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { Answer, SharedPoll } from './schemas.ts'

export interface PollTables {
  polls: {
    id: Generated<number>
    /** One of `post_id` and `message_id` is not null. */
    post_id: number | null
    message_id: number | null
    /** Who asks; null after the end of the account. */
    user_id: number | null
    kind: SharedPoll['kind']
    choices: SharedPoll['choices']
    ballot: SharedPoll['ballot']
    results: SharedPoll['results']
    options_from: SharedPoll['options_from']
    ends_at: string | null
    ended_at: string | null
    created_at: string
    /** Only of a secret poll, until its end: from it and a member comes the name of the member's ballot. */
    ballot_key: string | null
    reminded_at: Generated<string | null>
  }
  poll_options: {
    id: Generated<number>
    poll_id: number
    /** Who wrote it; null after the end of the account. */
    user_id: number | null
    text: string | null
    day: string | null
    time: string | null
    /** Only of a secret poll, from its end. */
    votes: Generated<number>
  }
  /** Who has voted; for named polls `poll_votes` says what. Has no time, and no order of arrival. */
  poll_voters: {
    poll_id: number
    user_id: number
    note: string | null
    guests: number
    /** The guardian who answered. */
    guardian_id: number | null
  }
  poll_votes: { poll_id: number; user_id: number; option_id: number; answer: Answer }
  /** The votes of secret polls, without their members. At the end, only sums stay. */
  poll_ballots: { poll_id: number; ballot: string; option_id: number }
}
export type PollRow = Selectable<PollTables['polls']>
export type OptionRow = Selectable<PollTables['poll_options']>

declare module '#core/database/database.ts' {
  interface DatabaseTables extends PollTables {}
}

export const pollMigrations: Migrations = {
  'polls 1': ({ name, id }) => {
    // In SQLite, rows are then in the order of their keys, and not of the votes.
    const byKey = name === 'sqlite' ? 'without rowid' : ''
    return [
      `create table polls (
        id ${id}, post_id bigint references posts (id) on delete cascade,
        message_id bigint references messages (id) on delete cascade,
        user_id bigint references users (id) on delete set null,
        kind text not null, choices text not null, ballot text not null, results text not null,
        options_from text not null, ends_at text, ended_at text, created_at text not null,
        ballot_key text, reminded_at text,
        check ((post_id is null) <> (message_id is null)))`,
      'create unique index polls_post on polls (post_id) where post_id is not null',
      'create unique index polls_message on polls (message_id) where message_id is not null',
      'create index polls_user on polls (user_id) where user_id is not null',
      `create table poll_options (
        id ${id}, poll_id bigint not null references polls (id) on delete cascade,
        user_id bigint references users (id) on delete set null,
        text text, day text, time text, votes integer not null default 0)`,
      'create index poll_options_poll on poll_options (poll_id)',
      'create index poll_options_user on poll_options (user_id, (id + 0)) where user_id is not null',
      `create table poll_voters (
        poll_id bigint not null references polls (id) on delete cascade,
        user_id bigint not null references users (id) on delete cascade,
        note text, guests integer not null default 0,
        guardian_id bigint references users (id) on delete set null,
        primary key (poll_id, user_id)) ${byKey}`,
      'create index poll_voters_user on poll_voters (user_id, poll_id)',
      'create index poll_voters_guardian on poll_voters (guardian_id) where guardian_id is not null',
      `create table poll_votes (
        poll_id bigint not null references polls (id) on delete cascade,
        user_id bigint not null references users (id) on delete cascade,
        option_id bigint not null references poll_options (id) on delete cascade,
        answer text not null, primary key (poll_id, user_id, option_id)) ${byKey}`,
      'create index poll_votes_option on poll_votes (option_id, answer, user_id)',
      'create index poll_votes_user on poll_votes (user_id)',
      `create table poll_ballots (
        poll_id bigint not null references polls (id) on delete cascade, ballot text not null,
        option_id bigint not null references poll_options (id) on delete cascade,
        primary key (poll_id, ballot, option_id)) ${byKey}`,
      'create index poll_ballots_option on poll_ballots (option_id)',
      'create index poll_ballots_ballot on poll_ballots (ballot)',
    ]
  },
  // Those that wait for an answer are few among all.
  'polls 2': () => ['create index polls_running on polls (id) where ended_at is null'],
}
