import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { readSchema, type Table } from '#core/backup/schema.ts'
import { withSqliteFile } from '#core/backup/sqlite-file.ts'
import { type Db, isPostgres, type Migrations } from '#core/database/database.ts'

/** The rows of each table, and their SHA-256 in the order of the primary key: the same on both databases. */
export type Tally = Record<string, { rows: number; hash: string }>

export type Row = Record<string, string | number | null>
const BATCH_SIZE = 500

/** All rows of a table in the order of its key. Others must not change them meanwhile. */
async function* readBatches(db: Db, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  // By bytes, as SQLite sorts text, whatever the collation of the PostgreSQL database is.
  const order = sql.join(
    key.map(({ column, isText }) =>
      isText && isPostgres(db) ? sql`${sql.ref(column)} collate "C"` : sql.ref(column),
    ),
  )
  const all = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}`
  let last: Row | undefined
  do {
    const after = last ? sql`where (${order}) > (${sql.join(key.map(({ column }) => last![column]))})` : sql``
    const { rows } = await sql<Row>`${all} ${after} order by ${order} limit ${sql.lit(BATCH_SIZE)}`.execute(
      db,
    )
    if (rows.length) yield rows
    last = rows.length === BATCH_SIZE ? rows.at(-1) : undefined
    await nextTurn() // node:sqlite answers synchronously: without this nothing else would run
  } while (last)
}

/** Reads every row, and passes it to `onRows`. `db` sees a snapshot, or nobody writes to it. */
export async function tally(
  db: Db,
  tables: readonly Table[],
  onRows?: (table: Table, rows: readonly Row[]) => Promise<unknown>,
): Promise<Tally> {
  const result: Tally = {}
  for (const table of tables) {
    const hash = createHash('sha256')
    let count = 0
    for await (const rows of readBatches(db, table)) {
      await onRows?.(table, rows)
      for (const row of rows) hash.update(`${JSON.stringify(table.columns.map((column) => row[column]))}\n`)
      count += rows.length
    }
    result[table.name] = { rows: count, hash: hash.digest('hex') }
  }
  return result
}

export const tallyDatabase = async (db: Db, lists: readonly Migrations[]) =>
  tally(db, (await readSchema(db, lists)).tables)

export const tallyFile = (file: string, lists: readonly Migrations[]) =>
  withSqliteFile(file, (db) => tallyDatabase(db, lists))

export const rowCount = (all: Tally) => Object.values(all).reduce((sum, { rows }) => sum + rows, 0)

/** The first table in which two tallies differ, or null. */
export function difference(one: Tally, other: Tally) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const differs = (name: string) =>
    one[name]?.hash !== other[name]?.hash || one[name]?.rows !== other[name]?.rows
  return [...names].find(differs) ?? null
}

export function assertSame(expected: Tally, found: Tally) {
  const table = difference(expected, found)
  if (table) throw new Error(`The copy of the table ${table} is not what was copied.`)
}
