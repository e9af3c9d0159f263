import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '#app.ts'
import { BadSetting, type Config, readConfig, readSettings } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { assertNotNewer, dueMigrations } from '#core/database/migrate.ts'
import { shareSecrets } from '#core/secrets.ts'
import { openDatabase } from '#main.ts'

/**
 * A command of the command line: its arguments, its purpose, and its work, which returns the text to print.
 */
export interface Command {
  /** The word after it, in capitals; in brackets where it may be left out. */
  takes?: string
  /** Options without a value that it knows. */
  flags?: readonly string[]
  says: string
  run(
    given: string | undefined,
    options: Readonly<Record<string, string | boolean | undefined>>,
  ): Promise<string>
}

/** Throws BadSetting where DATA_DIR has no SQLite community. */
export function refuseEmptyFolder() {
  const { DATA_DIR } = readSettings()
  if (!existsSync(join(DATA_DIR, 'engawa.db')))
    throw new BadSetting(`DATA_DIR holds no community: there is no engawa.db in ${DATA_DIR}.`)
}

/** Works on the community that the settings name, beside its running server. */
export async function inCommunity<T>(
  work: (community: { db: Db; config: Config }) => Promise<T>,
): Promise<T> {
  if (!readSettings().DATABASE_URL) refuseEmptyFolder()
  const config = readConfig()
  const database = await openDatabase(config, { patient: true })
  try {
    // Only this process waits; a server that writes all the time leaves the file for moments.
    if (!config.DATABASE_URL) await sql`pragma busy_timeout = 60000`.execute(database.db)
    await assertNotNewer(database.db, migrations)
    if ((await dueMigrations(database.db, migrations)).length)
      throw new BadSetting('The database is of another version: start the server once, then try again.')
    return await work({ db: database.db, config: await shareSecrets(config, database.db) })
  } finally {
    await database.close()
  }
}
