import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The number of times that a statement must have run before PostgreSQL keeps it prepared. */
const USES_BEFORE_PREPARATION = 10
const MAX_PREPARED_STATEMENTS = 300
const MAX_COUNTED = 1000

/**
 * Gives names to statements, so that PostgreSQL parses and plans them once for each connection and not at
 * each use. Only statements that run often get a name, and their number is limited: a name is never taken
 * back, because the connections would keep its statement.
 */
export class PreparedNames {
  private readonly names = new Map<string, string>()
  private readonly uses = new LRUCache<string, number>({ max: MAX_COUNTED })
  /** Of this process: behind a pooler, two that gave one name would run the statement of the other. */
  private prefix = randomPrefix()
  private isEnabled = true

  /** Returns the name of a statement; undefined if it has none (yet). Counts the use. */
  nameOf(text: string): string | undefined {
    if (!this.isEnabled) return undefined
    const name = this.names.get(text)
    if (name !== undefined || this.names.size >= MAX_PREPARED_STATEMENTS) return name
    const uses = (this.uses.get(text) ?? 0) + 1
    this.uses.set(text, uses)
    if (uses < USES_BEFORE_PREPARATION) return undefined
    this.uses.delete(text)
    const given = `${this.prefix}${this.names.size}`
    this.names.set(text, given)
    return given
  }

  /**
   * Stops using the statements that an error has shown to be unusable. After a change of the schema, all
   * statements get new names. If a connection pooler between Engawa and PostgreSQL mixes up the names, no
   * statement gets one any more.
   */
  onError(error: unknown) {
    if (isNameUnknownOrTaken(error)) this.isEnabled = false
    else if (hasResultTypeChanged(error)) {
      this.prefix = randomPrefix()
      this.names.clear()
    }
  }
}

const randomPrefix = () => `engawa_${randomBytes(6).toString('hex')}_`

const codeOf = (error: unknown) => (error as { code?: string }).code

/** Whether the error is invalid_sql_statement_name or duplicate_prepared_statement. */
const isNameUnknownOrTaken = (error: unknown) => ['26000', '42P05'].includes(codeOf(error) ?? '')

/**
 * Whether a prepared statement would return other columns than before, because the tables have changed. The
 * code is feature_not_supported, which other errors have too.
 */
const hasResultTypeChanged = (error: unknown) =>
  codeOf(error) === '0A000' && /cached plan/.test((error as Error).message)

/** Whether the error goes away if the statement is prepared again, or runs without preparation. */
export const isPreparedError = (error: unknown) => isNameUnknownOrTaken(error) || hasResultTypeChanged(error)
