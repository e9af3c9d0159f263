import { sql } from 'kysely'
import type { Db, Migrations } from '#core/database/database.ts'
import { createTables, listMigrationRows } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'

export interface Table {
  name: string
  /** The names of all columns of the table, in alphabetical order. */
  columns: readonly string[]
  /** The columns of the table's primary key, in the order of the key. */
  key: readonly { column: string; isText: boolean }[]
  /** Whether the database assigns the ids of new rows (the column `id`). */
  assignsIds: boolean
  /** The names of the other tables to which the foreign keys of this table refer. */
  references: readonly string[]
  /** Whether its rows follow from those of other tables, and are not copied: its name begins with `search_`. */
  isDerived: boolean
}

export interface Schema {
  migrations: string[]
  /** The tables to copy, without derived ones, sorted so that each table comes after the tables that it refers to. */
  tables: Table[]
}

const UNDEFINED_TABLE = '42P01'

/** Returns the names of the migrations that were applied to a database; an empty list if it has no tables. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const rows = await listMigrationRows(db).catch((error: { code?: string; message?: string }) => {
    if (error.code === UNDEFINED_TABLE || /no such table/.test(error.message ?? '')) return []
    throw error
  })
  return rows.map(({ name }) => name)
}

/**
 * Returns the tables of a database, as its applied migrations create them, and the names of these migrations.
 */
export async function describe(db: Db, migrations: readonly Migrations[]): Promise<Schema> {
  const names = (await listMigrationRows(db)).map(({ name }) => name)
  const tables = await tablesOf(migrations, names)
  return { migrations: names, tables: tables.filter(({ isDerived }) => !isDerived) }
}

/**
 * Runs `work` on a new database in memory that only the migrations `names` have made, so that a backup of an
 * older version is compared with the tables of that version.
 */
export async function withMemoryDatabase<T>(
  migrations: readonly Migrations[],
  names: readonly string[],
  work: (db: Db) => Promise<T>,
) {
  const { db, close } = openSqlite(':memory:')
  try {
    await transaction(db, (tx) => createTables(tx, migrations, names))
    return await work(db)
  } finally {
    await close()
  }
}

/**
 * Returns the tables that the migrations in `names` create. Runs these migrations on an SQLite database in
 * memory, so that nobody has to maintain a list of tables, and the result is the same for SQLite and
 * PostgreSQL. Throws if a table has no primary key, or if foreign keys form a cycle.
 */
export const tablesOf = (migrations: readonly Migrations[], names: readonly string[]): Promise<Table[]> =>
  withMemoryDatabase(migrations, names, async (db) => {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master join pragma_table_list using (name)
      where sqlite_master.type = 'table' and pragma_table_list.type <> 'shadow'
        and name not like 'sqlite\\_%' escape '\\' order by name`.execute(db)
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
  const isDerived = name.startsWith('search_')
  if (!key.length && !isDerived)
    throw new Error(`The table ${name} has no primary key, so that it cannot be copied.`)
  return {
    name,
    columns: columns.map((row) => row.name).sort(),
    key,
    assignsIds: /\bautoincrement\b/i.test(definition),
    // Leaves out the references of a table to itself: the rows of a table are copied in the order of their
    // ids, and a row refers only to rows with smaller ids.
    references: references.map(({ table }) => table).filter((table) => table !== name),
    isDerived,
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
