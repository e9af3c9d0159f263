import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export const GUARD = 'album picture'

export interface AlbumTables {
  albums: {
    id: Generated<number>
    title: string
    text: string | null
    /** Null: it belongs to all members. */
    group_id: number | null
    /** Null if the account was deleted. */
    created_by: number | null
    created_at: string
  }
  album_pictures: {
    id: Generated<number>
    album_id: number
    user_id: number
    media: string
    /** SHA-256 of the bytes that were sent, in hexadecimal. */
    hash: string
    /** As it was called on the device. */
    file_name: string
    taken_at: string
    created_at: string
  }
  /** For people without an account. */
  album_links: {
    id: Generated<number>
    album_id: number
    created_by: number
    /** SHA-256 of the secret in the address, in hexadecimal. */
    token_hash: string
    created_at: string
    ends_at: string
    views: number
    viewed_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AlbumTables {}
}

export const albumMigrations: Migrations = {
  'albums 1': ({ id }) => [
    `create table albums (
      id ${id}, title text not null, text text, group_id bigint,
      created_by bigint references users (id) on delete set null, created_at text not null)`,
    'create index albums_group on albums (group_id, id)',
    'create index albums_creator on albums (created_by) where created_by is not null',
    `create table album_pictures (
      id ${id}, album_id bigint not null references albums (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      media text not null references media (name), hash text not null, file_name text not null,
      taken_at text not null, created_at text not null)`,
    'create unique index album_pictures_hash on album_pictures (album_id, hash, user_id)',
    'create unique index album_pictures_media on album_pictures (media)',
    'create index album_pictures_added on album_pictures (album_id, id, user_id)',
    'create index album_pictures_taken on album_pictures (album_id, taken_at, id)',
    'create index album_pictures_person on album_pictures (album_id, user_id, id)',
    'create index album_pictures_user on album_pictures (user_id, id)',
  ],
  'albums 2': ({ id }) => [
    `create table album_links (
      id ${id}, album_id bigint not null references albums (id) on delete cascade,
      created_by bigint not null references users (id) on delete cascade, token_hash text not null,
      created_at text not null, ends_at text not null, views integer not null, viewed_at text)`,
    'create unique index album_links_token on album_links (token_hash)',
    'create index album_links_album on album_links (album_id, id)',
    'create index album_links_creator on album_links (created_by)',
    'create index album_links_end on album_links (ends_at)',
  ],
}
