import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { AttachmentColumns } from '#features/posts/tables.ts'

export interface ScheduledTables {
  /** Posts and messages that wait for their time. A row is deleted in the transaction that sends it. */
  scheduled: {
    id: Generated<number>
    user_id: number
    /** Chosen by the client. A repeated request with the same id stores nothing. */
    client_id: string | null
    kind: 'post' | 'person' | 'group'
    /** The member or group that gets a message; null for a post. May be gone. */
    target_id: number | null
    /** JSON: see `Content` of content.ts. */
    content: string
    /** 1 if the author had the rights of an admin in the session. */
    as_admin: 0 | 1
    due_at: string
    created_at: string
    /** JSON of the sentence why it was not sent; null while it waits. */
    refusal: string | null
    /** The job that sends it; null if it was scheduled before this column existed. */
    job_id: number | null
  }
  /** Pictures and files, in their order. */
  scheduled_media: AttachmentColumns & { scheduled_id: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ScheduledTables {}
}

/** Only the author sees the pictures and files of what waits. */
export const SCHEDULED_GUARD = 'scheduled'
export const scheduledPlace = { table: 'scheduled_media', column: 'scheduled_id' } as const

export const scheduledMigrations: Migrations = {
  'scheduled 1': ({ id }) => [
    `create table scheduled (
      id ${id}, user_id bigint not null references users (id) on delete cascade, client_id text,
      kind text not null, target_id bigint, content text not null, as_admin integer not null,
      due_at text not null, created_at text not null, refusal text, unique (user_id, client_id))`,
    'create index scheduled_author on scheduled (user_id, due_at)',
    `create table scheduled_media (
      id ${id}, scheduled_id bigint not null references scheduled (id) on delete cascade,
      position integer not null, media text not null references media (name), alt text,
      unique (scheduled_id, position))`,
    'create index scheduled_media_media on scheduled_media (media)',
  ],
  'scheduled 2': () => ['alter table scheduled_media add column file integer'],
  'scheduled 3': () => [
    'alter table scheduled add column job_id bigint',
    'create index scheduled_due on scheduled (due_at) where refusal is null',
  ],
}
