import type { Migrations } from '#core/database/database.ts'

export interface SinceTables {
  /** Times in ISO 8601. */
  since_marks: {
    user_id: number
    /** The member said so. At first the registration. */
    done_until: string
    /** The end of the last visit before this one. At first the registration. */
    left_at: string
    /** The last sign of this visit. */
    visited_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends SinceTables {}
}

export const sinceMigrations: Migrations = {
  'since 1': () => [
    `create table since_marks (
      user_id bigint primary key references users (id) on delete cascade,
      done_until text not null, left_at text not null, visited_at text not null)`,
  ],
}
