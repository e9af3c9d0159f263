import type { CompiledQuery, DatabaseConnection } from 'kysely'
import type { Db, Tx } from '#core/database/database.ts'

// Work at the end of each transaction that has changed certain rows, in the same transaction; on SQLite once for
// all transactions of a commit.

export interface BeforeCommit {
  /** Whether a statement with this text may change such rows. Called once for each text. */
  concerns(sql: string): boolean
  run(tx: Tx): Promise<unknown>
}

const registered = new WeakMap<Db, { hook: BeforeCommit; known: Map<string, boolean> }>()

/** A database has at most one; a later one replaces it. */
export const beforeCommit = (db: Db, hook: BeforeCommit) =>
  void registered.set(db, { hook, known: new Map() })

/** Texts of statements whose answer is kept. */
const MAX_KNOWN = 2000

const nothing = () => null

/** Returns the connection on which the work runs. `due` returns what to run at its end, or null. */
export function watch(
  db: Db,
  connection: DatabaseConnection,
): { connection: DatabaseConnection; due(): BeforeCommit['run'] | null } {
  const found = registered.get(db)
  if (!found) return { connection, due: nothing }
  const { hook, known } = found
  let isConcerned = false
  const look = ({ sql }: CompiledQuery) => {
    let answer = known.get(sql)
    if (answer === undefined) {
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(sql, (answer = hook.concerns(sql)))
    }
    isConcerned ||= answer
  }
  const watched: DatabaseConnection = {
    executeQuery(query, options) {
      look(query)
      return connection.executeQuery(query, options)
    },
    streamQuery(query, chunkSize, options) {
      look(query)
      return connection.streamQuery(query, chunkSize, options)
    },
  }
  return { connection: watched, due: () => (isConcerned ? hook.run : null) }
}
