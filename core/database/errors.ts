/** serialization_failure or deadlock_detected: PostgreSQL asks for another try of the transaction. */
export const isRetryable = (error: unknown) =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

/** The database cannot be reached: it stops, starts, has no free connection, or the network is broken. */
export const isUnavailable = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(08...|57P0.|57014|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
      message,
    )
  )
}

const FULL = { sqlite: 13, postgres: '53100', file: 'ENOSPC' }
/** The disk is full (SQLITE_FULL, PostgreSQL's disk_full, ENOSPC). */
export const isDiskFull = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === FULL.sqlite || code === FULL.postgres || code === FULL.file
}

/**
 * A row cannot be deleted because others refer to it (SQLITE_CONSTRAINT_FOREIGNKEY, foreign_key_violation).
 */
export const isForeignKeyViolation = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === 787 || code === '23503'
}
