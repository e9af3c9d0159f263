import { type DatabaseConnection, QueryCreator } from 'kysely'
import type { DatabaseTables, Db, Tx } from '#core/database/database.ts'
import { scopes } from './outer-db-guard.ts'

// The work of one transaction, on a connection whose transaction has begun: its `tx`, and its callbacks after
// the commit.

export type Work<T> = (tx: Tx) => Promise<T>

export interface Done<T> {
  value: T
  callbacks: readonly (() => unknown)[]
}

/**
 * The `tx` of one work function. Its executor uses the connection directly, because the executor that Kysely
 * gives a transaction costs more than a short statement. It throws when it is used after the work: otherwise
 * a statement that the work did not await would belong to the next work on this connection.
 */
class OpenTransaction extends QueryCreator<DatabaseTables> implements Tx {
  readonly isTransaction = true
  readonly fn: Db['fn']
  readonly getExecutor: Db['getExecutor']
  readonly callbacks: (() => unknown)[] = []
  readonly root: Db
  private readonly scope: { isOpen: boolean }

  constructor(db: Db, connection: DatabaseConnection, scope: { isOpen: boolean }) {
    const executor = db.getExecutor().withConnectionProvider({
      provideConnection: async (consumer) => {
        if (!scope.isOpen) throw new Error('A statement runs after its transaction: await each of them.')
        return consumer(connection)
      },
    })
    super({ executor })
    this.root = db
    this.fn = db.fn
    this.getExecutor = () => executor
    this.scope = scope
  }

  afterCommit(callback: () => unknown) {
    if (!this.scope.isOpen) throw new Error('afterCommit is called after the transaction.')
    this.callbacks.push(callback)
  }
}

export async function run<T>(db: Db, connection: DatabaseConnection, work: Work<T>): Promise<Done<T>> {
  const scope = { isOpen: true }
  const tx = new OpenTransaction(db, connection, scope)
  try {
    const value = await scopes.get(db)!.run(scope, work, tx)
    return { value, callbacks: tx.callbacks }
  } finally {
    scope.isOpen = false
  }
}

/** Starts all callbacks in their order, waits for them, and returns the value of the work. */
export async function finish<T>({ value, callbacks }: Done<T>) {
  await Promise.all(callbacks.map(call))
  return value
}

/**
 * Calls a callback. Prints its error and does not throw it, because the commit has succeeded, and an error
 * would look like a failure of the transaction.
 */
async function call(callback: () => unknown) {
  try {
    await callback()
  } catch (error) {
    console.error('A callback after a commit failed:', error)
  }
}
