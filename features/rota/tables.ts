import type { Generated, Selectable } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import type { Job } from './schemas.ts'

export interface RotaTables {
  rota_jobs: {
    id: Generated<number>
    date_id: number
    kind: Job['kind']
    title: string
    places: number
    /** Who added it. Null for a task of a deleted account; of a car who drives. */
    user_id: number | null
  }
  rota_people: {
    job_id: number
    user_id: number
    /** Who signed up somebody else. */
    guardian_id: number | null
    joined_at: string
  }
}
export type JobRow = Selectable<RotaTables['rota_jobs']>

declare module '#core/database/database.ts' {
  interface DatabaseTables extends RotaTables {}
}

export const rotaMigrations: Migrations = {
  'rota 1': ({ id }) => [
    `create table rota_jobs (
      id ${id}, date_id bigint not null references event_dates (id) on delete cascade,
      kind text not null, title text not null, places integer not null,
      user_id bigint references users (id) on delete set null)`,
    'create index rota_jobs_date on rota_jobs (date_id, id)',
    'create index rota_jobs_user on rota_jobs (user_id) where user_id is not null',
    `create table rota_people (
      job_id bigint not null references rota_jobs (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      guardian_id bigint references users (id) on delete set null, joined_at text not null,
      primary key (job_id, user_id))`,
    'create index rota_people_user on rota_people (user_id, job_id)',
    'create index rota_people_guardian on rota_people (guardian_id) where guardian_id is not null',
  ],
}
