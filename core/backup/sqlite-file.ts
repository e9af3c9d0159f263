import { DatabaseSync } from 'node:sqlite'
import { BadSetting } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { readSqlite } from '#core/database/sqlite.ts'

/** Runs `work` on a snapshot of a SQLite file, while others write to it. */
export async function withSqliteFile<T>(file: string, work: (db: Db, sqlite: DatabaseSync) => Promise<T>) {
  const { db, sqlite, close } = readSqlite(file)
  try {
    return await work(db, sqlite)
  } finally {
    await close()
  }
}

/** Leaves write-ahead logging: then the one file holds the whole database. */
export function leaveWal(file: string) {
  const sqlite = new DatabaseSync(file)
  sqlite.exec('pragma journal_mode = delete')
  sqlite.close()
}

/** Throws BadSetting where pages of a SQLite file are damaged, or a foreign key has no target. */
export function assertIntact(file: string) {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    const [check] = sqlite.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    const violations = sqlite.prepare('pragma foreign_key_check').all()
    if (check?.integrity_check !== 'ok' || violations.length)
      throw new BadSetting(`The database ${file} is damaged.`)
  } finally {
    sqlite.close()
  }
}
