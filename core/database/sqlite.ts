import { performance } from 'node:perf_hooks'
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import type { CacheDependency, DatabaseTables, OpenedDatabase } from '#core/database/database.ts'
import { forbidOuterDb } from '#core/database/outer-db-guard.ts'

/**
 * The pragmas of each connection that can write, with their reasons. The journal mode has to come first.
 */
const pragmas = `
  pragma journal_mode = wal;      -- readers never wait for the writer
  pragma synchronous = full;      -- a commit is on disk before it is acknowledged
  pragma foreign_keys = on;       -- off by default
  pragma busy_timeout = 20;       -- it blocks all requests: transactions wait with a timer instead
  pragma cache_size = -32000;     -- 32 MB of pages
  pragma secure_delete = on;      -- nothing of a deleted account stays in the file
  pragma temp_store = memory;     -- sorting needs no file`

export function openSqlite(file: string): OpenedDatabase {
  const sqlite = new DatabaseSync(file)
  sqlite.exec(pragmas)
  const counts = new Map<string, number>()
  const db = openKysely(sqlite, (changes) => {
    for (const change of changes) counts.set(change, (counts.get(change) ?? 0) + 1)
  })
  const version = sqlite.prepare('pragma data_version')
  const byOtherProcesses = oncePerTurn(() => Number(version.get()!.data_version))
  const changeCount = (dependencies: readonly CacheDependency[]) =>
    dependencies.reduce((sum, dependency) => sum + (counts.get(dependency) ?? 0), byOtherProcesses())
  return { db, changeCount, close: () => db.destroy() }
}

/**
 * Returns a function that calls `read` at most once per turn of the event loop, and otherwise returns the
 * last result. Requests of the same turn may share a result, because they were sent before `read` ran. A turn
 * begins when the loop waits for events; then `loopCount` grows.
 */
function oncePerTurn(read: () => number) {
  let turn = -1
  let known = 0
  return () => {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo
    if (loopCount !== turn) known = read()
    turn = loopCount
    return known
  }
}

/**
 * Opens a SQLite database for reading, as it is at this moment. The connection stays in one read transaction,
 * during which other processes can write. Creates no files beside a database that is not in use.
 */
export function openSnapshot(file: string): OpenedDatabase & { sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    // Reads something at once, because the transaction sees the data as it is at its first read.
    sqlite.exec('pragma busy_timeout = 5000; begin; select count(*) from sqlite_master')
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = openKysely(sqlite, () => {})
  return { db, sqlite, close: () => db.destroy() }
}

type OnChange = (changes: ReadonlySet<string>) => void

const openKysely = (sqlite: DatabaseSync, onChange: OnChange) =>
  forbidOuterDb(
    new Kysely<DatabaseTables>({ dialect: new SqliteDialect({ database: adapt(sqlite, onChange) }) }),
  )

const verbs = new Map([
  [constants.SQLITE_INSERT, 'insert into'],
  [constants.SQLITE_UPDATE, 'update'],
  [constants.SQLITE_DELETE, 'delete from'],
])
const replacesRows = (text: string) => /\bor\s+replace\b|\breplace\s+into\b/i.test(text)

/** Tables of a full-text index, which FTS5 writes with statements of its own while another one runs. */
const isShadow = /^search_\w+_(data|idx|docsize|config)$/

const changesSchema = (text: string) => /^\s*(create|alter|drop)\b/i.test(text)

/**
 * Returns a row as an object. node:sqlite can make such objects too, but they are slow, because each is a
 * hash table of its own.
 */
function toRowObject(columns: readonly string[], row: readonly unknown[]) {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) object[columns[index]!] = row[index]
  return object
}

/**
 * Gives node:sqlite the shape that Kysely expects (that of better-sqlite3), and keeps prepared statements
 * by their text. Each time a statement that writes runs, calls `onChange` with the set of its changes: the
 * name of each table, such as `likes`, and each kind of change, such as `insert into likes`. SQLite reports
 * these changes to the authorizer while it compiles the statement, including those by cascades and
 * triggers. Throws if a statement writes outside of a transaction.
 */
function adapt(sqlite: DatabaseSync, onChange: OnChange): SqliteDatabase {
  let compiled: { text: string; changes: Set<string> }
  sqlite.setAuthorizer((action, table) => {
    const verb = isShadow.test(table ?? '') ? undefined : verbs.get(action)
    if (verb) compiled.changes.add(table!).add(`${verb} ${table}`)
    // Adds the deletion of rows that an insert or an update may replace, because SQLite does not report it.
    if (verb && replacesRows(compiled.text)) compiled.changes.add(`delete from ${table}`)
    return constants.SQLITE_OK
  })

  function prepare(text: string) {
    const own = { text, changes: new Set<string>() }
    compiled = own
    // Begins a transaction with `begin immediate`, which takes the write lock at once. A transaction that
    // begins with a read may not get this lock later, if another process writes.
    const statement = sqlite.prepare(text === 'begin' ? 'begin immediate' : text)
    const columns = statement.columns().map(({ name }) => name)
    const isSchema = changesSchema(text)
    statement.setReturnArrays(columns.length > 0)
    // After a delete from a full-text index, SQLite's last insert id is above 2^53, where a number throws.
    if (!columns.length) statement.setReadBigInts(true)

    function execute<T>(run: (...values: SQLInputValue[]) => T, values: readonly unknown[]) {
      if (own.changes.size && !sqlite.isTransaction)
        throw new Error(`A statement writes outside of a transaction: ${text}`)
      // Tells the authorizer which statement runs, because SQLite compiles it again if the tables have
      // changed.
      compiled = own
      try {
        return run.call(statement, ...(values as SQLInputValue[]))
      } finally {
        if (own.changes.size) onChange(own.changes)
        // Drops the prepared statements after a change of the schema, because the columns of `select *` may
        // have changed.
        if (isSchema) statements.clear()
      }
    }
    const toObject = (row: unknown) => toRowObject(columns, row as unknown[])

    return {
      reader: columns.length > 0,
      all: (values: readonly unknown[]) => execute(statement.all, values).map(toObject),
      // Skips `rollback` if SQLite has already rolled back by itself, as it does on a full disk. The error of
      // a second rollback would hide the first error.
      run: (values: readonly unknown[]) =>
        text === 'rollback' && !sqlite.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : execute(statement.run, values),
      iterate: (values: readonly unknown[]) =>
        Iterator.from(execute(statement.iterate, values)).map(toObject),
    }
  }

  const statements = new Map<string, ReturnType<typeof prepare>>()
  return {
    close() {
      // Node keeps the authorizer, and all that it refers to, for as long as the process runs.
      sqlite.setAuthorizer(null)
      sqlite.close()
    },
    prepare: (text) => statements.get(text) ?? statements.set(text, prepare(text)).get(text)!,
  }
}
