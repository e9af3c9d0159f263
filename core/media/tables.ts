import type { MigrationsByName } from '#core/database/database.ts'
import type { NonPictureFileKind } from '#core/stored-file-contract.ts'

/**
 * The columns for the names of the stored files of a picture, `{name}-{width}.webp`. `widths` is separated by
 * commas, from narrow to wide. If it is empty, the row is not a picture but a file that is stored as it was
 * uploaded, as `{name}-original`.
 */
interface FileNames {
  name: string
  widths: string
}
export interface MediaTables {
  /**
   * Attached and unreferenced pictures and files. Rows of posts, replies, messages, groups, users and the
   * community picture refer to `name` by a foreign key. A file that is stored as it was uploaded has no
   * size in pixels and no placeholder.
   */
  media: FileNames & {
    width: number
    height: number
    placeholder: string
    animated: number
    bytes: number
    created_at: string
    /**
     * The name of the guard that decides who may see the picture or file; null if everybody who may read
     * the community may see it. Only `setMediaGuardOfPictures` changes it.
     */
    guard: string | null
    /**
     * The member whose storage quota counts the picture or file: the author of the post, reply or message,
     * the owner of the profile, or the member who chose the picture of a group. Null once it is unreferenced,
     * and for the picture of the community.
     */
    owner_id: number | null
    /** The name under which browsers save a file that is stored as it was uploaded; null for a picture. */
    file_name: string | null
    /** The kind of a file that is stored as it was uploaded; null for a picture. */
    file_kind: NonPictureFileKind | null
    /** The SHA-256 of a file that is stored as it was uploaded, in hexadecimal; null for a picture. */
    file_hash: string | null
  }
  /**
   * The rows of `media` without files of their own, as for a forwarded picture: they show the files of the
   * row `source`, which cannot be deleted meanwhile. A source has files of its own.
   */
  media_sources: { name: string; source: string }
  /**
   * The table of the pictures and files in `media` to which a reference was removed. Another reference may
   * exist.
   */
  unreferenced_media: {
    name: string
    /** A random value that each removal of a reference changes. */
    token: string
  }
  /**
   * The table with one row for each picture or file that has no row in `media` but may have files in the
   * storage: it is not yet attached, or it is being deleted.
   */
  pending_media: FileNames & {
    /** The time at which this row was inserted, in ISO 8601. */
    since: string
    /**
     * 1 once the deletion of the stored files has begun, otherwise 0. From then on the upload cannot be
     * attached.
     */
    is_deleting: number
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends MediaTables {}
}

export const mediaMigrations: MigrationsByName = {
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
  // Adds `bytes` to the index, so that the sum of a member's pictures reads no rows of the table.
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
}

/**
 * Returns the SQL statement of a migration that gives existing pictures a guard. `names` is a query for the
 * names of the pictures.
 */
export const createSetMediaGuardSql = (guard: string, names: string) =>
  `update media set guard = '${guard}' where name in (${names})`

/**
 * Returns the SQL statement of a migration that names the owners of existing pictures. `owners` is a query
 * for the columns `name` (of a picture) and `user_id`.
 */
export const createSetMediaOwnersSql = (owners: string) =>
  `update media set owner_id = (select min(owned.user_id) from (${owners}) as owned
    where owned.name = media.name) where name in (select owned.name from (${owners}) as owned)`
