import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Table } from '#core/backup/schema.ts'
import * as schema from '#core/backup/schema.ts'
import { withReadTransaction } from '#core/backup/sqlite-file.ts'
import { type Db, isPostgres, type Migrations } from '#core/database/database.ts'

/**
 * The number of rows of each table, and a SHA-256 of the rows in the order of the primary key. SQLite and
 * PostgreSQL give the same values for the same rows.
 */
export type TableHashes = Record<string, { rows: number; hash: string }>

export type DatabaseRow = Record<string, string | number | null>
const BATCH_SIZE = 500

/**
 * Yields all rows of a table in batches, in the order of its primary key. The table must not change
 * meanwhile.
 */
async function* readBatches(db: Db, { name, columns, key }: Table): AsyncGenerator<DatabaseRow[]> {
  // Orders the rows by the bytes of their keys, as SQLite does, whatever the collation of the PostgreSQL
  // database is.
  const order = sql.join(
    key.map(({ column, isText }) =>
      isText && isPostgres(db) ? sql`${sql.ref(column)} collate "C"` : sql.ref(column),
    ),
  )
  const all = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}`
  let last: DatabaseRow | undefined
  do {
    const after = last ? sql`where (${order}) > (${sql.join(key.map(({ column }) => last![column]))})` : sql``
    const { rows } =
      await sql<DatabaseRow>`${all} ${after} order by ${order} limit ${sql.lit(BATCH_SIZE)}`.execute(db)
    if (rows.length) yield rows
    last = rows.length === BATCH_SIZE ? rows.at(-1) : undefined
    // Lets the process do other work before the next batch, because node:sqlite is synchronous.
    await nextTurn()
  } while (last)
}

/**
 * Returns the hashes of the tables. Reads every row, and also passes the rows to `onRows`. Nobody may write
 * to `db` meanwhile, unless it is a snapshot.
 */
export async function ofTables(
  db: Db,
  tables: readonly Table[],
  onRows?: (table: Table, rows: readonly DatabaseRow[]) => Promise<unknown>,
): Promise<TableHashes> {
  const result: TableHashes = {}
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

/** Returns the hashes of all tables that the applied migrations have made. */
export const ofAllTables = async (db: Db, migrations: readonly Migrations[]) =>
  ofTables(db, (await schema.describe(db, migrations)).tables)

export const ofSqliteFile = (file: string, migrations: readonly Migrations[]) =>
  withReadTransaction(file, (db) => ofAllTables(db, migrations))

export const sumRows = (all: TableHashes) => Object.values(all).reduce((sum, { rows }) => sum + rows, 0)

/**
 * Returns the name of the first table whose hash or number of rows differs; null if all tables are the same.
 */
export function findDifferent(one: TableHashes, other: TableHashes) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const differs = (name: string) =>
    one[name]?.hash !== other[name]?.hash || one[name]?.rows !== other[name]?.rows
  return [...names].find(differs) ?? null
}

export function requireSame(expected: TableHashes, found: TableHashes) {
  const table = findDifferent(expected, found)
  if (table) throw new Error(`The copy of the table ${table} is not what was copied.`)
}
