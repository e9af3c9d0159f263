import { join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import type { Pool, types } from 'pg'
import { BadSetting } from '#core/config.ts'

/** All tables; each feature's tables.ts adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core names no feature
export interface Tables {}
export type Db = Kysely<Tables>

export interface Database {
  db: Db
  /** Of PostgreSQL: connections that are open, and queries that wait for one. */
  connections?: () => { open: number; waiting: number }
  /** Of SQLite: a number that grows when any of these changes. PostgreSQL cannot tell. */
  changes?: (watched: readonly TableDependency[]) => number
  close(): Promise<void>
}

type Verb = 'insert into' | 'update' | 'delete from'
/** A table, or one kind of change to it; what a change brings along in other tables is to be named too. */
export type TableDependency = (keyof Tables & string) | `${Verb} ${keyof Tables & string}`

/** Each pragma with its reason; order matters: the journal mode first. */
const pragmas = `
  pragma journal_mode = wal;      -- readers never wait for the writer
  pragma synchronous = full;      -- a commit is on disk before anyone is told
  pragma foreign_keys = on;       -- off by default, for history's sake
  pragma busy_timeout = 5000;     -- the command line and a backup hold the file for moments
  pragma cache_size = -32000;     -- 32 MB of pages
  pragma temp_store = memory;     -- sorting needs no file`

export function openSqlite(file: string): Database {
  const sqlite = new DatabaseSync(file)
  sqlite.exec(pragmas)
  const counts = new Map<string, number>()
  const count = (changed: readonly string[]) => {
    for (const one of changed) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(sqlite, count) }) })
  const others = oncePerTurn(() => Number(version.get()!.data_version))
  const version = sqlite.prepare('pragma data_version')
  const changes = (watched: readonly TableDependency[]) =>
    watched.reduce((sum, one) => sum + (counts.get(one) ?? 0), others() + (counts.get(UNKNOWN) ?? 0))
  return { db, changes, close: () => db.destroy() }
}

/** What is true at the beginning of a turn of the event loop is true for all that is asked in it: none of them was sent later. */
function oncePerTurn(ask: () => number) {
  let known: number | undefined
  return () => {
    if (known === undefined) {
      known = ask()
      setImmediate(() => {
        known = undefined
      })
    }
    return known
  }
}

const UNKNOWN = '?'

/** What a statement changes, as `Watched` names it; it counts when it runs: before it is committed, let alone acknowledged. */
function changedBy(text: string) {
  const [, verb, table] = /^\s*(insert into|update|delete from) "?(\w+)/.exec(text) ?? []
  if (verb && table) return [table, `${verb} ${table}`]
  return /\b(insert into|update|delete from)\b/.test(text) ? [UNKNOWN] : []
}

/**
 * A SQLite database for reading alone, as it is at this moment: one open read transaction, which keeps nobody from writing.
 * Makes nothing beside the file where that is not in use.
 */
export function readSqlite(file: string): Database & { sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    // The first read settles what this transaction sees.
    sqlite.exec('pragma busy_timeout = 5000; begin; select count(*) from sqlite_master')
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(sqlite) }) })
  return { db, sqlite, close: () => db.destroy() }
}

/** Kysely expects better-sqlite3's shape; node:sqlite differs in spreading parameters. Statements are kept by their text. */
function forKysely(
  sqlite: DatabaseSync,
  onChange: (changed: readonly string[]) => void = () => {},
): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  const prepare = (text: string) => {
    // A transaction takes the write lock when it begins: one that starts by reading could not get it later beside another process.
    const statement = sqlite.prepare(text === 'begin' ? 'begin immediate' : text)
    const changed = changedBy(text)
    const values = (parameters: readonly unknown[]) => {
      onChange(changed)
      return parameters as SQLInputValue[]
    }
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
      // A full disk has rolled back already; to say so once more would hide why.
      run: (parameters: readonly unknown[]) =>
        text === 'rollback' && !sqlite.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : statement.run(...values(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
    }
  }
  return {
    close: () => sqlite.close(),
    prepare: (text) => statements.get(text) ?? statements.set(text, prepare(text)).get(text)!,
  }
}

/** Milliseconds that a query may take; a little more, and the line itself is given up, for a host that is gone answers nothing. */
const PATIENCE = 30_000

/** `patient` is for work that may take its time, such as migrations and copies. */
export async function openPostgres(url: string, { patient = false } = {}): Promise<Database> {
  const { default: pg } = await import('pg')
  const pool: Pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...(!patient && {
      statement_timeout: PATIENCE,
      query_timeout: PATIENCE + 5000,
      idle_in_transaction_session_timeout: 2 * PATIENCE,
    }),
    types: { getTypeParser: parserFor(pg.types) },
  })
  pool.on('error', () => {}) // an idle connection was lost; the next query opens another
  pool.on('connect', (client) => client.on('error', () => {})) // one at work was: its query says so
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  await sql`select 1`.execute(db).catch((error: Error) => {
    throw new BadSetting(
      `DATABASE_URL takes a PostgreSQL server that answers (${(error as { code?: string }).code ?? error.name}).`,
    )
  })
  return {
    db,
    connections: () => ({ open: pool.totalCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

const INT8 = 20
const parserFor = ({ getTypeParser }: typeof types) =>
  ((oid: number, format: 'text') =>
    oid === INT8 ? Number : getTypeParser(oid, format)) as typeof getTypeParser

export const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

/** Tries of a transaction that the database broke off for the sake of another. */
const TRIES = 5

/**
 * Runs in the transaction at hand, or in one that is committed before it resolves: of its own on PostgreSQL, where it may be run again;
 * on SQLite in one with whatever else came in this turn of the event loop. So `work` does nothing but ask the database.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db)
  if (!isPostgres(db)) return groupCommit(db, work)
  for (let tries = 1; ; tries++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isRetryable(error) || tries === TRIES) throw error
      await sleep(Math.random() * 20 * 2 ** tries)
    }
}

interface Waiting {
  work(tx: Db): Promise<unknown>
  resolve(value: never): void
  reject(error: unknown): void
}
const gathered = new WeakMap<Db, Waiting[]>()

/** A commit waits for the disk: those that come together share one. What one of them throws undoes that one alone. */
function groupCommit<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const waiting = gathered.get(db)
  if (waiting) waiting.push({ work, resolve, reject })
  else {
    gathered.set(db, [{ work, resolve, reject }])
    setImmediate(commitAll, db)
  }
  return promise
}

async function commitAll(db: Db) {
  const all = gathered.get(db)!
  gathered.delete(db)
  const settled: (() => void)[] = []
  try {
    await db.transaction().execute(async (tx) => {
      for (const one of all) settled.push(await tried(tx, one))
    })
    for (const settle of settled) settle()
  } catch (error) {
    for (const { reject } of all) reject(error)
  }
}

/** Returns how to settle it once everything is committed. */
async function tried(tx: Db, { work, resolve, reject }: Waiting) {
  await sql`savepoint work`.execute(tx)
  try {
    const value = await work(tx)
    await sql`release work`.execute(tx)
    return () => resolve(value as never)
  } catch (error) {
    // Where there is nothing to go back to, a full disk has undone everything.
    await sql`rollback to work`.execute(tx).catch(() => {
      throw error
    })
    await sql`release work`.execute(tx)
    return () => reject(error)
  }
}

/** serialization_failure, deadlock_detected: PostgreSQL, and more so a distributed one, asks for another try. */
export const isRetryable = (error: unknown) =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

export const now = () => new Date().toISOString()

/** `50%` → `%50\%%`, for `like … escape '\'`: the text itself, anywhere. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Whether an error says that the database is away: shutting down, starting, cut off, or all of its connections taken. */
export const isUnavailable = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(08...|57P0.|57014|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
      message,
    )
  )
}

const FULL = { sqlite: 13, postgres: '53100', file: 'ENOSPC' }
/** Whether an error says that the disk is full (SQLITE_FULL, PostgreSQL's disk_full, ENOSPC). */
export const isDiskFull = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === FULL.sqlite || code === FULL.postgres || code === FULL.file
}

/** Whether a row could not be deleted because others refer to it (SQLITE_CONSTRAINT_FOREIGNKEY, foreign_key_violation). */
export const isForeignKeyViolation = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === 787 || code === '23503'
}

// ── Migrations ──────────────────────────────────────────────────────────────

/** Words that differ between the dialects' `create table`. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  id: string
}
const dialects = {
  sqlite: { name: 'sqlite', id: 'integer primary key autoincrement' },
  postgres: { name: 'postgres', id: 'bigint generated by default as identity primary key' },
} satisfies Record<string, Dialect>

/** Name → statements; a name is never changed once it has been released. */
export type Migrations = Readonly<Record<string, (dialect: Dialect) => readonly string[]>>

/**
 * Brings the tables up to date: each migration in a transaction of its own, with the row that records it.
 * `beforehand` runs once, before the first of them, where there is data to lose.
 */
export async function migrate(
  db: Db,
  lists: readonly Migrations[],
  beforehand: (first: string) => Promise<void> = async () => {},
) {
  await makeFirst(db)
  const done = new Set((await doneMigrations(db)).map(({ name }) => name))
  const due = lists.flatMap((list) => Object.entries(list)).filter(([name]) => !done.has(name))
  if (due.length && done.size) await beforehand(due[0]![0])
  for (const [name, statements] of due)
    await db.transaction().execute((tx) => migrateOne(tx, name, statements))
  return due.map(([name]) => name)
}

async function migrateOne(tx: Db, name: string, statements: (dialect: Dialect) => readonly string[]) {
  await lockRow(tx, 'migrations')
  if ((await doneMigrations(tx)).some((row) => row.name === name)) return
  for (const statement of statements(isPostgres(tx) ? dialects.postgres : dialects.sqlite))
    await sql.raw(statement).execute(tx)
  await sql`insert into migrations (name, done_at) values (${name}, ${now()})`.execute(tx)
}

/**
 * Makes the tables as the migrations of `names` left them, in the transaction at hand, where there are none yet.
 * Throws BadSetting where one of the names is unknown: the tables are those of a newer version.
 */
export async function createTables(tx: Db, lists: readonly Migrations[], names: readonly string[]) {
  const known = new Map(lists.flatMap((list) => Object.entries(list)))
  const newer = names.find((name) => !known.has(name))
  if (newer)
    throw new BadSetting(
      `The data is of a newer version (its migration ${newer} is unknown here): update Engawa first.`,
    )
  await sql`create table migrations (name text primary key, done_at text not null)`.execute(tx)
  for (const [name, statements] of known)
    if (names.includes(name)) {
      for (const statement of statements(isPostgres(tx) ? dialects.postgres : dialects.sqlite))
        await sql.raw(statement).execute(tx)
      await sql`insert into migrations (name, done_at) values (${name}, ${now()})`.execute(tx)
    }
}

/** The tables that migrating itself needs. Two processes may make them at one moment; whoever is second sees them. */
async function makeFirst(db: Db) {
  const make = async () => {
    await sql`create table if not exists migrations (name text primary key, done_at text not null)`.execute(
      db,
    )
    if (isPostgres(db)) await sql`create table if not exists turns (name text primary key)`.execute(db)
  }
  for (let tries = 1; ; tries++)
    try {
      return await make()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(50 * tries)
    }
}

/** Until the transaction is over, no other is in the turn of this name; on SQLite a transaction is alone by itself. A row is locked, since not every PostgreSQL has advisory locks. */
export const lockRow = async (tx: Db, turn: string) =>
  isPostgres(tx) &&
  sql`insert into turns (name) values (${turn}) on conflict (name) do update set name = excluded.name`.execute(
    tx,
  )

/** Names of the migrations that are still to come. */
export const dueMigrations = async (db: Db, lists: readonly Migrations[]) => {
  const done = await doneMigrations(db).catch(() => [])
  return lists.flatMap((list) => Object.keys(list)).filter((name) => !done.some((row) => row.name === name))
}

/** Throws BadSetting where the tables are of a version that this one does not know. */
export async function assertNotNewer(db: Db, lists: readonly Migrations[]) {
  const known = new Set(lists.flatMap((list) => Object.keys(list)))
  const newer = (await doneMigrations(db).catch(() => [])).find(({ name }) => !known.has(name))
  if (newer)
    throw new BadSetting(
      `The database is of a newer version (its migration ${newer.name} is unknown here): update Engawa.`,
    )
}

export const doneMigrations = async (db: Db) =>
  (await sql<{ name: string }>`select name from migrations`.execute(db)).rows

/** Copies a SQLite database while it is in use, opens the copy, and compares it with the original. Throws when it is not whole. */
export async function snapshot(file: string, copy: string) {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, copy)
    const target = new DatabaseSync(copy)
    try {
      target.exec('pragma journal_mode = delete') // one file, nothing beside it
      const [check] = target.prepare('pragma integrity_check').all() as { integrity_check: string }[]
      if (check?.integrity_check !== 'ok' || tally(source) !== tally(target))
        throw new Error(`The snapshot ${copy} is not whole.`)
    } finally {
      target.close()
    }
  } finally {
    source.close()
  }
}

const tally = (sqlite: DatabaseSync) => {
  const tables = sqlite
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .all() as { name: string }[]
  return tables
    .map(({ name }) => `${name} ${sqlite.prepare(`select count(*) as n from "${name}"`).get()?.n}`)
    .join('\n')
}

/**
 * Holds a folder (DATA_DIR), for this process alone or together with others that hold it so: a transaction on a file of its own,
 * which the system gives up with the process however that ends. Throws BadSetting, with `refusal`, when another process has it.
 */
export function lockDataFolder(
  folder: string,
  { together = false, refusal = `DATA_DIR is in use: another Engawa already runs on ${folder}.` } = {},
): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec(
      `pragma busy_timeout = 0; ${together ? 'begin; select * from sqlite_master' : 'begin exclusive'}`,
    )
  } catch {
    lock.close()
    throw new BadSetting(refusal)
  }
  return () => lock.close()
}
