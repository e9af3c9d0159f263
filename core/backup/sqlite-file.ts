import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { openSnapshot } from '#core/database/sqlite.ts'

/** Runs `work` on a snapshot of a SQLite file. Other processes may write to the file meanwhile. */
export async function withReadTransaction<T>(
  file: string,
  work: (db: Db, sqlite: DatabaseSync) => Promise<T>,
) {
  const { db, sqlite, close } = openSnapshot(file)
  try {
    return await work(db, sqlite)
  } finally {
    await close()
  }
}

/** Switches write-ahead logging off, so that one file holds the whole database. */
export function turnOffWal(file: string) {
  const sqlite = new DatabaseSync(file)
  sqlite.exec('pragma journal_mode = delete')
  sqlite.close()
}

/**
 * Throws OperatorError if pages of a SQLite file are damaged, or if a foreign key refers to a row that does
 * not exist.
 */
export function requireIntact(file: string) {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    const [check] = sqlite.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    const violations = sqlite.prepare('pragma foreign_key_check').all()
    if (check?.integrity_check !== 'ok' || violations.length)
      throw new OperatorError(`The database ${file} is damaged.`)
  } finally {
    sqlite.close()
  }
}
