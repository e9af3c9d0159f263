import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMediaStorage } from '#core/media/open-storage.ts'
import {
  countRowsByTable,
  createCommunityFolderAndEnv,
  createCommunityWithPosts,
  createTemporaryPostgresDatabase,
  expectCommandError,
  killChildAndWait,
  listFileNames,
  parseBackupPathFromOutput,
  replaceFileWithPipe,
  runEngawaCommand,
  spawnEngawaCommand,
  startServerAndExpectPosts,
  startServerWithoutRateLimits,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { dialects } from '#tests/harness.ts'
import { s3Credentials, startS3Server } from '#tests/s3.ts'
import { createVisitor } from '#tests/sanctum.ts'
import { expectStartFailure } from '#tests/server.ts'

// The time limit is long, because these tests start many processes, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s', () => {
  test('copies all rows; sessions stay valid; the source does not change', async () => {
    const { env, ana, ids } = await createCommunityWithPosts('sqlite', 5)
    const before = await readFile(join(env.DATA_DIR, 'engawa.db'))
    const there = { ...env, DATABASE_URL: await createTemporaryPostgresDatabase() }
    const source = await startServerWithoutRateLimits(env)
    await expectCommandError(/DATA_DIR is in use/, there, 'move')
    await source.stop()
    expect(await runEngawaCommand(there, 'move')).toMatch(/DATABASE_URL/)
    const { length } = await runEngawaCommand(there, 'move')
    expect(length, 'again, it finds everything there').toBeGreaterThan(0)
    expect((await readFile(join(env.DATA_DIR, 'engawa.db'))).equals(before)).toBe(true)
    const tables = ['users', 'posts', 'post_images', 'media', 'sessions', 'products', 'migrations']
    expect(await countRowsByTable(there, tables)).toEqual(await countRowsByTable(env, tables))
    const server = await startServerWithoutRateLimits(there)
    const cookie = ana.cookieHeader()
    expect((await createVisitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await startServerAndExpectPosts(there, ana, ids)
    await expectCommandError(/another community/, there, 'move')
    await expectCommandError(/^DATA_DIR was moved/, env, 'admin', 'list')
    expect((await expectStartFailure(env)).output).toMatch(/^DATA_DIR was moved/m)
  })

  test('that is killed leaves the target unchanged, and can be run again', async () => {
    const { env, ana, ids } = await createCommunityWithPosts()
    const DATABASE_URL = await createTemporaryPostgresDatabase()
    const first = await startServerWithoutRateLimits({ DATABASE_URL })
    await first.stop()
    const there = { ...env, DATABASE_URL }
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    // Locks the table `users`, so that the move to PostgreSQL waits there when half of its work is done, and
    // can be killed.
    await client.query('begin; lock table users in share mode')
    const { child, done } = spawnEngawaCommand(there, 'move')
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await waitUntilTrue(async () => (await client.query(waiting)).rowCount)
    await killChildAndWait(child, done)
    await client.query('rollback')
    expect((await client.query('select count(*)::int as n from products')).rows[0].n).toBeGreaterThan(0)
    await client.end()
    await runEngawaCommand(there, 'move')
    await startServerAndExpectPosts(there, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s and a bucket', () => {
  test('copies the pictures too, also when it is run again after an interruption; a backup of the target can be restored to a folder', async () => {
    const { env, ana, ids } = await createCommunityWithPosts('sqlite', 5)
    const s3 = await startS3Server()
    onTestFinished(() => s3.stop())
    const there = {
      ...env,
      ...s3Credentials,
      DATABASE_URL: await createTemporaryPostgresDatabase(),
      MEDIA_URL: s3.mediaUrl,
    }
    const media = join(env.DATA_DIR, 'media')
    const files = await listFileNames(media)
    const held = await replaceFileWithPipe(join(media, files.at(-1)!))
    const { child, done } = spawnEngawaCommand(there, 'move')
    const inBucket = async () => {
      let count = 0
      for await (const _ of (
        await openMediaStorage({ DATA_DIR: env.DATA_DIR, MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
      ).list())
        count++
      return count
    }
    await waitUntilTrue(async () => (await inBucket()) > 0)
    await killChildAndWait(child, done)
    await held.giveBack()
    expect(await runEngawaCommand(there, 'move')).toMatch(new RegExp(`and ${files.length} pictures`))
    expect(await inBucket()).toBe(files.length)
    await rename(media, `${media} of the past`)
    await startServerAndExpectPosts(there, ana, ids)

    const backup = parseBackupPathFromOutput(await runEngawaCommand(there, 'backup'))
    const home = await createCommunityFolderAndEnv('sqlite')
    await runEngawaCommand(home, 'restore', backup)
    await startServerAndExpectPosts(home, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a migration of %s', () => {
  test('with data first makes a snapshot, which is a complete SQLite database', async () => {
    const { env } = await createCommunityWithPosts('postgres')
    const snapshots = join(env.DATA_DIR, 'snapshots')
    expect(await listFileNames(snapshots), 'a first start has nothing to lose').toEqual([])
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(`drop table cart_items, products; delete from migrations where name like 'shop %'`)
    await client.end()
    await (await startServerWithoutRateLimits(env)).stop()
    const [copy, ...others] = await listFileNames(snapshots)
    expect(others).toEqual([])
    expect(copy).toMatch(/before shop 1\.db$/)
    const sqlite = new DatabaseSync(join(snapshots, copy!))
    expect(sqlite.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    expect(sqlite.prepare('select count(*) as n from posts').get()).toEqual({ n: 3 })
    sqlite.close()
    expect(await countRowsByTable(env, ['posts'])).toEqual({ posts: 3 })
  })
})
