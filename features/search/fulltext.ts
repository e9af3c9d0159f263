import { sql } from 'kysely'
import { type Db, idIn, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { needsLook, type Phrase, phrase, type Term } from './query.ts'
import { type Kind, type Text, texts, words } from './sources.ts'
import { tables } from './tables.ts'

// The full-text index: FTS5 without its texts on SQLite, GIN on PostgreSQL. Only this file knows which.

/** Changed texts that a transaction brings up to date itself; a job takes the others, such as those of a deleted member. */
const MAX_OWN_MARKS = 500

/** Brings the index up to date with what this transaction has changed. */
export async function update(tx: Tx) {
  const { rows } = isPostgres(tx)
    ? await sql<Mark>`delete from search_marks where ctid in (select ctid from search_marks
        where tx = pg_current_xact_id()::text::bigint limit ${MAX_OWN_MARKS}) returning kind, id`.execute(tx)
    : await sql<Mark>`delete from search_marks where rowid in (select rowid from search_marks
        order by rowid desc limit ${MAX_OWN_MARKS}) returning kind, id`.execute(tx)
  await putMarked(tx, rows)
}

interface Mark {
  kind: Kind
  id: number
}

/** As `update`, for what other transactions have left, oldest first. Resolves to the number of marks. */
export async function updateLeft(tx: Tx, limit: number) {
  const { rows } = isPostgres(tx)
    ? await sql<Mark>`delete from search_marks where ctid in (select ctid from search_marks
        limit ${limit} for update skip locked) returning kind, id`.execute(tx)
    : await sql<Mark>`delete from search_marks where rowid in (select rowid from search_marks
        order by rowid limit ${limit}) returning kind, id`.execute(tx)
  await putMarked(tx, rows)
  return rows.length
}

async function putMarked(tx: Tx, marks: readonly Mark[]) {
  for (const [kind, of] of Map.groupBy(marks, ({ kind }) => kind))
    await put(
      tx,
      kind,
      [...new Set(of.map(({ id }) => id))].sort((a, b) => a - b),
    )
}

/** Writes these texts into the index as they are now, and removes those that do not exist. */
export async function put(tx: Tx, kind: Kind, ids: readonly number[]) {
  if (!ids.length) return
  // PostgreSQL runs them in this order: nobody else changes the rows after the texts are read.
  const [{ rows: existing }, found] = await Promise.all([
    isPostgres(tx)
      ? sql<{ id: number }>`select id from ${sql.table(tables[kind])} where ${idIn(tx, 'id', ids)}
          order by id for update`.execute(tx)
      : sql<{ id: number }>`select rowid as id from ${sql.table(tables[kind])}
          where rowid in (select value from json_each(${JSON.stringify(ids)}))`.execute(tx),
    texts(tx, kind, ids),
  ])
  const old = existing.map(({ id }) => id)
  if (isPostgres(tx)) await putPostgres(tx, kind, old, found)
  else await putSqlite(tx, kind, old, found)
}

async function putSqlite(tx: Tx, kind: Kind, old: readonly number[], found: readonly Text[]) {
  const table = sql.table(tables[kind])
  for (const id of old) await sql`delete from ${table} where rowid = ${id}`.execute(tx)
  for (const text of found) {
    const { words: body, names } = words(text)
    await sql`insert into ${table} (rowid, words, names)
      values (${text.id}, ${body.join(' ')}, ${names.join(' ')})`.execute(tx)
  }
  if (old.length)
    await tx
      .updateTable('search_states')
      .set({ stale_since: isoNow() })
      .where('kind', '=', kind)
      .where('stale_since', 'is', null)
      .execute()
}

async function putPostgres(tx: Tx, kind: Kind, old: readonly number[], found: readonly Text[]) {
  const table = sql.table(tables[kind])
  const kept = new Set(found.map(({ id }) => id))
  const gone = old.filter((id) => !kept.has(id))
  if (gone.length) await sql`delete from ${table} where ${idIn(tx, 'id', gone)}`.execute(tx)
  if (found.length)
    await sql`insert into ${table} (id, tokens) select id, tokens::tsvector
      from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(vector)}::text[]) as t (id, tokens)
      on conflict (id) do update set tokens = excluded.tokens`.execute(tx)
}

const lexeme = (word: string) => `'${word.replace(/['\\]/g, '$&$&')}'`

/** Words of the names of files have the weight B. */
export function vector(text: Text) {
  const { words: body, names } = words(text)
  const positions = [
    ...body.map((word, index) => `${lexeme(word)}:${index + 1}`),
    ...names.map((word, index) => `${lexeme(word)}:${body.length + index + 1}B`),
  ]
  return positions.join(' ')
}

/** What a search asks the index for: all of the phrases, one of each list of words, and nothing excluded. */
export interface Match {
  terms: readonly Term[]
  /** Single words of the index (sources.ts), such as those of a place or an author. */
  facets: readonly (readonly string[])[]
  /** Only in the names of files. */
  inNames: boolean
}

export const isEmpty = ({ facets }: Match) => facets.some((words) => !words.length)

interface Bounds {
  /** Ids: at least `from`, and below `before`. */
  from: number
  before: number
  limit: number
}

/** The newest of these rows are looked at one by one before the index is asked. PostgreSQL only. */
const WINDOW = 3000

/** Newest first. The match is right except for terms that need a look (query.ts). */
export async function find(db: Db, kind: Kind, match: Match, { from, before, limit }: Bounds) {
  const table = sql.table(tables[kind])
  if (!isPostgres(db)) {
    const { rows } = await sql<{ id: number }>`select rowid as id from ${table}
      where ${table} match ${fts5(match)} and rowid >= ${from} and rowid < ${before}
      order by rowid desc limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const query = sql`${tsquery(match)}::tsquery`
  // Two statements, because the planner does not know whether the words are frequent. Those that are have
  // hits among the newest rows; of the others the index has few.
  const near = await sql<{ id: number; hits: boolean }>`select id, tokens @@ ${query} as hits from ${table}
    where id >= ${from} and id < ${before} order by id desc limit ${WINDOW}`.execute(db)
  const hits = near.rows.flatMap((row) => (row.hits ? row.id : []))
  if (hits.length >= limit || near.rows.length < WINDOW) return hits.slice(0, limit)
  const { rows } = await sql<{ id: number }>`with found as materialized (
      select id from ${table} where tokens @@ ${query})
    select id from found where id >= ${from} and id < ${before} order by id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

function fts5({ terms, facets, inNames }: Match) {
  const column = inNames ? 'names : ' : ''
  const one = ({ words: parts, isOpen }: Phrase) => `${column}"${parts.join(' ')}"${isOpen ? ' *' : ''}`
  const wanted = [
    ...terms.filter(({ isExcluded }) => !isExcluded).map((term) => one(phrase(term))),
    ...facets.map((words) => `(${words.map((word) => `"${word}"`).join(' OR ')})`),
  ]
  const unwanted = excluded(terms).map((term) => one(phrase(term)))
  return [`(${wanted.join(' AND ')})`, ...unwanted].join(' NOT ')
}

function tsquery({ terms, facets, inNames }: Match) {
  const one = ({ words: parts, isOpen }: Phrase) => {
    const suffix = (index: number) =>
      `${isOpen && index === parts.length - 1 ? '*' : ''}${inNames ? 'B' : ''}`
    return `(${parts.map((word, index) => `${lexeme(word)}:${suffix(index)}`.replace(/:$/, '')).join(' <-> ')})`
  }
  return [
    ...terms.filter(({ isExcluded }) => !isExcluded).map((term) => one(phrase(term))),
    ...facets.map((words) => `(${words.map(lexeme).join(' | ')})`),
    ...excluded(terms).map((term) => `!${one(phrase(term))}`),
  ].join(' & ')
}

/** Of those that need a look, the index would exclude too many. */
const excluded = (terms: readonly Term[]) => terms.filter((term) => term.isExcluded && !needsLook(term))
