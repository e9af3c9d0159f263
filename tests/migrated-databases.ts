import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { allMigrations } from '#app.ts'
import type { OpenedDatabase } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { createDatabase } from './services.ts'

// Functions that create template databases, and copies of them for tests. A test that runs all migrations
// needs one to two seconds for them. So tests/global-setup.ts runs them once, and each test copies the
// resulting database.

/**
 * Template databases, which tests copy: they contain all tables, as the migrations create them, and no
 * members.
 */
export interface Templates {
  /** The path of the SQLite template. */
  sqlite: string
  /** The URL of the PostgreSQL template; null if there is no PostgreSQL server. */
  postgres: string | null
}

/**
 * Creates the template databases: a SQLite file in `folder` and, if `serverUrl` is given, a database on this
 * PostgreSQL server.
 */
export async function createTemplates(folder: string, serverUrl: string | null): Promise<Templates> {
  const sqlite = join(folder, 'template.db')
  await migrateAndClose(openSqlite(sqlite))
  const postgres = serverUrl && (await createDatabase(serverUrl))
  if (postgres) await migrateAndClose(await openPostgres(postgres))
  return { sqlite, postgres }
}

async function migrateAndClose({ db, close }: OpenedDatabase) {
  await runMigrations(db, allMigrations)
  await close()
}

/** Creates a SQLite file at `path` with all tables, as a copy of the template. */
export const migratedSqlite = (path: string) => copyFileSync(inject('templateDatabases').sqlite, path)

/** Creates a PostgreSQL database with all tables, as a copy of the template, and returns its URL. */
export const migratedPostgres = () =>
  createDatabase(inject('postgres')!, { template: inject('templateDatabases').postgres! })
