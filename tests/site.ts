import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { buildApp } from '#app.ts'
import { readConfig } from '#core/config.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { loadBuiltFrontend } from '#main.ts'
import { migratedSqlite } from '#tests/migrated-databases.ts'

export type Site = Awaited<ReturnType<typeof startSite>>

/**
 * Starts Engawa with its built pages on a port of this process, for HTTP clients that need a port. All tests
 * of a file can share it: a hook starts it and, at the end, calls `stop`.
 */
export async function startSite(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-test-'))
  const config = readConfig({
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    NEW_POSTS_UP_TO: '0',
    ...env,
  })
  migratedSqlite(join(folder, 'engawa.db'))
  const database = openSqlite(join(folder, 'engawa.db'))
  const { app, context } = await buildApp({
    config,
    database,
    frontend: loadBuiltFrontend(),
  })
  const [infos, errors] = [vi.spyOn(app.log, 'info'), vi.spyOn(app.log, 'error')]
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  context.publicSite.origin = config.PUBLIC_URL ?? url
  return {
    url,
    folder,
    app,
    /** Returns what the app has logged as information so far. */
    infos: () => infos.mock.calls,
    /** Returns what the app has logged as errors so far. */
    errors: () => errors.mock.calls,
    async stop() {
      await app.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
