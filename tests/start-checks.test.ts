import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import {
  backupPath,
  expectFailure,
  expectPosts,
  fileNamesIn,
  migratedCommunity,
  runEngawa,
  spawnEngawa,
  startUnlimited,
  stoppedCommunity,
} from '#tests/backup-helpers.ts'
import { databases } from '#tests/harness.ts'
import { failedStart, type ServerEnvironment, serverFolder, startServer } from '#tests/server.ts'
import { dropDatabase, queryPostgres } from '#tests/services.ts'

vi.setConfig({ testTimeout: 240_000 })

async function expectRefusal(env: ServerEnvironment, says: RegExp) {
  const { code, output } = await failedStart(env)
  expect(code, output).toBe(1)
  expect(output).toMatch(says)
}
const doctor = async (env: ServerEnvironment) => spawnEngawa(env, 'doctor').done

describe('a lost or another secret', () => {
  test.each(['secret', 'push-key'])(
    'in the file %s stops the start until it is back or accepted',
    async (file) => {
      const { env, ana, ids } = await stoppedCommunity('sqlite', 1)
      const path = join(env.DATA_DIR, file)
      await rename(path, `${path}.kept`)
      const says = file === 'secret' ? /^SECRET takes the value/m : /^PUSH_KEY takes the value/m
      await expectRefusal(env, says)
      expect((await doctor(env)).output).toMatch(/^PROBLEM +Keys: /m)
      await expectFailure(says, env, 'backup')
      await rename(`${path}.kept`, path)
      await expectPosts(env, ana, ids)
      await rm(path)
      await expectRefusal(env, says)
      await runEngawa(env, 'secret', 'accept')
      await expectPosts(env, ana, ids)
    },
  )

  test('in the environment stops the start', async () => {
    const { env } = await stoppedCommunity('sqlite', 1)
    await expectRefusal({ ...env, SECRET: 'x'.repeat(40) }, /^SECRET takes the value/m)
  })
})

describe('the pictures', () => {
  test('that are missing stop the start; doctor and backups say so', async () => {
    const { env, ana, ids } = await stoppedCommunity('sqlite', 2)
    const [media, aside] = [join(env.DATA_DIR, 'media'), join(env.DATA_DIR, 'unmounted')]
    await runEngawa(env, 'backup')
    await rename(media, aside)
    for (const exists of [false, true]) {
      if (exists) await mkdir(media, { recursive: true })
      await expectRefusal(env, /media has no file `community`\. Mount or restore it/)
    }
    const { code, output } = await doctor(env)
    expect([code, output]).toEqual([1, expect.stringMatching(/^PROBLEM +Pictures: /m)])
    const backup = await spawnEngawa(env, 'backup').done
    expect([backup.code, backup.output]).toEqual([
      1,
      expect.stringMatching(/NEEDS ATTENTION.+The backup lacks 0/),
    ])
    await rm(media, { recursive: true })
    await rename(aside, media)
    await expectPosts(env, ana, ids)
  })

  test('of which some are missing need attention', async () => {
    const { env } = await stoppedCommunity('sqlite', 3)
    const media = join(env.DATA_DIR, 'media')
    const [first] = await fileNamesIn(media)
    await rm(join(media, first!))
    expect((await doctor(env)).output).toMatch(/^ATTENTION +Pictures: Of 3 .+, 1 are missing/m)
    expect((await spawnEngawa(env, 'backup').done).code).toBe(1)
    expect((await doctor(env)).output).toMatch(/^ATTENTION +Backups: .+ lacked 1 file/m)
  })

  /** Creates a community as it was before the marker. */
  async function createUnmarkedCommunity(posts: number) {
    const { env, ana, ids } = await stoppedCommunity('sqlite', posts)
    const media = join(env.DATA_DIR, 'media')
    const sqlite = new DatabaseSync(join(env.DATA_DIR, 'engawa.db'))
    sqlite.exec(`delete from secrets where name = 'MEDIA_STORAGE'`)
    sqlite.close()
    await rm(join(media, 'community'))
    return { env, ana, ids, media }
  }

  test('of a community from before the marker stop the start if all are missing', async () => {
    const { env, ana, ids, media } = await createUnmarkedCommunity(3)
    await rename(media, `${media}.kept`)
    await expectRefusal(env, /media lacks its pictures/)
    await rm(media, { recursive: true })
    await rename(`${media}.kept`, media)
    await expectPosts(env, ana, ids)
    expect(existsSync(join(media, 'community'))).toBe(true)
  })

  test('of such a community do not stop the start if there were only two', async () => {
    const { env, ana, ids, media } = await createUnmarkedCommunity(2)
    await rename(media, `${media}.kept`)
    await (await startUnlimited(env)).stop()
    expect(existsSync(join(media, 'community')), 'not marked').toBe(false)
    await rm(media, { recursive: true, force: true })
    await rename(`${media}.kept`, media)
    await expectPosts(env, ana, ids)
    expect(existsSync(join(media, 'community'))).toBe(true)
  })

  test('can be given up', async () => {
    const { env } = await stoppedCommunity('sqlite', 1)
    await rm(join(env.DATA_DIR, 'media'), { recursive: true })
    expect(await runEngawa(env, 'pictures', 'accept')).toMatch(/1 are missing/)
    await (await startUnlimited(env)).stop()
  })
})

describe.skipIf(!databases.includes('postgres'))('on PostgreSQL', () => {
  test('a second process with a picture folder of its own does not start', async () => {
    const { DATABASE_URL } = await migratedCommunity('postgres')
    const first = await startServer({ DATABASE_URL: DATABASE_URL! })
    await expectRefusal({ DATABASE_URL: DATABASE_URL! }, /^MEDIA_URL is needed/m)
    await first.stop()
  })

  test.each(['LATIN1', 'SQL_ASCII', 'EUC_JP'])(
    'a database with the encoding %s is refused',
    async (encoding) => {
      const url = await createDatabase(`encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`)
      const says = new RegExp(
        `^DATABASE_URL takes a database with the encoding UTF8, not ${encoding}: .+pg_dump -E UTF8.+$`,
        'm',
      )
      await expectRefusal({ DATABASE_URL: url }, says)
      const env = { DATA_DIR: await serverFolder(), DATABASE_URL: url }
      await writeFile(join(env.DATA_DIR, 'engawa.db'), '')
      await expectFailure(says, env, 'move')
      expect(await readdir(env.DATA_DIR)).toEqual(['engawa.db'])
    },
  )

  test('a lost or slow lock of all migrations changes no result of a migration', async () => {
    const url = await createDatabase(`encoding 'UTF8'`)
    const { pathname } = new URL(url)
    await queryPostgres(
      url,
      `alter database ${pathname.slice(1)} set idle_in_transaction_session_timeout = '500ms'`,
    )
    const { db, close } = await openPostgres(url, { withoutTimeouts: true })
    onTestFinished(close)
    const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`
    const countOthers = endOthers.replace('pg_terminate_backend(pid)', '1 / count(*)')
    const slow = { 'a 1': () => ['create table a (n integer)', 'select pg_sleep(1)', countOthers] }
    expect(await runMigrations(db, [slow]), 'the lock is held').toEqual(['a 1'])
    expect(await runMigrations(db, [slow, { 'a 2': () => [endOthers] }])).toEqual(['a 2'])
    const failing = { 'a 3': () => [endOthers, 'select no_such_column from a'] }
    await expect(runMigrations(db, [slow, failing])).rejects.toThrow(/no_such_column/)
  })

  test('a restore over the same database starts with the restored folder', async () => {
    const { env, ana, ids } = await stoppedCommunity('postgres', 1)
    const backups = `${env.DATA_DIR}-backups`
    const output = await runEngawa(env, 'backup', backups)
    await rename(env.DATA_DIR, `${env.DATA_DIR}-lost`)
    await runEngawa(env, 'restore', backupPath(output))
    await expectPosts(env, ana, ids)
  })

  async function createDatabase(options: string) {
    const url = new URL(inject('postgres')!)
    const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`
    await queryPostgres(url.href, `create database ${name} template template0 ${options}`)
    url.pathname = `/${name}`
    onTestFinished(() => dropDatabase(url.href))
    return url.href
  }
})
