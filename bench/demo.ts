import { join } from 'node:path'
import { allMigrations, buildApp } from '#app.ts'
import { readConfigAndCreateSecrets } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { seedDemo } from '#demo/seed.ts'
import { loadBuiltFrontend } from '#main.ts'
import { createServerTemporaryFolder, startServer } from '#tests/server.ts'

/**
 * Starts a server with the demo community. Before the start, `add` can add rows to its database.
 * `stopAllServers` stops the server.
 */
export async function startDemoServer(add = async (_context: AppContext) => {}) {
  console.log('Filling the demo community …')
  const folder = await createServerTemporaryFolder()
  const config = readConfigAndCreateSecrets({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const database = openSqlite(join(folder, 'engawa.db'))
  await runMigrations(database.db, allMigrations)
  const { app, context } = await buildApp({ config, database, frontend: loadBuiltFrontend() })
  await seedDemo(context)
  await add(context)
  await app.close()
  await database.close()
  return startServer({ DATA_DIR: folder, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' })
}
