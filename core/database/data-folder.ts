import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
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

/**
 * Copies a SQLite database while it is in use, and compares the copy with it. Throws when the copy is not
 * complete.
 */
export async function snapshot(file: string, copy: string) {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, copy)
    const target = new DatabaseSync(copy)
    try {
      target.exec('pragma journal_mode = delete') // one file, nothing beside it
      const [check] = target.prepare('pragma integrity_check').all() as { integrity_check: string }[]
      if (check?.integrity_check !== 'ok' || rowCounts(source) !== rowCounts(target))
        throw new Error(`The snapshot ${copy} is not whole.`)
    } finally {
      target.close()
    }
  } finally {
    source.close()
  }
}

const rowCounts = (sqlite: DatabaseSync) => {
  const tables = sqlite
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .all() as { name: string }[]
  return tables
    .map(({ name }) => `${name} ${sqlite.prepare(`select count(*) as n from "${name}"`).get()?.n}`)
    .join('\n')
}
