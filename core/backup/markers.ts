import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#core/config.ts'

/** The folder in DATA_DIR to which a restore writes all files before it moves them to DATA_DIR. */
export const STAGING_FOLDER = 'restoring'
/** The file in DATA_DIR that marks a community as moved to PostgreSQL. */
export const MOVED_FILE = 'moved'

/**
 * Throws OperatorError if a restore to the folder was interrupted, because its community is incomplete then.
 */
export function requireWholeRestore(folder: string) {
  if (existsSync(join(folder, STAGING_FOLDER)))
    throw new OperatorError(
      'DATA_DIR holds a restore that was broken off: run `engawa restore` again, ' +
        `or remove ${join(folder, STAGING_FOLDER)}.`,
    )
}

/**
 * Throws OperatorError if the community of the folder was moved to PostgreSQL, because the folder holds its
 * old state.
 */
export function requireNotMoved(folder: string) {
  if (existsSync(join(folder, MOVED_FILE)))
    throw new OperatorError(
      `DATA_DIR was moved: set DATABASE_URL, or remove ${join(folder, MOVED_FILE)} ` +
        'to go on with what stayed there.',
    )
}
