import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMediaStorage } from '#core/media/open-storage.ts'
import { MARKER_STORAGE_NAME } from '#core/media/stored-names.ts'
import {
  countRowsByTableInTestDatabase,
  createEnvVariablesForNewTestCommunity,
  createStoppedTestCommunityWithPosts,
  createTemporaryTestPostgresDatabase,
  expectEngawaCommandFailureWithMessage,
  expectEngawaCommandSuccessAndReturnOutput,
  killTestChildProcessAndWait,
  listSortedFileNamesInFolder,
  parseBackupPathFromOutput,
  replaceFileWithNamedPipe,
  spawnEngawaCommandInTest,
  startTestServerExpectPostsAndStop,
  startTestServerWithoutRateLimits,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { testDatabaseDialects } from '#tests/harness.ts'
import { startTestS3Server, testS3CredentialEnvVariables } from '#tests/s3.ts'
import { createTestVisitorWithAxiosClient } from '#tests/sanctum.ts'
import { expectServerStartFailureAndReturnOutput } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(testDatabaseDialects.filter((dialect) => dialect === 'postgres'))('a move to %s', () => {
  test('copies all rows; sessions stay valid; the source does not change', async () => {
    const { env, ana, ids } = await createStoppedTestCommunityWithPosts('sqlite', 5)
    const before = await readFile(join(env.DATA_DIR, 'engawa.db'))
    const there = { ...env, DATABASE_URL: await createTemporaryTestPostgresDatabase() }
    const source = await startTestServerWithoutRateLimits(env)
    await expectEngawaCommandFailureWithMessage(/DATA_DIR is in use/, there, 'move')
    await source.stop()
    expect(await expectEngawaCommandSuccessAndReturnOutput(there, 'move')).toMatch(/DATABASE_URL/)
    const { length } = await expectEngawaCommandSuccessAndReturnOutput(there, 'move')
    expect(length, 'again, it finds everything there').toBeGreaterThan(0)
    expect((await readFile(join(env.DATA_DIR, 'engawa.db'))).equals(before)).toBe(true)
    const tables = ['users', 'posts', 'post_images', 'media', 'sessions', 'products', 'migrations']
    expect(await countRowsByTableInTestDatabase(there, tables)).toEqual(
      await countRowsByTableInTestDatabase(env, tables),
    )
    const server = await startTestServerWithoutRateLimits(there)
    const cookie = ana.cookieHeader()
    expect(
      (await createTestVisitorWithAxiosClient(server.url).http.get('/api/user', { headers: { cookie } }))
        .status,
    ).toBe(200)
    await server.stop()
    await startTestServerExpectPostsAndStop(there, ana, ids)
    await expectEngawaCommandFailureWithMessage(/another community/, there, 'move')
    await expectEngawaCommandFailureWithMessage(/^DATA_DIR was moved/, env, 'admin', 'list')
    expect((await expectServerStartFailureAndReturnOutput(env)).output).toMatch(/^DATA_DIR was moved/m)
  })

  test('that is killed leaves the target unchanged, and can be run again', async () => {
    const { env, ana, ids } = await createStoppedTestCommunityWithPosts()
    const DATABASE_URL = await createTemporaryTestPostgresDatabase()
    const first = await startTestServerWithoutRateLimits({ DATABASE_URL })
    await first.stop()
    const there = { ...env, DATABASE_URL }
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    // Locks the table `users` in PostgreSQL, so that the command `move` waits at this table when half of its
    // work is done, and can be killed there.
    await client.query('begin; lock table users in share mode')
    const { child, done } = spawnEngawaCommandInTest(there, 'move')
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await waitUntilTrue(async () => (await client.query(waiting)).rowCount)
    await killTestChildProcessAndWait(child, done)
    await client.query('rollback')
    expect((await client.query('select count(*)::int as n from products')).rows[0].n).toBeGreaterThan(0)
    await client.end()
    await expectEngawaCommandSuccessAndReturnOutput(there, 'move')
    await startTestServerExpectPostsAndStop(there, ana, ids)
  })
})

describe.each(testDatabaseDialects.filter((dialect) => dialect === 'postgres'))(
  'a move to %s and a bucket',
  () => {
    test('copies the pictures too, also when it is run again after an interruption; a backup of the target can be restored to a folder', async () => {
      const { env, ana, ids } = await createStoppedTestCommunityWithPosts('sqlite', 5)
      const s3 = await startTestS3Server()
      onTestFinished(() => s3.stop())
      const there = {
        ...env,
        ...testS3CredentialEnvVariables,
        DATABASE_URL: await createTemporaryTestPostgresDatabase(),
        MEDIA_URL: s3.mediaUrl,
      }
      const media = join(env.DATA_DIR, 'media')
      const files = (await listSortedFileNamesInFolder(media)).filter((name) => name !== MARKER_STORAGE_NAME)
      const held = await replaceFileWithNamedPipe(join(media, files.at(-1)!))
      const { child, done } = spawnEngawaCommandInTest(there, 'move')
      const inBucket = async () => {
        let count = 0
        for await (const _ of (
          await openMediaStorage({ DATA_DIR: env.DATA_DIR, MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
        ).list())
          count++
        return count
      }
      await waitUntilTrue(async () => (await inBucket()) > 0)
      await killTestChildProcessAndWait(child, done)
      await held.giveBack()
      expect(await expectEngawaCommandSuccessAndReturnOutput(there, 'move')).toMatch(
        new RegExp(`and ${files.length} pictures`),
      )
      expect(await inBucket()).toBe(files.length)
      await rename(media, `${media} of the past`)
      await startTestServerExpectPostsAndStop(there, ana, ids)

      const backup = parseBackupPathFromOutput(
        await expectEngawaCommandSuccessAndReturnOutput(there, 'backup'),
      )
      const home = await createEnvVariablesForNewTestCommunity('sqlite')
      await expectEngawaCommandSuccessAndReturnOutput(home, 'restore', backup)
      await startTestServerExpectPostsAndStop(home, ana, ids)
    })
  },
)

describe.each(testDatabaseDialects.filter((dialect) => dialect === 'postgres'))('a migration of %s', () => {
  test('with data first makes a snapshot, which is a complete SQLite database', async () => {
    const { env } = await createStoppedTestCommunityWithPosts('postgres')
    const snapshots = join(env.DATA_DIR, 'snapshots')
    expect(await listSortedFileNamesInFolder(snapshots), 'a first start has nothing to lose').toEqual([])
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(`drop table cart_items, products; delete from migrations where name like 'shop %'`)
    await client.end()
    await (await startTestServerWithoutRateLimits(env)).stop()
    const [copy, ...others] = await listSortedFileNamesInFolder(snapshots)
    expect(others).toEqual([])
    expect(copy).toMatch(/before shop 1\.db$/)
    const sqlite = new DatabaseSync(join(snapshots, copy!))
    expect(sqlite.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    expect(sqlite.prepare('select count(*) as n from posts').get()).toEqual({ n: 3 })
    sqlite.close()
    expect(await countRowsByTableInTestDatabase(env, ['posts'])).toEqual({ posts: 3 })
  })
})
