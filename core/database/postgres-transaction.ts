import { CompiledQuery, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import type { DatabaseTables, Db } from '#core/database/database.ts'
import { BEGIN_WRITE_TRANSACTION } from '#core/database/postgres-client.ts'

const begin = CompiledQuery.raw(BEGIN_WRITE_TRANSACTION)
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

const waitingCounts = new WeakMap<Db, () => number>()

/**
 * Registers the function that returns how many callers wait for a connection of the pool of `db`.
 * `runPostgresTransaction` needs it.
 */
export const registerPostgresPoolWaiterCounter = (db: Db, countWaiting: () => number) =>
  void waitingCounts.set(db, countWaiting)

/**
 * Runs `work` in a transaction on one connection of the pool, and resolves to its result after the commit.
 * Rolls back and rejects if `work` rejects. The connections must have the option `pipeline`.
 *
 * Does not wait for the answer to `begin`: the first statement of the work is sent together with it. If
 * `begin` fails, the statements run outside of a transaction, where they may only read, because the
 * connections are read-only by default, and this function rejects.
 *
 * While others wait for a connection, this one is given to the next of them as soon as `commit` is sent.
 * PostgreSQL runs what the next one sends after the commit, and both leave in one write to the socket.
 */
export async function runPostgresTransaction<T>(
  db: Kysely<DatabaseTables>,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const countWaiting = waitingCounts.get(db)!
  const { result, committed } = await db.getExecutor().provideConnection(async (connection) => {
    const begun = connection.executeQuery(begin)
    // An error of `begin` rejects `committed`, or has made the first statement fail too.
    begun.catch(() => {})
    let result: T
    try {
      result = await work(connection)
    } catch (error) {
      // Throws the error of the work, also if the connection is lost.
      await connection.executeQuery(rollback).catch(() => {})
      throw error
    }
    const committed = confirmCommit(begun, connection.executeQuery<{ command: string }>(commit))
    committed.catch(() => {})
    if (!countWaiting()) await committed
    return { result, committed }
  })
  await committed
  return result
}

/**
 * Rejects if the transaction did not begin, or was not committed. PostgreSQL answers `commit` with ROLLBACK
 * if a statement of the transaction failed.
 */
async function confirmCommit(begun: Promise<unknown>, committed: Promise<QueryResult<{ command: string }>>) {
  committed.catch(() => {})
  await begun
  if ((await committed).rows[0]?.command === 'ROLLBACK')
    throw new Error('PostgreSQL rolled the transaction back, because one of its statements failed.')
}
