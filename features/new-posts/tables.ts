import type { Migrations } from '#core/database/database.ts'
import type { Mode } from './contract.ts'

export interface NewPostTables {
  /** Of members who have decided. */
  new_post_modes: { user_id: number; mode: Mode; created_at: string }
  /** Kept while the mode is another than `chosen`. */
  new_post_people: { user_id: number; person_id: number; created_at: string }
  new_post_groups: { user_id: number; group_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends NewPostTables {}
}

export const newPostMigrations: Migrations = {
  'new posts 1': () => [
    `create table new_post_modes (
      user_id bigint primary key references users (id) on delete cascade, mode text not null,
      created_at text not null)`,
    'create index new_post_modes_mode on new_post_modes (mode, user_id)',
    `create table new_post_people (
      user_id bigint not null references users (id) on delete cascade,
      person_id bigint not null references users (id) on delete cascade, created_at text not null,
      primary key (user_id, person_id))`,
    'create index new_post_people_person on new_post_people (person_id, user_id)',
    `create table new_post_groups (
      user_id bigint not null references users (id) on delete cascade,
      group_id bigint not null references conversations (id) on delete cascade, created_at text not null,
      primary key (user_id, group_id))`,
    'create index new_post_groups_group on new_post_groups (group_id, user_id)',
  ],
}
