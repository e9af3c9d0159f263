import type { Writable } from 'node:stream'
import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type { Client } from 'pg'
import { PreparedStatementNames } from '#core/database/prepared-statements.ts'

/**
 * The dialect of PostgreSQL with a driver that does not wait for the answer to `begin`: the first statement
 * of a transaction is sent together with it. The connections of the pool must have the option `pipeline`.
 */
export class PipeliningPostgresDialect extends PostgresDialect {
  private readonly config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.config = config
  }

  override createDriver() {
    return new PipeliningPostgresDriver(this.config)
  }
}

class PipeliningPostgresDriver extends PostgresDriver {
  /** The promise of the answer to `begin`, for each connection with an open transaction. */
  private readonly begun = new WeakMap<DatabaseConnection, Promise<void>>()

  /**
   * Sends `begin`, and resolves before PostgreSQL has answered. If `begin` fails, the following statements
   * run outside of a transaction. There they may only read, because the connections are read-only by default,
   * and `commitTransaction` rejects.
   */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    const begun = super.beginTransaction(connection, settings)
    // Ignores an error here, because `commitTransaction` reports it, or the first statement fails too.
    begun.catch(() => {})
    this.begun.set(connection, begun)
  }

  override async commitTransaction(connection: DatabaseConnection) {
    const committed = super.commitTransaction(connection)
    committed.catch(() => {})
    await this.begun.get(connection)
    await committed
  }
}

/**
 * Creates the class of the connections, which lets PostgreSQL prepare the statements of transactions that may
 * write. They are short and run often, so PostgreSQL needs more time to plan them than to run them. Other
 * statements are planned at each use, because the best plan of a list depends on its parameters.
 */
export function createPreparingClient(BaseClient: typeof Client) {
  const statements = new PreparedStatementNames()

  class PreparingClient extends BaseClient {
    private isPreparing = false
    private isJoiningWrites = false

    // biome-ignore lint/suspicious/noExplicitAny: the method has too many forms to repeat their types
    override query(...given: any[]): any {
      this.joinWritesOfTurn()
      const [text, values] = given
      if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(given as [string]))
      if (text === 'start transaction read write') this.isPreparing = true
      else if (text === 'commit' || text === 'rollback') this.isPreparing = false
      else if (this.isPreparing) return this.queryPrepared(text, values)
      return super.query(text, values)
    }

    /**
     * Joins all statements that the code sends before it waits for the next answer into one write to the
     * socket, because a write costs more processor time than building and sending a short statement without
     * it.
     */
    private joinWritesOfTurn() {
      if (this.isJoiningWrites) return
      const { stream } = (this as unknown as { connection: { stream: Writable } }).connection
      this.isJoiningWrites = true
      stream.cork()
      // Node calls this function once all settled promises have been handled. Then the joined statements are
      // sent.
      process.nextTick(() => {
        this.isJoiningWrites = false
        stream.uncork()
      })
    }

    private queryPrepared(text: string, values: unknown[]) {
      const name = statements.nameOf(text)
      if (name === undefined) return super.query(text, values)
      return super.query({ name, text, values }).catch((error: unknown) => {
        statements.onError(error)
        throw error
      })
    }
  }
  return PreparingClient
}
