import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface DraftTables {
  /** What a member is writing, for their other devices. */
  drafts: {
    id: Generated<number>
    user_id: number
    kind: 'post' | 'person' | 'group'
    /** The person or group, which may be gone; 0 for a post. */
    target_id: number
    /** Empty if it was sent or deleted: then the row ends the draft on other devices. */
    text: string
    /** See `more` of `Draft`. */
    more: string | null
    written_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends DraftTables {}
}

export const draftMigrations: Migrations = {
  'drafts 1': ({ id }) => [
    `create table drafts (
      id ${id}, user_id bigint not null references users (id) on delete cascade, kind text not null,
      target_id bigint not null, text text not null, written_at text not null,
      unique (user_id, kind, target_id))`,
    'create index drafts_newest on drafts (user_id, written_at)',
  ],
  'drafts 2': () => ['alter table drafts add column more text'],
}
