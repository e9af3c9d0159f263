import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface CardTables {
  /** One request creates all members of a list. */
  member_lists: {
    id: Generated<number>
    /** SHA-256 of the admin's id and a random text of the browser, by which a repeat finds its list. */
    request_hash: string
    /** The purpose of the list. Only admins see it. */
    title: string | null
    /** The admin who imported the list; null after the deletion of that account. */
    created_by: number | null
    created_at: string
  }
  /** One for each member of a list. */
  member_cards: {
    user_id: number
    list_id: number
    /** SHA-256; without the code itself, nobody can log in with a copy of the database. */
    code_hash: string
    /** The member sees the chat of this group first after the log-in. */
    group_id: number | null
    /** The admin who made the card; null after the deletion of that account. */
    made_by: number | null
    /** A new code for the same member replaces the old one, and this time. */
    created_at: string
    expires_at: string
    /** The first log-in, or when the operator set a password. */
    used_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends CardTables {}
}

export const cardMigrations: Migrations = {
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
