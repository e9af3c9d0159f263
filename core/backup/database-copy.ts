import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { backup as copyPages, type DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Table } from '#core/backup/schema.ts'
import * as backupSchema from '#core/backup/schema.ts'
import { requireIntact, turnOffWal, withReadTransaction } from '#core/backup/sqlite-file.ts'
import type { DatabaseRow, TableHashes } from '#core/backup/table-hashes.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { type Db, isPostgres, type Migrations, type Tx } from '#core/database/database.ts'
import { createTables } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { postgresSnapshot, transaction } from '#core/database/transaction.ts'
import { writePrivateFile } from '#core/process/files.ts'

/** The name of SQLite's own table with the largest id that it has assigned in each other table. */
interface CopyTables {
  sqlite_sequence: { name: string; seq: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends CopyTables {}
}

/** The database to copy: the path of a SQLite file, or an open PostgreSQL database. */
export type CopySource = { file: string } | { db: Db }
type CopyTo = (file: string) => Promise<{ migrations: string[]; tally: TableHashes }>

/**
 * Runs `work` on a snapshot of a database. Others may write to the database meanwhile; the snapshot does not
 * change. `copyTo` copies the snapshot to a new SQLite file, and throws if the copy differs.
 */
export function withSnapshot<T>(
  source: CopySource,
  migrations: readonly Migrations[],
  work: (db: Db, copyTo: CopyTo) => Promise<T>,
) {
  if ('db' in source)
    return postgresSnapshot(source.db, (tx) => work(tx, (file) => copyToFile(tx, migrations, file)))
  return withReadTransaction(source.file, (db, sqlite) =>
    work(db, (file) => copySqlite(db, sqlite, migrations, file)),
  )
}

/** Copies a database, while others write to it, to a new SQLite file. Throws if the copy differs. */
export async function toSqliteFile(source: CopySource, migrations: readonly Migrations[], file: string) {
  await withSnapshot(source, migrations, (_, copyTo) => copyTo(file))
  requireIntact(file)
}

/**
 * Copies `source`, a snapshot, to a new SQLite file row by row, and throws if the copy differs. If it throws,
 * it leaves no file.
 */
async function copyToFile(source: Db, migrations: readonly Migrations[], file: string) {
  const schema = await backupSchema.describe(source, migrations)
  const { db, close } = openSqlite(file)
  try {
    const copied = await transaction(db, async (tx) => {
      await createTables(tx, migrations, schema.migrations)
      return copyRows(source, tx, schema.tables)
    })
    tableHashes.requireSame(copied, await tableHashes.ofTables(db, schema.tables))
    await close()
    turnOffWal(file)
    return { ...schema, tally: copied }
  } catch (error) {
    await close()
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true })
    throw error
  }
}

/** Copies a snapshot of a SQLite file to a new file page by page, and throws if the copy differs. */
async function copySqlite(db: Db, sqlite: DatabaseSync, migrations: readonly Migrations[], file: string) {
  await copyPages(sqlite, file, { rate: 1000 })
  turnOffWal(file)
  const schema = await backupSchema.describe(db, migrations)
  const expected = await tableHashes.ofTables(db, schema.tables)
  tableHashes.requireSame(expected, await tableHashes.ofSqliteFile(file, migrations))
  return { ...schema, tally: expected }
}

/**
 * Copies a SQLite file that nobody uses, and returns the hashes of its tables. Throws OperatorError if the
 * file is damaged.
 */
export async function copyFile(from: string, to: string, migrations: readonly Migrations[]) {
  await writePrivateFile(to, createReadStream(from))
  requireIntact(to)
  return tableHashes.ofSqliteFile(to, migrations)
}

/**
 * Replaces all tables of `target` by those of `source`, a snapshot, in one transaction. `after` runs in the
 * same transaction.
 */
export async function replaceTables(
  source: Db,
  target: Db,
  migrations: readonly Migrations[],
  after: (tx: Tx, copied: TableHashes) => Promise<void>,
) {
  const { migrations: names, tables } = await backupSchema.describe(source, migrations)
  // Lists the tables to drop: those of this version, and those that the target has from an older version.
  const all = migrations.flatMap((list) => Object.keys(list))
  const old = [
    ...(await backupSchema.tablesOf(migrations, all)),
    ...(await backupSchema.tablesOf(migrations, await backupSchema.appliedMigrations(target))),
  ]
  return transaction(target, async (tx) => {
    for (const { name } of old.toReversed()) await sql`drop table if exists ${sql.table(name)}`.execute(tx)
    await createTables(tx, migrations, names)
    const copied = await copyRows(source, tx, tables)
    tableHashes.requireSame(copied, await tableHashes.ofTables(tx, tables))
    await after(tx, copied)
    return copied
  })
}

/** Replaces the rows of `tables` in `target` by those of `source`. Ids stay the same. */
async function copyRows(source: Db, target: Tx, tables: readonly Table[]): Promise<TableHashes> {
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target)
  const copied = await tableHashes.ofTables(source, tables, (table, rows) => insertRows(target, table, rows))
  for (const { name, assignsIds } of tables)
    if (assignsIds) await setLastId(target, name, await lastId(source, name))
  return copied
}

function insertRows(tx: Tx, { name, columns }: Table, rows: readonly DatabaseRow[]) {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx)
}

/** Returns the largest id that a table has assigned, also to a row that is deleted by now. */
async function lastId(db: Db, table: string) {
  const newest = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(db)
  const assigned = isPostgres(db)
    ? sql<{ id: number }>`
        select last_value as id from ${sql.table(await sequenceOf(db, table))} where is_called`
    : sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`
  const { rows } = await assigned.execute(db)
  return Math.max(newest.rows[0]?.id ?? 0, rows[0]?.id ?? 0)
}

async function setLastId(tx: Tx, table: string, id: number) {
  if (id === 0) return
  if (isPostgres(tx))
    return void (await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id})`.execute(tx))
  await tx.deleteFrom('sqlite_sequence').where('name', '=', table).execute()
  await tx.insertInto('sqlite_sequence').values({ name: table, seq: id }).execute()
}

async function sequenceOf(db: Db, table: string) {
  const query = sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`
  return (await query.execute(db)).rows[0]!.name
}

/**
 * The names of the tables that belong to one database and not to the community in it. Comparisons of
 * databases leave them out.
 */
const INSTANCE_TABLES = ['backups', 'secrets', 'server_conditions', 'write_checks']
const without = (all: TableHashes, names: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

/**
 * Returns 'none' if `target` holds no community (no tables, or the tables of a first start), 'same' if its
 * tables have the `expected` hashes, and 'other' otherwise.
 */
export async function compare(target: Db, migrations: readonly Migrations[], expected: TableHashes) {
  if (!(await backupSchema.appliedMigrations(target)).length) return 'none'
  const { migrations: names, tables } = await backupSchema.describe(target, migrations)
  const found = await tableHashes.ofTables(target, tables)
  if (!tableHashes.findDifferent(without(expected, INSTANCE_TABLES), without(found, INSTANCE_TABLES)))
    return 'same'
  const first = await backupSchema.withMemoryDatabase(migrations, names, (db) =>
    tableHashes.ofTables(db, tables),
  )
  // A first start seals the head of the log of admins, which has no entry yet.
  const ignored = [...INSTANCE_TABLES, 'migrations', 'audit_log_head']
  return tableHashes.findDifferent(without(first, ignored), without(found, ignored)) ? 'other' : 'none'
}
