import { CompiledQuery, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import type { DatabaseTables } from '#core/database/database.ts'
import { BEGIN_WRITE } from '#core/database/postgres-client.ts'

const begin = CompiledQuery.raw(BEGIN_WRITE)
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

/**
 * Runs `work` in a transaction on one connection of the pool, and resolves to its result after the commit.
 * Rolls back and rejects if `work` rejects. The connections must have the option `pipeline`.
 *
 * Does not wait for the answer to `begin`: the first statement of the work is sent together with it. If
 * `begin` fails, the statements run outside of a transaction, where they may only read, because the
 * connections are read-only by default, and this function rejects.
 *
 * The connection is given back only after the answer to `commit` or `rollback`.
 */
export const runPostgres = <T>(
  db: Kysely<DatabaseTables>,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> =>
  db.getExecutor().provideConnection(async (connection) => {
    const begun = connection.executeQuery(begin)
    // An error of `begin` rejects `confirmCommit`, or has made the first statement fail too.
    begun.catch(() => {})
    let result: T
    try {
      result = await work(connection)
    } catch (error) {
      // Throws the error of the work, also if the connection is lost.
      await connection.executeQuery(rollback).catch(() => {})
      throw error
    }
    await confirmCommit(begun, connection.executeQuery<{ command: string }>(commit))
    return result
  })

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
