import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { backup as copyPages, type DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { appliedMigrations, readSchema, type Table, tablesOf, withNewDatabase } from '#core/backup/schema.ts'
import { assertIntact, leaveWal, withSqliteFile } from '#core/backup/sqlite-file.ts'
import { assertSame, difference, type Row, type Tally, tally, tallyFile } from '#core/backup/tally.ts'
import { type Db, isPostgres, type Migrations, type Tx } from '#core/database/database.ts'
import { createTables } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { readTransaction, transaction } from '#core/database/transaction.ts'
import { writePrivate } from '#core/files.ts'

/** SQLite keeps here the largest id that it has assigned in each table. */
interface CopyTables {
  sqlite_sequence: { name: string; seq: number }
}
declare module '#core/database/database.ts' {
  interface Tables extends CopyTables {}
}

/** The file of a SQLite database, or a PostgreSQL database. */
export type CopySource = { file: string } | { db: Db }
type CopyTo = (file: string) => Promise<{ migrations: string[]; tally: Tally }>

/**
 * Runs `work` on a snapshot of a database, while others write to it. `copyTo` copies the snapshot to a new
 * SQLite file, and compares them.
 */
export function withSnapshot<T>(
  source: CopySource,
  lists: readonly Migrations[],
  work: (db: Db, copyTo: CopyTo) => Promise<T>,
) {
  if ('db' in source)
    return readTransaction(source.db, (tx) => work(tx, (file) => copyToFile(tx, lists, file)))
  return withSqliteFile(source.file, (db, sqlite) => work(db, (file) => copySqlite(db, sqlite, lists, file)))
}

/** Copies a database, while others write to it, to a new SQLite file. Throws where the copy differs. */
export async function copyDatabase(source: CopySource, lists: readonly Migrations[], file: string) {
  await withSnapshot(source, lists, (_, copyTo) => copyTo(file))
  assertIntact(file)
}

/** Copies `source`, a snapshot, to a new SQLite file, and compares them. Leaves no file where it throws. */
async function copyToFile(source: Db, lists: readonly Migrations[], file: string) {
  const schema = await readSchema(source, lists)
  const { db, close } = openSqlite(file)
  try {
    const copied = await transaction(db, async (tx) => {
      await createTables(tx, lists, schema.migrations)
      return copyRows(source, tx, schema.tables)
    })
    assertSame(copied, await tally(db, schema.tables))
    await close()
    leaveWal(file)
    return { ...schema, tally: copied }
  } catch (error) {
    await close()
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true })
    throw error
  }
}

/** As copyToFile, for a snapshot of a SQLite file: copies its pages. */
async function copySqlite(db: Db, sqlite: DatabaseSync, lists: readonly Migrations[], file: string) {
  await copyPages(sqlite, file, { rate: 1000 })
  leaveWal(file)
  const schema = await readSchema(db, lists)
  const expected = await tally(db, schema.tables)
  assertSame(expected, await tallyFile(file, lists))
  return { ...schema, tally: expected }
}

/** Copies a SQLite file that nobody uses, and returns its tally. Throws BadSetting where it is damaged. */
export async function restoreFile(from: string, to: string, lists: readonly Migrations[]) {
  await writePrivate(to, createReadStream(from))
  assertIntact(to)
  return tallyFile(to, lists)
}

/** Replaces all tables of `target` by those of `source`, a snapshot. `after` runs in the same transaction. */
export async function replaceDatabase(
  source: Db,
  target: Db,
  lists: readonly Migrations[],
  after: (tx: Tx, copied: Tally) => Promise<void>,
) {
  const { migrations, tables } = await readSchema(source, lists)
  // A target of an older version may have tables that this version does not have.
  const all = lists.flatMap((list) => Object.keys(list))
  const old = [...(await tablesOf(lists, all)), ...(await tablesOf(lists, await appliedMigrations(target)))]
  return transaction(target, async (tx) => {
    for (const { name } of old.toReversed()) await sql`drop table if exists ${sql.table(name)}`.execute(tx)
    await createTables(tx, lists, migrations)
    const copied = await copyRows(source, tx, tables)
    assertSame(copied, await tally(tx, tables))
    await after(tx, copied)
    return copied
  })
}

/** Replaces the rows of `tables`. Copies ids as they are. */
async function copyRows(source: Db, target: Tx, tables: readonly Table[]): Promise<Tally> {
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(target)
  const copied = await tally(source, tables, (table, rows) => insertRows(target, table, rows))
  for (const { name, assignsIds } of tables)
    if (assignsIds) await setLastId(target, name, await lastId(source, name))
  return copied
}

function insertRows(tx: Tx, { name, columns }: Table, rows: readonly Row[]) {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(tx)
}

/** The largest id that a table has assigned. The id of a deleted row is not assigned again. */
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

/** Tables that belong to a database and not to its community. */
const OWN_TABLES = ['backups', 'secrets']
const without = (all: Tally, names: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

/** Whether `target` holds no community (no tables, or those of a first start), this one, or another. */
export async function compareCommunity(target: Db, lists: readonly Migrations[], expected: Tally) {
  if (!(await appliedMigrations(target)).length) return 'none'
  const { migrations, tables } = await readSchema(target, lists)
  const found = await tally(target, tables)
  if (!difference(without(expected, OWN_TABLES), without(found, OWN_TABLES))) return 'same'
  const first = await withNewDatabase(lists, migrations, (db) => tally(db, tables))
  const ignored = [...OWN_TABLES, 'migrations']
  return difference(without(first, ignored), without(found, ignored)) ? 'other' : 'none'
}
