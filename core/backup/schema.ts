import { sql } from 'kysely'
import type { Db, Migrations } from '#core/database/database.ts'
import { createTables, doneMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'

export interface Table {
  name: string
  /** All columns, by name. */
  columns: readonly string[]
  /** The primary key, in its order. */
  key: readonly { column: string; isText: boolean }[]
  /** Whether the database assigns `id`. */
  assignsIds: boolean
  /** Tables that it refers to by foreign keys. */
  references: readonly string[]
}

export interface Schema {
  migrations: string[]
  /** Each after those that it refers to. */
  tables: Table[]
}

const UNDEFINED_TABLE = '42P01'

/** Names of the migrations that were applied to a database; none where it has no tables. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const rows = await doneMigrations(db).catch((error: { code?: string; message?: string }) => {
    if (error.code === UNDEFINED_TABLE || /no such table/.test(error.message ?? '')) return []
    throw error
  })
  return rows.map(({ name }) => name)
}

export async function readSchema(db: Db, lists: readonly Migrations[]): Promise<Schema> {
  const migrations = (await doneMigrations(db)).map(({ name }) => name)
  return { migrations, tables: await tablesOf(lists, migrations) }
}

/** Runs `work` on a new database in memory that the migrations `names` have made. */
export async function withNewDatabase<T>(
  lists: readonly Migrations[],
  names: readonly string[],
  work: (db: Db) => Promise<T>,
) {
  const { db, close } = openSqlite(':memory:')
  try {
    await transaction(db, (tx) => createTables(tx, lists, names))
    return await work(db)
  } finally {
    await close()
  }
}

/**
 * The tables that the migrations `names` make, read from a new database: so there is no list of tables to
 * keep, and both databases give the same. Throws where a table has no primary key, or tables refer to each
 * other in a circle.
 */
export const tablesOf = (lists: readonly Migrations[], names: readonly string[]): Promise<Table[]> =>
  withNewDatabase(lists, names, async (db) => {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master
      where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`.execute(db)
    const tables = []
    for (const row of rows) tables.push(await readTable(db, row))
    return sortByReferences(tables)
  })

async function readTable(db: Db, { name, sql: definition }: { name: string; sql: string }): Promise<Table> {
  const { rows: columns } = await sql<{ name: string; type: string; pk: number }>`
    select name, type, pk from pragma_table_info(${name})`.execute(db)
  const { rows: references } = await sql<{ table: string }>`
    select distinct "table" from pragma_foreign_key_list(${name})`.execute(db)
  const key = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((row) => ({ column: row.name, isText: /text/i.test(row.type) }))
  if (!key.length) throw new Error(`The table ${name} has no primary key, so that it cannot be copied.`)
  return {
    name,
    columns: columns.map((row) => row.name).sort(),
    key,
    assignsIds: /\bautoincrement\b/i.test(definition),
    references: references.map(({ table }) => table),
  }
}

function sortByReferences(tables: Table[]): Table[] {
  const sorted: Table[] = []
  for (let left = tables; left.length; left = left.filter((table) => !sorted.includes(table))) {
    const names = left.map(({ name }) => name)
    const free = left.filter(({ references }) => !references.some((name) => names.includes(name)))
    if (!free.length) throw new Error(`These tables refer to each other in a circle: ${names.join(', ')}.`)
    sorted.push(...free)
  }
  return sorted
}
