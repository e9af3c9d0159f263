import { sql } from 'kysely'
import { type Db, idIn } from '#core/database/database.ts'
import type { Place } from './attachments.ts'
import type { PostAudience } from './contract.ts'
import { postPlace } from './tables.ts'

// What a search index holds of posts, and of the attachments of posts, replies and messages. Nothing here
// checks who may see it.

/** A post, reply or message. */
export interface SearchedText {
  id: number
  user_id: number
  body: string | null
  created_at: string
  /** The id of the group or private chat in which it stands, or the audience of its post. */
  place: number | PostAudience
}

/** A table whose changes change what is found. */
export interface Watched {
  table: string
  /** SQL for the id of the post, reply or message, in which `ROW` is the changed row; null: it is of another kind. */
  id: string
  columns: readonly string[]
}

export const watched: readonly Watched[] = [
  { table: 'posts', id: 'ROW.id', columns: ['body'] },
  { table: 'post_attachments', id: 'ROW.post_id', columns: ['alt'] },
]

interface TextRow {
  id: number
  user_id: number
  body: string | null
  created_at: string
  audience: PostAudience
  group_id: number | null
}

const toSearched = ({ audience, group_id, ...row }: TextRow): SearchedText => ({
  ...row,
  place: group_id ?? audience,
})

/** In no particular order, without those that do not exist. */
export async function texts(db: Db, ids: readonly number[]): Promise<SearchedText[]> {
  const { rows } = await sql<TextRow>`select id, user_id, body, created_at, audience, group_id
    from posts where ${idIn(db, 'id', ids)}`.execute(db)
  return rows.map(toSearched)
}

type Table = 'posts' | 'replies' | 'messages'

/** Newest first. */
export async function idsBelow(db: Db, table: Table, before: number, limit: number) {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where id < ${before} order by id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The row with this id, or the next one; undefined after the last. */
export async function rowFrom(db: Db, table: Table, id: number) {
  const { rows } = await sql<{ id: number; created_at: string }>`select id, created_at
    from ${sql.table(table)} where id >= ${id} order by id limit 1`.execute(db)
  return rows[0]
}

export async function newestId(db: Db, table: Table) {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(db)
  return rows[0]!.id ?? 0
}

/** Of a post, reply or message. */
export interface SearchedFile {
  id: number
  /** Null: a picture. */
  name: string | null
  alt: string | null
  is_voice: boolean
}

const noFiles: readonly SearchedFile[] = []

/** Without first pages of PDFs. Resolves to a function that takes the id of a post, reply or message. */
export async function files(db: Db, { table, column }: Place, owners: readonly number[]) {
  const { rows } = await sql<{
    owner: number
    id: number
    alt: string | null
    file_name: string | null
    file_kind: string | null
  }>`select ${sql.ref(`a.${column}`)} as owner, a.id, a.alt, m.file_name, m.file_kind
    from ${sql.table(table)} a join media m on m.name = a.media
    where ${idIn(db, `a.${column}`, owners)} and (a.file is null or m.file_name is not null)
    order by a.position`.execute(db)
  const byOwner = Map.groupBy(rows, ({ owner }) => owner)
  return (id: number): readonly SearchedFile[] =>
    byOwner.get(id)?.map(({ id, alt, file_name, file_kind }) => ({
      id,
      alt,
      name: file_name,
      is_voice: file_kind === 'voice',
    })) ?? noFiles
}

export const postFiles = (db: Db, ids: readonly number[]) => files(db, postPlace, ids)
