import type { Migrations } from '#core/database/database.ts'
import type { FileKind } from './file-schemas.ts'

/** `widths` has commas, from narrow to wide, for `{name}-{width}.webp`. Empty: a file `{name}-original`. */
interface FileNames {
  name: string
  widths: string
}
export interface MediaTables {
  /**
   * Attached and unreferenced pictures and files. Posts, replies, messages, groups, users and the community
   * picture refer to `name` by a foreign key. Only pictures have a size and a placeholder.
   */
  media: FileNames & {
    width: number
    height: number
    placeholder: string
    animated: number
    bytes: number
    created_at: string
    /** Null if everybody who may read the community may see it. Only `lifecycle.setGuard` changes it. */
    guard: string | null
    /**
     * The file counts in the quota of this member: the author, the owner of the profile, or the member who
     * chose the picture of a group. Null once it is unreferenced, and for the picture of the community.
     */
    owner_id: number | null
    /** Browsers save the file under this name; null for a picture. */
    file_name: string | null
    /** Null for a picture. */
    file_kind: FileKind | null
    /** SHA-256 in hexadecimal; null for a picture. */
    file_hash: string | null
    /** In ms, of a video; null if its file does not say it. */
    duration: number | null
  }
  /** Rows that show the files of `source`, which stay meanwhile, as for a forwarded picture. */
  media_sources: { name: string; source: string }
  /** A reference to it was removed. Another one may exist. */
  unreferenced_media: {
    name: string
    /** Random; each removal of a reference changes it. */
    token: string
  }
  /** Without a row in `media`, but perhaps with files: not yet attached, or being deleted. */
  pending_media: FileNames & {
    /** ISO 8601. */
    since: string
    /** 1 once the deletion of the files has begun: the upload cannot be attached. Otherwise 0. */
    is_deleting: number
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends MediaTables {}
}

export const mediaMigrations: Migrations = {
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
  'media 5': () => [
    'alter table unshown_media rename to unreferenced_media',
    'alter table loose_media rename to pending_media',
    'alter table pending_media rename column going to is_deleting',
  ],
  // With `bytes` in the index, the sum of a member's pictures reads no rows of the table.
  'media 6': () => [
    'alter table media add column owner_id bigint',
    'create index media_owner on media (owner_id, bytes) where owner_id is not null',
  ],
  'media 7': () => [
    'alter table media add column file_name text',
    'alter table media add column file_kind text',
    'alter table media add column file_hash text',
  ],
  'media 8': () => [
    `create table media_sources (
      name text primary key references media (name), source text not null references media (name))`,
    'create index media_sources_source on media_sources (source)',
    "alter table unreferenced_media add column token text not null default ''",
  ],
  'media 9': () => ['alter table media add column duration integer'],
}

/** `names` is a query. */
export const setGuardSql = (guard: string, names: string) =>
  `update media set guard = '${guard}' where name in (${names})`

/** `owners` is a query for the columns `name` (of a picture) and `user_id`. */
export const setOwnersSql = (owners: string) =>
  `update media set owner_id = (select min(owned.user_id) from (${owners}) as owned
    where owned.name = media.name) where name in (select owned.name from (${owners}) as owned)`
