import { afterAll, expect, test, vi } from 'vitest'
import { runCrashTest } from '#tests/crashes.ts'
import { testDatabaseDialects } from '#tests/harness.ts'
import { createTestServerTemporaryFolder, stopAllTestServers } from '#tests/server.ts'
import { createTestPostgresDatabase, startTemporaryPostgres } from '#tests/services.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })
afterAll(stopAllTestServers)

// `npm run crash` runs the same test, but kills the server a hundred times.
test.each(testDatabaseDialects)(
  'after repeated kills during writes on %s, every acknowledged row is stored once, and every file has a row',
  async (dialect) => {
    const postgres = dialect === 'postgres' ? await startTemporaryPostgres() : null
    const env = {
      DATA_DIR: await createTestServerTemporaryFolder(),
      ...(postgres && { DATABASE_URL: await createTestPostgresDatabase(postgres.url) }),
    }
    const seed = Date.now() % 1e6
    const { wrong, acknowledged } = await runCrashTest({ rounds: 5, seed, env })
    expect(wrong, `seed ${seed}`).toEqual([])
    expect(acknowledged.posts).toBeGreaterThan(0)
    await postgres?.stop()
  },
)
