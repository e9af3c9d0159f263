import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import type { Database, TableDependency, Tables } from '#core/database/database.ts'
import { refuseInsideTransaction } from '#core/database/transaction.ts'

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
  const dialect = new SqliteDialect({ database: forKysely(sqlite, count) })
  const db = refuseInsideTransaction(new Kysely<Tables>({ dialect }))
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
  const dialect = new SqliteDialect({ database: forKysely(sqlite) })
  const db = refuseInsideTransaction(new Kysely<Tables>({ dialect }))
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
