import type { Writable } from 'node:stream'
import type { Client, Query, QueryResult } from 'pg'
import { isPreparedError, PreparedNames } from '#core/database/prepared-statements.ts'

/** A query of `pg` with the properties that its types leave out. */
type NamedQuery = Query & {
  text: string
  name: string
  callback: (error: Error | undefined, result: QueryResult) => void
}

/**
 * The statement that begins a transaction that may write. With `read committed`, it sees what others have
 * committed while it waited for a lock, even if the operator has set another isolation for the database.
 */
export const BEGIN_WRITE = 'start transaction isolation level read committed read write'

/**
 * Creates the class of the connections, which lets PostgreSQL prepare statements: planning one takes up to
 * twenty times as long as running it. PostgreSQL compares the plan for all parameters with those that it made for
 * the first five, and goes on planning each use if they are cheaper.
 */
export function preparingClient(BaseClient: typeof Client, BaseQuery: typeof Query) {
  const statements = new PreparedNames()

  class PreparingClient extends BaseClient {
    /** `read`: one that cannot be tried again, so none of its statements is prepared. */
    private transaction: 'none' | 'read' | 'write' = 'none'
    private isJoiningWrites = false

    // biome-ignore lint/suspicious/noExplicitAny: the method has too many forms to repeat their types
    override query(...given: any[]): any {
      this.joinWritesOfTurn()
      const [text, values] = given
      if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(given as [string]))
      if (/^(start transaction|begin)\b/.test(text))
        this.transaction = text === BEGIN_WRITE ? 'write' : 'read'
      else if (text === 'commit' || text === 'rollback') this.transaction = 'none'
      else if (this.transaction !== 'read') return this.queryPrepared(text, values)
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
      const isAlone = this.transaction === 'none'
      return new Promise<QueryResult>((resolve, reject) => {
        // Builds the query itself, because the client would copy an object with the name, the text and the
        // values with all property descriptors.
        const query = Object.assign(new BaseQuery(text, values) as NamedQuery, { name })
        query.callback = (error, result) => {
          if (!error) return resolve(result)
          statements.onError(error)
          // A transaction is tried again as a whole.
          if (isAlone && isPreparedError(error)) resolve(super.query(text, values))
          else reject(error)
        }
        super.query(query)
      })
    }
  }
  return PreparingClient
}
