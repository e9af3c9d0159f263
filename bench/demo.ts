import { join } from 'node:path'
import { allMigrations, buildFastifyAppAndContext } from '#app.ts'
import { readConfigAndCreateSecrets } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { seedDemoCommunityIfEmpty } from '#demo/seed.ts'
import { loadBuiltFrontend } from '#main.ts'
import { createTestServerTemporaryFolder, startTestServerProcess } from '#tests/server.ts'

/**
 * Starts a server process with the demo community. Before the start, `add` can add rows to its database.
 * `stopAllTestServers` stops the server.
 */
export async function startBenchServerWithDemoCommunity(add = async (_context: AppContext) => {}) {
  console.log('Filling the demo community …')
  const folder = await createTestServerTemporaryFolder()
  const config = readConfigAndCreateSecrets({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const database = openSqlite(join(folder, 'engawa.db'))
  await runMigrations(database.db, allMigrations)
  const { app, context } = await buildFastifyAppAndContext({
    config,
    database,
    frontend: loadBuiltFrontend(),
  })
  await seedDemoCommunityIfEmpty(context)
  await add(context)
  await app.close()
  await database.close()
  return startTestServerProcess({ DATA_DIR: folder, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' })
}
