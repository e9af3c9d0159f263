import { isPreparedError } from '#core/database/prepared-statements.ts'

/**
 * Whether the error says that another try of the transaction may succeed: it is PostgreSQL's
 * serialization_failure or deadlock_detected, or a prepared statement that PostgreSQL has to prepare again.
 */
export const isRetryable = (error: unknown) =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '') || isPreparedError(error)

/** Whether the error says that another program holds the write lock of the SQLite file (SQLITE_BUSY). */
export const isLocked = (error: unknown) => {
  const { errcode } = error as { errcode?: number }
  // The low byte of an extended code is the primary one: https://sqlite.org/rescode.html
  return errcode !== undefined && (errcode & 0xff) === 5
}

/**
 * Whether the error says that the database does not answer: it stops or starts, has no free connection, the
 * network is broken, a query took too long, or another program locks the file.
 */
export const isUnavailable = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    isLocked(error) ||
    /^(08...|57P0.|57014|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
      message,
    )
  )
}

const DISK_FULL_CODES = { sqlite: 13, postgres: '53100', file: 'ENOSPC' }
/** Whether the error says that the disk is full (SQLITE_FULL, PostgreSQL's disk_full, ENOSPC). */
export const isDiskFull = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return (
    errcode === DISK_FULL_CODES.sqlite || code === DISK_FULL_CODES.postgres || code === DISK_FULL_CODES.file
  )
}

/**
 * Whether the error says that a foreign key is violated, such as by deleting a row to which others refer
 * (SQLITE_CONSTRAINT_FOREIGNKEY, foreign_key_violation).
 */
export const isForeignKeyError = (error: unknown) => {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === 787 || code === '23503'
}
