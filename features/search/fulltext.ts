import { sql } from 'kysely'
import { type Db, idIn, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { needsLook, type Phrase, phrase, type Term } from './query.ts'
import { author, type Kind, place, type Text, texts, words } from './sources.ts'
import { recent, type SearchTables, tables } from './tables.ts'
import { runs } from './words.ts'

// The full-text index: FTS5 without its texts on SQLite, GIN on PostgreSQL. Only this file knows which.

/** Changed texts that a transaction brings up to date itself; a job takes the others, such as those of a deleted member. */
const MAX_OWN_MARKS = 500

/** Brings the index up to date with what this transaction has changed. */
export async function update(tx: Tx) {
  const { rows } = isPostgres(tx)
    ? await sql<Mark>`delete from search_marks where ctid in (select ctid from search_marks
        where tx = pg_current_xact_id()::text::bigint limit ${MAX_OWN_MARKS}) returning *`.execute(tx)
    : await sql<Mark>`delete from search_marks
        where rowid > (select max(rowid) - ${MAX_OWN_MARKS} from search_marks) returning *`.execute(tx)
  // An older mark may be left of a text whose newer one is gone: then the text is in the index already.
  if (rows.length >= MAX_OWN_MARKS) await tx.updateTable('search_marks').set({ is_new: 0 }).execute()
  await putMarked(tx, rows, true)
}

type Mark = SearchTables['search_marks']

/** As `update`, for what other transactions have left, oldest first. Resolves to the number of marks. */
export async function updateLeft(tx: Tx, limit: number) {
  const { rows } = isPostgres(tx)
    ? await sql<Mark>`delete from search_marks where ctid in (select ctid from search_marks
        limit ${limit} for update skip locked) returning *`.execute(tx)
    : await sql<Mark>`delete from search_marks where rowid in (select rowid from search_marks
        order by rowid limit ${limit}) returning *`.execute(tx)
  await putMarked(tx, rows, false)
  return rows.length
}

/** `own`: all marks of a new text are among these. */
async function putMarked(tx: Tx, marks: readonly Mark[], own: boolean) {
  for (const [kind, of] of Map.groupBy(marks, ({ kind }) => kind)) {
    const ids = [...new Set(of.map(({ id }) => id))].sort((a, b) => a - b)
    const added = new Set(of.flatMap(({ id, is_new }) => (is_new ? id : [])))
    const isNew = own && added.size === ids.length
    await put(tx, kind, ids, isNew ? new Set(of.map(({ part }) => part)) : null)
  }
}

/**
 * Writes these texts into the index as they are now, and removes those that do not exist. `parts`: all are new,
 * and have nothing in other tables.
 */
async function put(tx: Tx, kind: Kind, ids: readonly number[], parts: ReadonlySet<string> | null = null) {
  if (!ids.length) return
  // PostgreSQL runs them in this order: nobody else changes the rows after the texts are read.
  const [old, found] = await Promise.all([
    parts ? [] : present(tx, kind, ids),
    texts(tx, kind, ids, parts ? (table) => parts.has(table) : undefined),
  ])
  if (isPostgres(tx)) await putPostgres(tx, kind, old, found)
  else await putSqlite(tx, kind, old, found)
}

/** Those that the index has; locked on PostgreSQL. */
async function present(tx: Tx, kind: Kind, ids: readonly number[]) {
  const table = sql.table(tables[kind])
  const { rows } = isPostgres(tx)
    ? await sql<{ id: number }>`select id from ${table} where ${idIn(tx, 'id', ids)}
        order by id for update`.execute(tx)
    : await sql<{ id: number }>`with ids as (select value from json_each(${JSON.stringify(ids)}))
        select rowid as id from ${table} where rowid in ids
        union select rowid from ${sql.table(recent(kind))} where rowid in ids`.execute(tx)
  return rows.map(({ id }) => id)
}

async function putSqlite(tx: Tx, kind: Kind, old: readonly number[], found: readonly Text[]) {
  await remove(tx, kind, old)
  await insert(tx, recent(kind), found)
}

async function remove(tx: Tx, kind: Kind, ids: readonly number[]) {
  for (const [table, column] of stores(kind)) {
    let removed = 0n
    for (const id of ids) {
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where rowid = ${id}`.execute(
        tx,
      )
      removed += numAffectedRows
    }
    if (removed)
      await tx
        .updateTable('search_states')
        .set({ [column]: isoNow() })
        .where('kind', '=', kind)
        .execute()
  }
}

/** The tables of a kind on SQLite, with the column that says whether one has words of before. */
export const stores = (kind: Kind) =>
  [
    [tables[kind], 'stale_since'],
    [recent(kind), 'recent_stale_since'],
  ] as const

async function insert(tx: Tx, table: string, found: readonly Text[]) {
  for (const text of found) {
    const { words: body, names } = words(text)
    await sql`insert into ${sql.table(table)} (rowid, words, names)
      values (${text.id}, ${body.join(' ')}, ${names.join(' ')})`.execute(tx)
  }
}

/** SQLite only: with twice as many recent texts, the older half is moved to the large index. */
const MAX_RECENT = 2000

export async function hasSurplus(db: Db, kind: Kind) {
  const { rows } = await sql`select id from ${sql.table(`${recent(kind)}_docsize`)}
    limit 1 offset ${2 * MAX_RECENT}`.execute(db)
  return rows.length > 0
}

/** Moves the oldest recent texts. Resolves to whether there may be more. */
export async function settle(tx: Tx, kind: Kind, limit: number) {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(`${recent(kind)}_docsize`)}
    order by id desc limit ${limit} offset ${MAX_RECENT}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return false
  const found = await texts(tx, kind, ids)
  await remove(tx, kind, ids)
  await insert(tx, tables[kind], found)
  return ids.length === limit
}

/** As `put`, for texts of before: into the large index. */
export async function fill(tx: Tx, kind: Kind, ids: readonly number[]) {
  if (isPostgres(tx)) return put(tx, kind, ids)
  await remove(tx, kind, await present(tx, kind, ids))
  await insert(tx, tables[kind], await texts(tx, kind, ids))
}

async function putPostgres(tx: Tx, kind: Kind, old: readonly number[], found: readonly Text[]) {
  const table = sql.table(tables[kind])
  const kept = new Set(found.map(({ id }) => id))
  const gone = old.filter((id) => !kept.has(id))
  if (gone.length) await sql`delete from ${table} where ${idIn(tx, 'id', gone)}`.execute(tx)
  if (!found.length) return
  await sql`insert into ${table} (id, author, place, tokens)
    select id, author, place, tokens::tsvector
    from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map((text) => author(text.user_id))}::text[],
      ${found.map((text) => place(text.place))}::text[], ${found.map(vector)}::text[])
      as t (id, author, place, tokens)
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
  /** Words of places and authors; null: anywhere. */
  scope: readonly string[] | null
  /** Ids: at least `from`, and below `before`. */
  from: number
  before: number
  limit: number
}

/** More places than these cost more than they save. */
export const MAX_PLACES = 32

/** Terms of which the index is asked: the longest ones. A search looks for the others in the texts. */
const MAX_TERMS = 8

export function asked(terms: readonly Term[]) {
  const wanted = terms
    .filter(({ isExcluded }) => !isExcluded)
    .toSorted((a, b) => b.text.length - a.text.length)
  const quick = wanted.filter((term) => !isSlow(term))
  return (quick.length ? quick : wanted).slice(0, MAX_TERMS)
}

/** Very many words begin with two letters. Of single characters the index knows the beginnings. */
const isSlow = (term: Term) => {
  const { words: parts, isOpen } = phrase(term)
  return isOpen && parts.length === 1 && term.text.length <= 2 && !runs(term.text)[0]!.isUnspaced
}

/** Newest first. The match is right except for terms that need a look (query.ts). */
export const find = (db: Db, kind: Kind, match: Match, bounds: Bounds) =>
  isPostgres(db) ? findPostgres(db, kind, match, bounds) : findSqlite(db, kind, match, bounds)

async function findSqlite(db: Db, kind: Kind, match: Match, { scope, from, before, limit }: Bounds) {
  const expression = fts5(scope ? { ...match, facets: [...match.facets, scope] } : match)
  const found = await Promise.all(
    stores(kind).map(([name]) =>
      sql<{ id: number }>`select rowid as id from ${sql.table(name)}
        where ${sql.table(name)} match ${expression} and rowid >= ${from} and rowid < ${before}
        order by rowid desc limit ${limit}`.execute(db),
    ),
  )
  const ids = found.flatMap(({ rows }) => rows.map(({ id }) => id))
  return ids.sort((a, b) => b - a).slice(0, limit)
}

/** So many of the newest rows are looked at one by one, before and after the index is asked. */
const NEAR = 1000
const FAR = 10_000
/** If the index has at most so many hits, all of them are read. */
const RARE = 1000

/**
 * Several statements, because the planner does not know whether words are frequent: those that are have hits
 * among the newest rows, and of the others the index has few.
 */
async function findPostgres(db: Db, kind: Kind, match: Match, { scope, from, before, limit }: Bounds) {
  const table = sql.table(tables[kind])
  const inScope = scope ? sql`(place = any(${scope}::text[]) or author = any(${scope}::text[]))` : sql`true`
  const fits = sql`tokens @@ ${tsquery(match)}::tsquery and ${inScope}`
  // The index narrows to a few places; more are quicker to compare.
  const facets = scope && scope.length <= MAX_PLACES ? [...match.facets, scope] : match.facets
  const indexed = sql`tokens @@ ${tsquery({ ...selective(match), facets })}::tsquery`
  const bounded = sql`id >= ${from} and id < ${before}`
  const newest = async (count: number) => {
    const { rows } = await sql<{ id: number }>`select id from
      (select * from ${table} where ${bounded} order by id desc limit ${count}) as newest
      where ${fits} order by id desc limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }

  const near = await newest(NEAR)
  if (near.length === limit) return near
  const { rows: found } = await sql<{ total: number; ids: number[] | null }>`
    with hits as materialized (select * from ${table} where ${indexed} limit ${RARE + 1})
    select count(*) as total, array_agg(id order by id desc) filter (where ${fits} and ${bounded}) as ids
    from hits`.execute(db)
  const { total, ids } = found[0]!
  if (Number(total) <= RARE) return (ids ?? []).map(Number).slice(0, limit)
  const far = await newest(FAR)
  if (far.length === limit) return far
  const { rows } = await sql<{ id: number }>`
    with hits as materialized (select id from ${table} where ${indexed} and ${fits})
    select id from hits where ${bounded} order by id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Without single characters, for which the index has to read all words that begin with them. */
function selective(match: Match): Match {
  const longer = match.terms.filter((term) => !term.isExcluded && !isShort(phrase(term)))
  return longer.length ? { ...match, terms: longer } : match
}
const isShort = ({ words: parts, isOpen }: Phrase) =>
  isOpen && parts.length === 1 && [...parts[0]!].length === 1

function fts5({ terms, facets, inNames }: Match) {
  const column = inNames ? 'names : ' : ''
  const one = ({ words: parts, isOpen }: Phrase) => `${column}"${parts.join(' ')}"${isOpen ? ' *' : ''}`
  const wanted = [
    ...asked(terms).map((term) => one(phrase(term))),
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
    ...asked(terms).map((term) => one(phrase(term))),
    ...facets.map((words) => `(${words.map(lexeme).join(' | ')})`),
    ...excluded(terms).map((term) => `!${one(phrase(term))}`),
  ].join(' & ')
}

/** Of those that need a look, the index would exclude too many. */
export const excluded = (terms: readonly Term[]) =>
  terms.filter((term) => term.isExcluded && !needsLook(term)).slice(0, MAX_TERMS)
