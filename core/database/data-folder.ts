import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#core/config.ts'
import { isLocked } from '#core/database/errors.ts'

/**
 * Locks a folder (DATA_DIR) for this process, and returns the function that releases the lock. Processes that
 * pass `isShared` may hold the lock together. The lock is a SQLite transaction on the file `lock` in the
 * folder, so the system releases it even if the process is killed. Throws OperatorError with the text
 * `refusal` when another process holds the lock.
 */
export function lockDataFolder(
  folder: string,
  { isShared = false, refusal = `DATA_DIR is in use: another Engawa already runs on ${folder}.` } = {},
): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec(
      `pragma busy_timeout = 0; ${isShared ? 'begin; select * from sqlite_master' : 'begin exclusive'}`,
    )
  } catch (error) {
    lock.close()
    throw isLocked(error) ? new OperatorError(refusal) : error
  }
  return () => lock.close()
}
