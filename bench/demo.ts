import { join } from 'node:path'
import { buildApp, migrations } from '#app.ts'
import { readConfig } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { migrate } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { fill } from '#demo/fill.ts'
import { site } from '#main.ts'
import { freshFolder, startServer } from '#tests/server.ts'

/** Starts a server with the demo community and what `add` adds to it. `endAll` stops it. */
export async function startDemo(add = async (_context: AppContext) => {}) {
  console.log('Filling the demo community …')
  const folder = await freshFolder()
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const database = openSqlite(join(folder, 'engawa.db'))
  await migrate(database.db, migrations)
  const { app, context } = await buildApp({ config, database, site: site() })
  await fill(context)
  await add(context)
  await app.close()
  await database.close()
  return startServer({ DATA_DIR: folder, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' })
}
