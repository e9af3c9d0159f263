import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#core/media/open-storage.ts'
import {
  countsOf,
  engawa,
  expectServed,
  freshDatabase,
  hold,
  killed,
  names,
  placeIn,
  refused,
  run,
  serve,
  settled,
  site,
  until,
} from '#tests/communities.ts'
import { dialects } from '#tests/harness.ts'
import { s3Env, startS3 } from '#tests/s3.ts'
import { visitor } from '#tests/sanctum.ts'
import { refusedStart } from '#tests/server.ts'

// These tests start whole processes, one after another, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s', () => {
  test('carries everybody and everything; whoever was logged in still is; the source stays', async () => {
    const { env, ana, ids } = await settled('sqlite', 5)
    const before = await readFile(join(env.DATA_DIR, 'engawa.db'))
    const there = { ...env, DATABASE_URL: await freshDatabase() }
    const source = await serve(env)
    await refused(/DATA_DIR is in use/, there, 'move')
    await source.stop()
    expect(await engawa(there, 'move')).toMatch(/DATABASE_URL/)
    const { length } = await engawa(there, 'move')
    expect(length, 'again, it finds everything there').toBeGreaterThan(0)
    expect((await readFile(join(env.DATA_DIR, 'engawa.db'))).equals(before)).toBe(true)
    const tables = ['users', 'posts', 'post_images', 'media', 'sessions', 'products', 'migrations']
    expect(await countsOf(there, tables)).toEqual(await countsOf(env, tables))
    const server = await serve(there)
    const cookie = ana.cookieHeader()
    expect((await visitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectServed(there, ana, ids)
    await refused(/another community/, there, 'move')
    await refused(/^DATA_DIR was moved/, env, 'admin', 'list')
    expect((await refusedStart(env)).output).toMatch(/^DATA_DIR was moved/m)
  })

  test('that is killed in the middle leaves the target as it was, and can be run again', async () => {
    const { env, ana, ids } = await settled()
    const DATABASE_URL = await freshDatabase()
    const first = await serve({ DATABASE_URL })
    await first.stop()
    const there = { ...env, DATABASE_URL }
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    // The move waits for this table, with half of its work done.
    await client.query('begin; lock table users in share mode')
    const { child, done } = run(there, 'move')
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await until(async () => (await client.query(waiting)).rowCount)
    await killed(child, done)
    await client.query('rollback')
    expect((await client.query('select count(*)::int as n from products')).rows[0].n).toBeGreaterThan(0)
    await client.end()
    await engawa(there, 'move')
    await expectServed(there, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s and a bucket', () => {
  test('carries the pictures too, again where it was broken off; a backup of it comes back into a folder', async () => {
    const { env, ana, ids } = await settled('sqlite', 5)
    const s3 = await startS3()
    onTestFinished(() => s3.stop())
    const there = { ...env, ...s3Env, DATABASE_URL: await freshDatabase(), MEDIA_URL: s3.mediaUrl }
    const media = join(env.DATA_DIR, 'media')
    const files = await names(media)
    const held = await hold(join(media, files.at(-1)!))
    const { child, done } = run(there, 'move')
    const inBucket = async () => {
      let count = 0
      for await (const _ of (
        await openStorage({ DATA_DIR: env.DATA_DIR, MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
      ).list())
        count++
      return count
    }
    await until(async () => (await inBucket()) > 0)
    await killed(child, done)
    await held.giveBack()
    expect(await engawa(there, 'move')).toMatch(new RegExp(`and ${files.length} pictures`))
    expect(await inBucket()).toBe(files.length)
    await rename(media, `${media} of the past`)
    await expectServed(there, ana, ids)

    const place = placeIn(await engawa(there, 'backup'))
    const home = await site('sqlite')
    await engawa(home, 'restore', place)
    await expectServed(home, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a migration of %s', () => {
  test('with data begins with a snapshot, which is a SQLite database with all of it', async () => {
    const { env } = await settled('postgres')
    const snapshots = join(env.DATA_DIR, 'snapshots')
    expect(await names(snapshots), 'a first start has nothing to lose').toEqual([])
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(`drop table cart_items, products; delete from migrations where name like 'shop %'`)
    await client.end()
    await (await serve(env)).stop()
    const [copy, ...others] = await names(snapshots)
    expect(others).toEqual([])
    expect(copy).toMatch(/before shop 1\.db$/)
    const sqlite = new DatabaseSync(join(snapshots, copy!))
    expect(sqlite.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    expect(sqlite.prepare('select count(*) as n from posts').get()).toEqual({ n: 3 })
    sqlite.close()
    expect(await countsOf(env, ['posts'])).toEqual({ posts: 3 })
  })
})
