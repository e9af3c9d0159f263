import type { Migrations } from '#core/database/database.ts'

export interface CalendarTables {
  calendar_addresses: {
    user_id: number
    /** Of the token in the address (`hashToken`). */
    token_hash: string
    created_at: string
    read_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends CalendarTables {}
}

export const calendarMigrations: Migrations = {
  'calendars 1': () => [
    `create table calendar_addresses (
      user_id bigint primary key references users (id) on delete cascade,
      token_hash text not null unique, created_at text not null, read_at text)`,
  ],
}
