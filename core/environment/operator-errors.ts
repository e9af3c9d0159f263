import { isDiskFull, isLocked } from '#core/database/errors.ts'

// The sentences for errors that the operator can mend, such as a wrong password of the database. Other errors
// are faults of Engawa, and keep their stack.

interface SystemError extends Error {
  code?: string
  errcode?: number
  path?: string
}
interface DatabaseNames {
  user: string
  database: string
}

/**
 * Returns the sentence that tells the operator what is wrong and what to do; null for other errors.
 * `databaseUrl` is DATABASE_URL, for the names in the sentence.
 */
export function operatorError(error: unknown, databaseUrl: string | undefined): string | null {
  if (!(error instanceof Error)) return null
  const names = readDatabaseNames(databaseUrl)
  return (
    (isDiskFull(error) ? 'The disk is full: nothing was changed.' : null) ??
    describeSqliteError(error) ??
    describePostgresError(error, names) ??
    describeFileError(error)
  )
}

function readDatabaseNames(address: string | undefined): DatabaseNames {
  const url = URL.parse(address ?? '')
  const user = decode(url?.username) || '…'
  return { user, database: decode(url?.pathname.slice(1)) || user }
}

function decode(text = '') {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const RESTORE = 'Restore a backup: engawa restore --overwrite BACKUP.'

/** The sentences by the primary result codes of SQLite: https://sqlite.org/rescode.html */
const sqliteSentences: Readonly<Record<number, string>> = {
  3: 'The database in DATA_DIR cannot be opened: it belongs to another user.',
  8: 'The database in DATA_DIR cannot be written to: its disk or folder is read-only, or belongs to another user.',
  10: `The disk of DATA_DIR fails to read or write the database. Look into the log of the system. ${RESTORE}`,
  11: `The database in DATA_DIR is damaged. ${RESTORE}`,
  14: 'The database in DATA_DIR cannot be opened: its disk or folder is read-only, or belongs to another user.',
  26: `engawa.db in DATA_DIR is damaged, or not a database. ${RESTORE}`,
}

function describeSqliteError(error: SystemError) {
  if (error.errcode === undefined) return null
  if (isLocked(error))
    return 'Another program locks the database in DATA_DIR: wait until it has finished, or end it.'
  // The code of all faults in SQL; only the message says that a table is missing.
  if (error.errcode === 1 && error.message.includes('no such table'))
    return `Tables are missing (${error.message}), so another tool has changed the database in DATA_DIR. ${RESTORE}`
  return sqliteSentences[error.errcode & 0xff] ?? null
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function describePostgresError({ code = '', message }: SystemError, { user, database }: DatabaseNames) {
  switch (code) {
    case '28P01':
      return `DATABASE_URL has a wrong password or user: PostgreSQL refuses ${user}. Signs other than letters and digits in the password are percent-encoded there (@ is %40).`
    case '28000':
      return `DATABASE_URL names the user ${user}, whom PostgreSQL does not let in: see pg_hba.conf, or run as its superuser: alter role ${quote(user)} login;`
    case '3D000':
      return `DATABASE_URL names the database ${database}, which does not exist. Run as the superuser of PostgreSQL: create database ${quote(database)} owner ${quote(user)} encoding 'UTF8' template template0;`
    case '42501':
      return describeMissingRight(message, user, database)
    case '25006':
      return 'DATABASE_URL takes a database that can be written to: this one is read-only (a standby server, perhaps).'
    case '42P01':
      return `Tables are missing (${message}), so another tool has changed the PostgreSQL database: restore a backup into a new database.`
    case 'XX001':
    case 'XX002':
      return 'The PostgreSQL database is damaged: look into its log, and restore a backup into a new database.'
    default:
      return null
  }
}

function describeMissingRight(message: string, user: string, database: string) {
  const role = quote(user)
  const sql = /for database/.test(message)
    ? `grant connect, create on database ${quote(database)} to ${role};`
    : /for schema/.test(message)
      ? `grant usage, create on schema public to ${role};`
      : `grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}; ` +
        `and, for updates, make ${role} the owner of the tables: reassign owned by "former owner" to ${role};`
  return `The user ${user} of DATABASE_URL lacks a right (${message}). Run in ${database}, as the superuser of PostgreSQL: ${sql}`
}

const fileSentences: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'its disk is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'its disk fails',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'too many files are open (ulimit -n)',
}

/** Describes an error of the file system, which names the file. */
function describeFileError({ code = '', path }: SystemError) {
  return path !== undefined && fileSentences[code]
    ? `${path} cannot be used: ${fileSentences[code]} (${code}).`
    : null
}
