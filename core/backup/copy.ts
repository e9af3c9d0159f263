import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { BadSetting } from '#core/config.ts'
import { type Db, isPostgres, type Migrations, type Tx } from '#core/database/database.ts'
import { createTables, doneMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'

/** SQLite keeps here the largest id that each table ever gave. */
interface CopyTables {
  sqlite_sequence: { name: string; seq: number }
}
declare module '#core/database/database.ts' {
  interface Tables extends CopyTables {}
}

export interface Table {
  name: string
  /** All of them, by name. */
  columns: readonly string[]
  /** The primary key, in its order. */
  key: readonly { column: string; isText: boolean }[]
  /** Whether `id` is given by the database. */
  countsIds: boolean
}
type Row = Record<string, string | number | null>

/** How many rows each table has, and a SHA-256 over them in the order of their keys: the same on both databases. */
export type Tally = Record<string, { rows: number; hash: string }>

const ROWS = 500

/**
 * The tables that a database of these migrations has, each after those that it refers to. They are read from a database
 * made for it in memory, so that no list has to be kept, and no catalogue differs. Throws where a table has no primary key, or tables refer in a circle.
 */
export async function tablesOf(lists: readonly Migrations[], names: readonly string[]): Promise<Table[]> {
  const { db, close } = openSqlite(':memory:')
  try {
    await transaction(db, (tx) => createTables(tx, lists, names))
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`.execute(
      db,
    )
    const found = []
    for (const { name, sql: text } of rows)
      found.push({ ...(await tableOf(db, name, text)), refersTo: await referredBy(db, name) })
    return inOrder(found)
  } finally {
    await close()
  }
}

async function tableOf(db: Db, name: string, text: string): Promise<Table> {
  const { rows } = await sql<{
    name: string
    type: string
    pk: number
  }>`select name, type, pk from pragma_table_info(${name})`.execute(db)
  const key = rows
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map((row) => ({ column: row.name, isText: /text/i.test(row.type) }))
  if (!key.length) throw new Error(`The table ${name} has no primary key, so that it cannot be copied.`)
  return {
    name,
    columns: rows.map((row) => row.name).sort(),
    key,
    countsIds: /\bautoincrement\b/i.test(text),
  }
}

const referredBy = async (db: Db, name: string) =>
  (
    await sql<{ table: string }>`select distinct "table" from pragma_foreign_key_list(${name})`.execute(db)
  ).rows.map(({ table }) => table)

function inOrder(tables: (Table & { refersTo: string[] })[]): Table[] {
  const ordered: Table[] = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size) {
    const free = [...left.values()].filter(({ refersTo }) => !refersTo.some((name) => left.has(name)))
    if (!free.length)
      throw new Error(`These tables refer to each other in a circle: ${[...left.keys()].join(', ')}.`)
    for (const { refersTo: _, ...table } of free) {
      ordered.push(table)
      left.delete(table.name)
    }
  }
  return ordered
}

/** All rows by primary key, some hundred at a time. */
async function* batches(db: Db, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  // Text sorts by its bytes on both databases, whatever language PostgreSQL was set up for.
  const sorted = key.map(({ column, isText }) =>
    isText && isPostgres(db) ? sql`${sql.ref(column)} collate "C"` : sql.ref(column),
  )
  const [all, order, from] = [
    sql.join(columns.map((column) => sql.ref(column))),
    sql.join(sorted),
    sql.table(name),
  ]
  let last: Row | undefined
  do {
    const beyond = last
      ? sql`where (${order}) > (${sql.join(key.map(({ column }) => last![column]))})`
      : sql``
    const { rows } =
      await sql<Row>`select ${all} from ${from} ${beyond} order by ${order} limit ${sql.lit(ROWS)}`.execute(
        db,
      )
    if (rows.length) yield rows
    last = rows.length === ROWS ? rows.at(-1) : undefined
    await breathe() // SQLite answers at once: without this nothing else would have its turn
  } while (last)
}

const counter = () => {
  const hash = createHash('sha256')
  let count = 0
  return {
    add({ columns }: Table, rows: readonly Row[]) {
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`)
      count += rows.length
    },
    sum: () => ({ rows: count, hash: hash.digest('hex') }),
  }
}

/** Reads every row; what it reads has to stand still meanwhile (a transaction that sees one moment). */
export async function tally(db: Db, tables: readonly Table[]): Promise<Tally> {
  const sums: Tally = {}
  for (const table of tables) {
    const counted = counter()
    for await (const rows of batches(db, table)) counted.add(table, rows)
    sums[table.name] = counted.sum()
  }
  return sums
}

/** The first table in which they differ, or null. */
export function difference(one: Tally, other: Tally) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return (
    [...names].find(
      (name) => one[name]?.hash !== other[name]?.hash || one[name]?.rows !== other[name]?.rows,
    ) ?? null
  )
}

/** All rows, with their ids, into the same tables of another database, in its transaction. What stood in them there is gone. */
async function copyRows(source: Db, target: Tx, tables: readonly Table[]): Promise<Tally> {
  const sums: Tally = {}
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table.name)}`.execute(target)
  for (const table of tables) {
    const { name, columns, countsIds } = table
    const counted = counter()
    const into = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})`
    for await (const rows of batches(source, table)) {
      counted.add(table, rows)
      const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
      await sql`${into} values ${sql.join(values)}`.execute(target)
    }
    sums[name] = counted.sum()
    if (countsIds) await countOn(target, name, await largestId(source, name))
  }
  return sums
}

/** The largest id that a table ever gave: that of a row that is gone is not given again. */
async function largestId(db: Db, table: string) {
  const newest = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(db)
  const given = isPostgres(db)
    ? await sql<{
        id: number
      }>`select last_value as id from ${sql.table(await sequenceOf(db, table))} where is_called`.execute(db)
    : await sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`.execute(db)
  return Math.max(newest.rows[0]?.id ?? 0, given.rows[0]?.id ?? 0)
}

async function countOn(tx: Tx, table: string, largest: number) {
  if (largest === 0) return
  if (isPostgres(tx))
    return void (await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${largest})`.execute(tx))
  await tx.deleteFrom('sqlite_sequence').where('name', '=', table).execute()
  await tx.insertInto('sqlite_sequence').values({ name: table, seq: largest }).execute()
}

async function sequenceOf(db: Db, table: string) {
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(
    db,
  )
  return rows[0]!.name
}

/** What a database holds. */
export interface Held {
  /** Names of the migrations that its tables have gone through. */
  migrations: string[]
  tables: Table[]
}
export async function heldBy(db: Db, lists: readonly Migrations[]): Promise<Held> {
  const migrations = (await doneMigrations(db)).map(({ name }) => name)
  return { migrations, tables: await tablesOf(lists, migrations) }
}

/** A new SQLite file with all that `source` (which stands still) holds, compared with it. Where it throws, there is no such file. */
export async function copyToFile(
  source: Db,
  lists: readonly Migrations[],
  file: string,
): Promise<Held & { tally: Tally }> {
  const held = await heldBy(source, lists)
  const { db, close } = openSqlite(file)
  try {
    const copied = await transaction(db, async (tx) => {
      await createTables(tx, lists, held.migrations)
      return copyRows(source, tx, held.tables)
    })
    refuseDifference(copied, await tally(db, held.tables))
    await close()
    oneFile(file)
    return { ...held, tally: copied }
  } catch (error) {
    await close()
    for (const beside of ['', '-wal', '-shm', '-journal']) await rm(file + beside, { force: true })
    throw error
  }
}

/** Leaves write-ahead logging, so that all of a SQLite database is in its file, and nothing beside it. */
export function oneFile(file: string) {
  const sqlite = new DatabaseSync(file)
  sqlite.exec('pragma journal_mode = delete')
  sqlite.close()
}

export function refuseDifference(expected: Tally, found: Tally) {
  const table = difference(expected, found)
  if (table) throw new Error(`The copy of the table ${table} is not what was copied.`)
}

/** What a database says of itself, and not of its community. */
const OWN = ['backups', 'secrets']
const withoutOwn = (all: Tally, also: readonly string[] = []) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => ![...OWN, ...also].includes(name)))

/** Whether there is no community (no tables, or what a first start leaves), the same one, row for row, or another. */
export async function standing(
  target: Db,
  lists: readonly Migrations[],
  wanted: Tally,
): Promise<'none' | 'same' | 'other'> {
  if (!(await migrationsOf(target)).length) return 'none'
  const { migrations, tables } = await heldBy(target, lists)
  const found = await tally(target, tables)
  if (!difference(withoutOwn(wanted), withoutOwn(found))) return 'same'
  const first = await tallyOfNew(lists, { migrations, tables })
  return difference(withoutOwn(first, ['migrations']), withoutOwn(found, ['migrations'])) ? 'other' : 'none'
}

async function tallyOfNew(lists: readonly Migrations[], { migrations, tables }: Held) {
  const { db, close } = openSqlite(':memory:')
  try {
    await transaction(db, (tx) => createTables(tx, lists, migrations))
    return await tally(db, tables)
  } finally {
    await close()
  }
}

/** Names of the migrations that a database has gone through; none where it has no tables yet. */
const migrationsOf = (db: Db) =>
  doneMigrations(db).then(
    (rows) => rows.map(({ name }) => name),
    (error: { code?: string; message?: string }) => {
      if (error.code === UNDEFINED_TABLE || /no such table/.test(error.message ?? '')) return []
      throw error
    },
  )
const UNDEFINED_TABLE = '42P01'

/**
 * Puts all that `source` (which stands still) holds in the place of what `target` holds, in one transaction, and compares.
 * `after` runs in the same transaction, when the rows are there, and is told what they are.
 */
export async function carry(
  source: Db,
  target: Db,
  lists: readonly Migrations[],
  after: (tx: Tx, copied: Tally) => Promise<void>,
) {
  const { migrations, tables } = await heldBy(source, lists)
  const ours = await tablesOf(
    lists,
    lists.flatMap((list) => Object.keys(list)),
  )
  // A target of an older version may have tables that are no more.
  const theirs = await tablesOf(lists, await migrationsOf(target))
  return transaction(target, async (tx) => {
    for (const { name } of [...ours, ...theirs].toReversed())
      await sql`drop table if exists ${sql.table(name)}`.execute(tx)
    await createTables(tx, lists, migrations)
    const copied = await copyRows(source, tx, tables)
    refuseDifference(copied, await tally(tx, tables))
    await after(tx, copied)
    return copied
  })
}

/** Throws BadSetting where the pages of a SQLite file are damaged, or its rows refer to nothing. */
export function refuseDamage(file: string) {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    const [check] = sqlite.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    const lost = sqlite.prepare('pragma foreign_key_check').all()
    if (check?.integrity_check !== 'ok' || lost.length)
      throw new BadSetting(`The database ${file} is damaged.`)
  } finally {
    sqlite.close()
  }
}
