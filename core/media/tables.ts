import type { Migrations } from '#core/database/database.ts'

/**
 * The files of a picture are called `{name}-{width}.webp`. `widths` is separated by commas, narrow to wide.
 */
interface FileNames {
  name: string
  widths: string
}
export interface MediaTables {
  /** Attached pictures. Rows of posts, messages and users refer to `name` by a foreign key. */
  media: FileNames & {
    width: number
    height: number
    placeholder: string
    animated: number
    bytes: number
    created_at: string
    /**
     * The name of the guard that decides who may see the picture; null for a public one. It never changes.
     */
    guard: string | null
  }
  /** Pictures in `media` to which a reference was removed. Another reference may exist. */
  unshown_media: { name: string }
  /**
   * Pictures that may have files and have no row in `media`: pending ones, and ones that are being deleted.
   */
  loose_media: FileNames & {
    /** When this row was written. */
    since: string
    /** 1 once the files are being deleted. From then on the picture cannot be attached. */
    going: number
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends MediaTables {}
}

export const migrations: Migrations = {
  'media 1': () => [
    `create table media (
      name text primary key, widths text not null, width integer not null, height integer not null,
      placeholder text not null, animated integer not null, bytes bigint not null, created_at text not null)`,
  ],
  'media 2': () => ['create table unshown_media (name text primary key)'],
  'media 3': () => [
    `create table loose_media (
      name text primary key, widths text not null, since text not null, going integer not null)`,
  ],
  'media 4': () => ['alter table media add column guard text'],
}

/**
 * The statement of a feature's migration that gives older pictures to a guard. `names` is a query for their
 * names.
 */
export const assignGuard = (guard: string, names: string) =>
  `update media set guard = '${guard}' where name in (${names})`
