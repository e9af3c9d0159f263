import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#core/media/open-storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import {
  backupPath,
  countRows,
  expectFailure,
  expectPosts,
  fileNamesIn,
  killAndWait,
  newCommunity,
  replaceWithPipe,
  runEngawa,
  spawnEngawa,
  startUnlimited,
  stoppedCommunity,
  temporaryPostgres,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { databases } from '#tests/harness.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'
import { axiosVisitor } from '#tests/sanctum.ts'
import { failedStart } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(databases.filter((dialect) => dialect === 'postgres'))('a move to %s', () => {
  test('copies all rows; sessions stay valid; the source does not change', async () => {
    const { env, ana, ids } = await stoppedCommunity('sqlite', 5)
    const before = await readFile(join(env.DATA_DIR, 'engawa.db'))
    const there = { ...env, DATABASE_URL: await temporaryPostgres() }
    const source = await startUnlimited(env)
    await expectFailure(/DATA_DIR is in use/, there, 'move')
    await source.stop()
    expect(await runEngawa(there, 'move')).toMatch(/DATABASE_URL/)
    const { length } = await runEngawa(there, 'move')
    expect(length, 'again, it finds everything there').toBeGreaterThan(0)
    expect((await readFile(join(env.DATA_DIR, 'engawa.db'))).equals(before)).toBe(true)
    const tables = ['users', 'posts', 'post_attachments', 'media', 'sessions', 'products', 'migrations']
    expect(await countRows(there, tables)).toEqual(await countRows(env, tables))
    const server = await startUnlimited(there)
    const cookie = ana.cookieHeader()
    expect((await axiosVisitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectPosts(there, ana, ids)
    await expectFailure(/another community/, there, 'move')
    await expectFailure(/^DATA_DIR was moved/, env, 'admin', 'list')
    expect((await failedStart(env)).output).toMatch(/^DATA_DIR was moved/m)
  })

  test('that is killed leaves the target unchanged, and can be run again', async () => {
    const { env, ana, ids } = await stoppedCommunity()
    const DATABASE_URL = await temporaryPostgres()
    const first = await startUnlimited({ DATABASE_URL })
    await first.stop()
    const there = { ...env, DATABASE_URL }
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    // Locks the table `users` in PostgreSQL, so that the command `move` waits at this table when half of its
    // work is done, and can be killed there.
    await client.query('begin; lock table users in share mode')
    const { child, done } = spawnEngawa(there, 'move')
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await waitUntilTrue(async () => (await client.query(waiting)).rowCount)
    await killAndWait(child, done)
    await client.query('rollback')
    expect((await client.query('select count(*)::int as n from products')).rows[0].n).toBeGreaterThan(0)
    await client.end()
    await runEngawa(there, 'move')
    await expectPosts(there, ana, ids)
  })
})

describe.each(databases.filter((dialect) => dialect === 'postgres'))('a move to %s and a bucket', () => {
  test('copies the pictures too, also when it is run again after an interruption; a backup of the target can be restored to a folder', async () => {
    const { env, ana, ids } = await stoppedCommunity('sqlite', 5)
    const s3 = await startS3()
    onTestFinished(() => s3.stop())
    const there = {
      ...env,
      ...s3Credentials,
      DATABASE_URL: await temporaryPostgres(),
      MEDIA_URL: s3.mediaUrl,
    }
    const media = join(env.DATA_DIR, 'media')
    const files = (await fileNamesIn(media)).filter((name) => name !== storedNames.MARKER)
    const held = await replaceWithPipe(join(media, files.at(-1)!))
    const { child, done } = spawnEngawa(there, 'move')
    const inBucket = async () => {
      let count = 0
      for await (const _ of (
        await openStorage({ DATA_DIR: env.DATA_DIR, MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
      ).list())
        count++
      return count
    }
    await waitUntilTrue(async () => (await inBucket()) > 0)
    await killAndWait(child, done)
    await held.giveBack()
    expect(await runEngawa(there, 'move')).toMatch(new RegExp(`and ${files.length} pictures`))
    expect(await inBucket()).toBe(files.length)
    await rename(media, `${media} of the past`)
    await expectPosts(there, ana, ids)

    const backup = backupPath(await runEngawa(there, 'backup'))
    const home = await newCommunity('sqlite')
    await runEngawa(home, 'restore', backup)
    await expectPosts(home, ana, ids)
  })
})

describe.each(databases.filter((dialect) => dialect === 'postgres'))('a migration of %s', () => {
  test('with data first makes a snapshot, which is a complete SQLite database', async () => {
    const { env } = await stoppedCommunity('postgres')
    const snapshots = join(env.DATA_DIR, 'snapshots')
    expect(await fileNamesIn(snapshots), 'a first start has nothing to lose').toEqual([])
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(`drop table cart_items, products; delete from migrations where name like 'shop %'`)
    await client.end()
    await (await startUnlimited(env)).stop()
    const [copy, ...others] = await fileNamesIn(snapshots)
    expect(others).toEqual([])
    expect(copy).toMatch(/before shop 1\.db$/)
    const sqlite = new DatabaseSync(join(snapshots, copy!))
    expect(sqlite.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    expect(sqlite.prepare('select count(*) as n from posts').get()).toEqual({ n: 3 })
    sqlite.close()
    expect(await countRows(env, ['posts'])).toEqual({ posts: 3 })
  })
})
