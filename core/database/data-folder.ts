import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#core/config.ts'

/**
 * Locks a folder (DATA_DIR) for this process. With `isShared`, other processes that use `isShared` may hold
 * the lock too. Returns the function that releases it. The lock is a transaction on a file of its own, so the
 * system releases it however the process ends. Throws OperatorError with the text `refusal` when another
 * process holds the lock.
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
  } catch {
    lock.close()
    throw new OperatorError(refusal)
  }
  return () => lock.close()
}
