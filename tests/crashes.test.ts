import { afterAll, expect, test, vi } from 'vitest'
import { runCrashTest } from '#tests/crashes.ts'
import { dialects } from '#tests/harness.ts'
import { createServerTemporaryFolder, stopAllServers } from '#tests/server.ts'
import { createPostgresDatabase, startTemporaryPostgres } from '#tests/services.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })
afterAll(stopAllServers)

// `npm run crash` runs the same test with a hundred kills.
test.each(dialects)(
  'after repeated kills during writes on %s, every acknowledged row is stored once, and every file has a row',
  async (dialect) => {
    const postgres = dialect === 'postgres' ? await startTemporaryPostgres() : null
    const env = {
      DATA_DIR: await createServerTemporaryFolder(),
      ...(postgres && { DATABASE_URL: await createPostgresDatabase(postgres.url) }),
    }
    const seed = Date.now() % 1e6
    const { wrong, acknowledged } = await runCrashTest({ rounds: 5, seed, env })
    expect(wrong, `seed ${seed}`).toEqual([])
    expect(acknowledged.posts).toBeGreaterThan(0)
    await postgres?.stop()
  },
)
