import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

// A server process loads this file by NODE_OPTIONS. The process then kills itself with SIGKILL when it is
// about to run the first SQL statement that contains the text of the environment variable KILL_AT_STATEMENT.

const text = process.env.KILL_AT_STATEMENT!

function killIfReached(statement: unknown) {
  if (String(statement).includes(text)) process.kill(process.pid, 'SIGKILL')
}

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (this: DatabaseSync, statement, ...rest) {
  killIfReached(statement)
  return prepare.call(this, statement, ...rest)
}

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  killIfReached((given[0] as { text?: string }).text ?? given[0])
  return query.apply(this, given)
} as typeof pg.Client.prototype.query
