import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BadSetting } from '#core/config.ts'

/**
 * Locks a folder (DATA_DIR) for this process, or with `together` for all processes that lock it so, and
 * returns the release. The lock is a transaction on a file of its own: the system releases it when the
 * process ends in any way. Throws BadSetting with the text `refusal` when another process holds the lock.
 */
export function lockDataFolder(
  folder: string,
  { together = false, refusal = `DATA_DIR is in use: another Engawa already runs on ${folder}.` } = {},
): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec(
      `pragma busy_timeout = 0; ${together ? 'begin; select * from sqlite_master' : 'begin exclusive'}`,
    )
  } catch {
    lock.close()
    throw new BadSetting(refusal)
  }
  return () => lock.close()
}
