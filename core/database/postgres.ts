import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import type { Pool, types } from 'pg'
import { OperatorError } from '#core/config.ts'
import type { DatabaseTables, Db, OpenedDatabase } from '#core/database/database.ts'
import { forbidOuterDb } from '#core/database/outer-db-guard.ts'
import { preparingClient } from '#core/database/postgres-client.ts'
import { operatorError } from '#core/environment/operator-errors.ts'

/**
 * The time in ms after which PostgreSQL cancels a query. If PostgreSQL has not answered 5 seconds later, the
 * query fails, because the host of the database may be gone.
 */
const QUERY_TIMEOUT = 30_000

interface Options {
  /** Removes the time limits of queries and transactions, for migrations and copies. */
  withoutTimeouts?: boolean
}

/** Connects to PostgreSQL. Throws OperatorError if it does not answer, or has another encoding than UTF8. */
export async function openPostgres(url: string, options: Options = {}): Promise<OpenedDatabase> {
  const database = openPool(await createPool(url, options))
  try {
    await assertUtf8(database.db)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Other encodings cannot store every character, or (SQL_ASCII) measure texts in bytes. */
async function assertUtf8(db: Db) {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`
    .execute(db)
    .catch((error: Error) => {
      const { code, path } = error as NodeJS.ErrnoException
      if (path !== undefined)
        throw new OperatorError(`DATABASE_URL names the file ${path}, which cannot be read (${code}).`)
      if (operatorError(error, undefined)) throw error
      throw new OperatorError(
        `DATABASE_URL takes a PostgreSQL server that answers (${(error as { code?: string }).code ?? error.name}).`,
      )
    })
  const { encoding } = rows[0]!
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `DATABASE_URL takes a database with the encoding UTF8, not ${encoding}: ` +
        `create one with "create database … template template0 encoding 'UTF8'", ` +
        'and bring what the old one holds with `pg_dump -E UTF8`.',
    )
}

export async function createPool(url: string, { withoutTimeouts = false }: Options = {}): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool: Pool = new pg.Pool({
    connectionString: url,
    Client: preparingClient(pg.Client, pg.Query),
    // Sends each statement at once, and not only after the answer to the one before.
    pipeline: true,
    max: 10,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Makes each connection read-only by default, so that PostgreSQL rejects raw SQL that writes through a
    // Db. transaction() begins its transactions as `read write`. Without `jit=off`, PostgreSQL compiles large
    // queries for seconds: a feed of 5,000 people took 1.9 s with it, and 0.1 s without.
    options: '-c default_transaction_read_only=on -c jit=off',
    ...(!withoutTimeouts && {
      statement_timeout: QUERY_TIMEOUT,
      query_timeout: QUERY_TIMEOUT + 5000,
      idle_in_transaction_session_timeout: 2 * QUERY_TIMEOUT,
    }),
    types: { getTypeParser: parserFor(pg.types) },
  })
  // Ignores the loss of an idle connection, because the next query opens another one.
  pool.on('error', () => {})
  // Ignores the loss of a connection that is in use, because its query rejects.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Opens the database of a pool. Its `close` ends the pool. */
export function openPool(pool: PostgresPool & Pick<Pool, 'totalCount' | 'waitingCount'>): OpenedDatabase {
  const db = forbidOuterDb(new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) }))
  return {
    db,
    connectionCounts: () => ({ open: pool.totalCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

const INT8 = 20
const parserFor = ({ getTypeParser }: typeof types) =>
  ((oid: number, format: 'text') =>
    oid === INT8 ? Number : getTypeParser(oid, format)) as typeof getTypeParser
