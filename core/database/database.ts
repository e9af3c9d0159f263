import { type Kysely, PostgresAdapter, type SqlBool, sql } from 'kysely'

/**
 * All tables of the database. Each feature, and each module of core that has tables, adds its own by
 * declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features add their tables by declaration merging
export interface DatabaseTables {}

/** The type of a database handle that can only read. `transaction()` gives a `Tx`, which also writes. */
export type Db = Pick<
  Kysely<DatabaseTables>,
  'selectFrom' | 'selectNoFrom' | 'fn' | 'isTransaction' | 'getExecutor'
>

export interface Tx extends Db, Pick<Kysely<DatabaseTables>, 'insertInto' | 'updateTable' | 'deleteFrom'> {
  /**
   * Calls `callback` after the transaction is committed, and never if the work is rolled back. Callbacks
   * start in the order of registration and run at the same time. `transaction()` resolves after all of them.
   * An error in a callback is written to stderr; the commit stands.
   */
  afterCommit(callback: () => unknown): void
  readonly root: Db
}

export interface OpenedDatabase {
  db: Db
  /** PostgreSQL only: returns the number of open connections, and of queries that wait for a connection. */
  connectionCounts?: () => { open: number; waiting: number }
  /**
   * SQLite only: returns a number that grows whenever a statement of this process changes one of the
   * dependencies, or another process changes the file of the database.
   */
  changeCount?: (dependencies: readonly CacheDependency[]) => number
  close(): Promise<void>
}

export type SqlWriteVerb = 'insert into' | 'update' | 'delete from'
/**
 * A table, or one kind of change to its rows, such as `insert into likes`. Changes by a cascade or a trigger
 * count too.
 */
export type CacheDependency =
  | (keyof DatabaseTables & string)
  | `${SqlWriteVerb} ${keyof DatabaseTables & string}`

/** The SQL dialect of a database: its name, and the type of an id column in its `create table` statements. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  id: string
}

/**
 * The migrations of one module, by their names. Each returns its steps for the SQL dialect. The name of a
 * migration never changes after its release.
 */
export type Migrations = Readonly<Record<string, (dialect: Dialect) => readonly MigrationStep[]>>
/** A step of a migration: an SQL statement, or a function for work on rows that SQL cannot do. */
export type MigrationStep = string | ((tx: Tx) => Promise<unknown>)

export const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * Builds the SQL condition that the column with the name `column` has one of these ids. The text of the
 * statement does not depend on the number of ids, because each text is prepared and kept.
 */
export const idIn = (db: Db, column: string, ids: readonly number[]) =>
  isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(${ids}::bigint[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`

export const hasMatchingRow = async (query: { executeTakeFirst(): Promise<unknown> }) =>
  (await query.executeTakeFirst()) !== undefined

export const isoNow = () => new Date().toISOString()

/** Makes a pattern for `like … escape '\'` that matches values containing the text: `50%` → `%50\%%`. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
