import { type Kysely, PostgresAdapter } from 'kysely'

/** All tables of the database. The tables.ts of each feature adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core names no feature
export interface Tables {}

/** Reads from the database. It cannot write: only `transaction()` gives a `Tx`, which can. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'isTransaction' | 'getExecutor'>

/** Reads and writes inside one transaction. */
export interface Tx extends Db, Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'> {
  /**
   * Calls `callback` when the transaction is committed, and never when this work is rolled back. Callbacks start in
   * the order of registration and run at the same time. `transaction()` resolves after all of them. An error in one goes to stderr and
   * changes nothing: the commit stands.
   */
  afterCommit(callback: () => unknown): void
}

export interface Database {
  db: Db
  /** PostgreSQL only: open connections, and queries that wait for one. */
  connections?: () => { open: number; waiting: number }
  /** SQLite only: a number that grows when a statement changes one of the dependencies. */
  changes?: (dependencies: readonly TableDependency[]) => number
  close(): Promise<void>
}

type Verb = 'insert into' | 'update' | 'delete from'
/**
 * A table, or one kind of change to it. A change that comes by a cascade or a trigger counts like any other.
 */
export type TableDependency = (keyof Tables & string) | `${Verb} ${keyof Tables & string}`

/** Words that differ between the dialects' `create table`. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  id: string
}

/** Name → statements. The name of a migration never changes after its release. */
export type Migrations = Readonly<Record<string, (dialect: Dialect) => readonly MigrationStep[]>>
/** A statement, or work on rows that SQL cannot do. */
export type MigrationStep = string | ((tx: Tx) => Promise<unknown>)

export const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

/** Whether a query finds a row. */
export const exists = async (query: { executeTakeFirst(): Promise<unknown> }) =>
  (await query.executeTakeFirst()) !== undefined

export const now = () => new Date().toISOString()

/** `50%` → `%50\%%`, for `like … escape '\'`: matches values that contain the text itself. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
