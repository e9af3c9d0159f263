import { afterAll, expect, test, vi } from 'vitest'
import { runCrashTest } from '#tests/crashes.ts'
import { deep } from '#tests/deep.ts'
import { databases } from '#tests/harness.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { serverFolder, stopServers } from '#tests/server.ts'
import { dropDatabase } from '#tests/services.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 })
afterAll(stopServers)

// The deep stage kills the server more often, and `npm run crash` a hundred times.
test.each(databases)(
  'after repeated kills during writes on %s, every acknowledged row is stored once, and every file has a row',
  async (dialect) => {
    const url = dialect === 'postgres' ? await migratedPostgres() : null
    const env = {
      DATA_DIR: await serverFolder(),
      ...(url && { DATABASE_URL: url }),
    }
    const seed = Date.now() % 1e6
    const { wrong, acknowledged } = await runCrashTest({ rounds: deep ? 20 : 2, seed, env })
    expect(wrong, `seed ${seed}`).toEqual([])
    expect(acknowledged.posts).toBeGreaterThan(0)
    if (url) await dropDatabase(url)
  },
)
