import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { DatabaseTables, Db } from '#core/database/database.ts'

/** Stores for each database whether the running code is inside one of its transactions. */
export const scopes = new WeakMap<Db, AsyncLocalStorage<{ isOpen: boolean }>>()

/**
 * Makes a database throw when it is used inside one of its own transactions. Without this, SQLite waits for
 * ever (its one connection is taken), and PostgreSQL answers from another connection, which does not see what
 * the transaction wrote.
 */
export function forbidOuterDb(db: Kysely<DatabaseTables>) {
  scopes.set(db, new AsyncLocalStorage())
  // Changes only the executor of the outer db. Each transaction has an executor of its own, so it still
  // works.
  const executor = db.getExecutor()
  const provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = (consumer, options) => {
    requireOutside(db)
    return provideConnection(consumer, options)
  }
  return db
}

export function requireOutside(db: Db) {
  if (scopes.get(db)!.getStore()?.isOpen)
    throw new Error('The outer db is used inside a transaction: use the tx that transaction() gives.')
}
