import type { Generated } from 'kysely'
import type { MigrationsByName } from '#core/database/database.ts'

export interface LogInCardTables {
  /** The lists of new members that admins have imported. One request creates all members of a list. */
  member_lists: {
    id: Generated<number>
    /**
     * The SHA-256 hash of the admin's id and of a random text that the browser sends with each list. If the
     * browser repeats a request, the server finds the list that the first request created.
     */
    request_hash: string
    /** The purpose of the list, as an admin has written it. Only admins see it. */
    title: string | null
    /** The id of the admin who imported the list; null after the account of this admin has been deleted. */
    created_by: number | null
    created_at: string
  }
  /**
   * The log-in cards, one for each member of a list. With the code of the card, the member logs in for the
   * first time.
   */
  member_cards: {
    user_id: number
    list_id: number
    /**
     * The SHA-256 hash of the card's code. The code itself is not stored, so that nobody can log in with a
     * copy of the database.
     */
    code_hash: string
    /** The id of the group whose chat the member sees first after the log-in; null without a group. */
    group_id: number | null
    /** The id of the admin who made the card; null after the account of this admin has been deleted. */
    made_by: number | null
    /** The time when the code of the card was made. A new code for the same member replaces the old one. */
    created_at: string
    expires_at: string
    /**
     * The time when the member first logged in, or the operator set a password for the member; null before
     * that.
     */
    used_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends LogInCardTables {}
}

export const logInCardsMigrations: MigrationsByName = {
  'cards 1': ({ id }) => [
    `create table member_lists (
      id ${id}, request_hash text not null unique, title text,
      created_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index member_lists_creator on member_lists (created_by) where created_by is not null',
    `create table member_cards (
      user_id bigint primary key references users (id) on delete cascade,
      list_id bigint not null references member_lists (id) on delete cascade, code_hash text not null unique,
      group_id bigint references conversations (id) on delete set null, created_at text not null,
      expires_at text not null, used_at text)`,
    'create index member_cards_list on member_cards (list_id, user_id)',
    'create index member_cards_group on member_cards (group_id) where group_id is not null',
  ],
  'cards 2': () => [
    'alter table member_cards add column made_by bigint references users (id) on delete set null',
    `update member_cards
      set made_by = (select created_by from member_lists where member_lists.id = member_cards.list_id)`,
    'create index member_cards_maker on member_cards (made_by) where made_by is not null',
  ],
}
