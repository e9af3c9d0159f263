import { type DatabaseConnection, QueryCreator } from 'kysely'
import type { CompilableSqlStatement, DatabaseTables, Db, Tx } from '#core/database/database.ts'
import { transactionScopesByDb } from './outer-db-guard.ts'

// The work of one transaction, on a connection whose transaction has begun: its `tx`, and its callbacks after
// the commit.

export type Work<T> = (tx: Tx) => Promise<T>

export interface Done<T> {
  value: T
  callbacks: readonly (() => unknown)[]
  /** The promises of the answers to statements for which the work has not waited. */
  answers: readonly Promise<unknown>[]
}

interface Connections {
  connection: DatabaseConnection
  /**
   * Returns the same connection in a form that records that its statements change only rows of one member.
   */
  connectionForMember?: (member: number) => DatabaseConnection
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
  readonly callbacks: (() => unknown)[]
  /** The promises of the answers to the statements of `sendStatement`. */
  readonly answers: Promise<unknown>[]
  readonly root: Db
  private readonly connections: Connections
  private readonly scope: { isOpen: boolean }

  constructor(
    db: Db,
    connections: Connections,
    scope: { isOpen: boolean },
    { callbacks, answers }: Pick<OpenTransaction, 'callbacks' | 'answers'> = { callbacks: [], answers: [] },
  ) {
    const executor = db.getExecutor().withConnectionProvider({
      provideConnection: async (consumer) => {
        if (!scope.isOpen) throw new Error('A statement runs after its transaction: await each of them.')
        return consumer(connections.connection)
      },
    })
    super({ executor })
    this.root = db
    this.connections = connections
    this.callbacks = callbacks
    this.answers = answers
    this.fn = db.fn
    this.getExecutor = () => executor
    this.scope = scope
  }

  afterCommit(callback: () => unknown) {
    if (!this.scope.isOpen) throw new Error('afterCommit is called after the transaction.')
    this.callbacks.push(callback)
  }

  forRowsOfMember(member: number) {
    const { connectionForMember } = this.connections
    if (!connectionForMember) return this
    const connections = { connection: connectionForMember(member), connectionForMember }
    return new OpenTransaction(this.root, connections, this.scope, this)
  }

  sendStatement<Row>(statement: CompilableSqlStatement<Row>) {
    const answer = this.getExecutor().executeQuery<Row>(statement.compile(this))
    // Ignores an error here, because it is reported when the work has ended.
    answer.catch(() => {})
    this.answers.push(answer)
    return answer
  }
}

export async function run<T>(db: Db, connections: Connections, work: Work<T>): Promise<Done<T>> {
  const scope = { isOpen: true }
  const tx = new OpenTransaction(db, connections, scope)
  try {
    const value = await transactionScopesByDb.get(db)!.run(scope, work, tx)
    return { value, callbacks: tx.callbacks, answers: tx.answers }
  } catch (error) {
    // Throws the error of a statement of `sendStatement`, after which PostgreSQL has refused all others.
    await Promise.all(tx.answers)
    throw error
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
