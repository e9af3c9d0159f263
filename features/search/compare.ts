import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, isPostgres } from '#core/database/database.ts'
import { idsBelow } from '#features/posts/searched.ts'
import { stores, vector } from './fulltext.ts'
import { type Kind, kinds, sources, type Text, texts, words } from './sources.ts'
import { tables } from './tables.ts'

const BATCH = 500

export interface Difference {
  kind: Kind
  id: number
}

/**
 * Compares the index with all texts, and resolves to those whose words it does not have, or has wrongly. `db` is
 * a snapshot: nobody writes to it. Reads everything.
 */
export async function compare(db: Db) {
  const found: Difference[] = []
  for (const kind of kinds) {
    const { above } = await db
      .selectFrom('search_states')
      .select('above')
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    const indexed = await readIndex(db, kind)
    for await (const batch of allTexts(db, kind))
      for (const text of batch) {
        const isMissing = above === null || text.id < above
        if (!isMissing && indexed.get(text.id) !== expected(db, text)) found.push({ kind, id: text.id })
        indexed.delete(text.id)
      }
    // What is left belongs to no text.
    for (const id of indexed.keys()) found.push({ kind, id })
  }
  return found
}

async function* allTexts(db: Db, kind: Kind) {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = await idsBelow(db, sources[kind].table, before, BATCH)
    yield await texts(db, kind, ids)
    if (ids.length < BATCH) return
    before = ids.at(-1)!
    await nextTurn()
  }
}

/** For each row of the index, what `expected` gives for its text. */
const readIndex = (db: Db, kind: Kind) => (isPostgres(db) ? readVectors(db, kind) : readInstances(db, kind))

const expected = (db: Db, text: Text) => (isPostgres(db) ? sortedVector(text) : sum(text))

async function readVectors(db: Db, kind: Kind) {
  const { rows } = await sql<{ id: number; tokens: string }>`select id, tokens::text as tokens
    from ${sql.table(tables[kind])}`.execute(db)
  return new Map(rows.map(({ id, tokens }) => [id, digest(tokens.split(' ').flatMap(positions))]))
}

/** `'rain':3,7B` has the positions 3 and 7B of the word. */
function positions(part: string) {
  const at = part.lastIndexOf(':')
  return part
    .slice(at + 1)
    .split(',')
    .map((position) => `${part.slice(0, at)}:${position}`)
}

const sortedVector = (text: Text) => digest(vector(text).split(' '))
const digest = (parts: readonly string[]) =>
  createHash('sha256').update(parts.toSorted().join(' ')).digest('base64')

/** Words, columns and places as one number, which does not depend on their order. */
function instance(word: string, column: string, offset: number) {
  let hash = column === 'words' ? 7 : 11
  for (let index = 0; index < word.length; index++)
    hash = (hash * 31 + word.charCodeAt(index)) % 2_147_483_647
  return hash * ((offset % 1021) + 1)
}

function sum(text: Text) {
  let total = 0
  for (const [column, all] of Object.entries(words(text)))
    for (const [offset, word] of all.entries()) total = (total + instance(word, column, offset)) % 2 ** 52
  return total
}

async function readInstances(db: Db, kind: Kind) {
  const sums = new Map<number, number>()
  for (const [table] of stores(kind)) await addInstances(db, table, sums)
  return sums
}

async function addInstances(db: Db, table: string, sums: Map<number, number>) {
  const name = `${table}_instances`
  await sql`create virtual table temp.${sql.ref(name)}
    using fts5vocab (main, ${sql.ref(table)}, instance)`.execute(db)
  const rows = db
    .selectFrom(
      sql<{ term: string; doc: number; col: string; offset: number }>`temp.${sql.ref(name)}`.as('v'),
    )
    .select(['term', 'doc', 'col', 'offset'])
    .stream()
  for await (const { term, doc, col, offset } of rows)
    sums.set(doc, ((sums.get(doc) ?? 0) + instance(term, col, offset)) % 2 ** 52)
}
