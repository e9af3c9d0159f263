import { afterAll, expect, test, vi } from 'vitest'
import { crashes } from '#tests/crashes.ts'
import { dialects } from '#tests/harness.ts'
import { endAll, freshFolder } from '#tests/server.ts'
import { createDatabase, startOwnPostgres } from '#tests/services.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })
afterAll(endAll)

// `npm run crash` does this a hundred times.
test.each(dialects)(
  'killed again and again while people write, on %s: what was acknowledged is there, once, and no file without a row',
  async (dialect) => {
    const postgres = dialect === 'postgres' ? await startOwnPostgres() : null
    const env = {
      DATA_DIR: await freshFolder(),
      ...(postgres && { DATABASE_URL: await createDatabase(postgres.url) }),
    }
    const seed = Date.now() % 1e6
    const { wrong, acknowledged } = await crashes({ rounds: 5, seed, env })
    expect(wrong, `seed ${seed}`).toEqual([])
    expect(acknowledged.posts).toBeGreaterThan(0)
    await postgres?.stop()
  },
)
