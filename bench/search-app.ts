import { join } from 'node:path'
import { buildApp } from '#app.ts'
import { readConfig } from '#core/config.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import type { FeatureModule } from '#core/feature/module.ts'
import type { Copy } from './copies.ts'

/** The app on a copy, in this process. It does not listen. */
export async function openApp(
  { folder, url }: Pick<Copy, 'folder' | 'url'>,
  features?: readonly FeatureModule[],
) {
  const config = readConfig({
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    ...(url && { DATABASE_URL: url }),
  })
  const database = url ? await openPostgres(url) : openSqlite(join(folder, 'engawa.db'))
  const frontend = {
    html: () => '',
    assetsOf: () => ({ scripts: [], styles: [] }),
    folder: null,
    version: 'bench',
  }
  const { app, context } = await buildApp({ config, database, frontend, ...(features && { features }) })
  return {
    app,
    context,
    async close() {
      await app.close()
      await database.close()
    },
  }
}
