import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { expectFailure, migratedCommunity, temporaryPostgres } from '#tests/backup-helpers.ts'
import { failedStart, type ServerEnvironment, serverFolder, startServer, stopServers } from '#tests/server.ts'
import { queryPostgres } from '#tests/services.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(stopServers)

/** Expects that a start ends with exit code 1 and one line that matches. */
async function expectRefusal(env: ServerEnvironment, says: RegExp) {
  const { code, output } = await failedStart({ LOG_LEVEL: 'error', ...env })
  expect(code, output).toBe(1)
  expect(output.trim().split('\n'), output).toHaveLength(1)
  expect(output).toMatch(says)
  expect(output).not.toContain('hunter')
}

describe('a start is refused in one line', () => {
  test.each<[string, string, RegExp]>([
    ['TRUST_PROXY', '0.0.0.0/0', /^TRUST_PROXY takes .*no network wider than \/8/],
    ['TRUST_PROXY', '::ffff:0.0.0.0/96', /^TRUST_PROXY takes .*everybody in it could claim any address/],
    ['BACKUP_DIR', '/proc/x', /^BACKUP_DIR takes a folder that can be written to: \/proc\/x/],
    ['BACKUP_DIR', '/etc/passwd', /^BACKUP_DIR takes a folder/],
    ['DATABASE_URL', 'postgres://u:hunter#2@127.0.0.1/x', /^DATABASE_URL takes .*percent-encoded: # is %23/],
    [
      'DATABASE_URL',
      'postgres://u:p@127.0.0.1:1/x?sslrootcert=/nope.pem',
      /^DATABASE_URL names the file \/nope\.pem/,
    ],
    [
      'DATABASE_URL',
      'postgres://u:p@127.0.0.1:1/x?sslmode=require&sslcert=/n.crt&sslkey=/n.key',
      /^DATABASE_URL names the file \/n\./,
    ],
  ])('with %s=%s', async (name, value, says) => {
    await expectRefusal({ [name]: value }, says)
  })

  test('with a damaged database, and so are the commands', async () => {
    const env = await migratedCommunity('sqlite')
    const file = join(env.DATA_DIR, 'engawa.db')
    const whole = await readFile(file)
    const noise = Buffer.alloc(whole.length - 4096, 0xa5)
    await writeFile(file, Buffer.concat([whole.subarray(0, 4096), noise]))
    await expectRefusal(env, /^The database in DATA_DIR is damaged\. Restore a backup/)
    await expectFailure(/damaged/, env, 'user', 'list')
    await expectFailure(/damaged/, env, 'backup')
    await copyFile('/bin/true', file)
    await expectRefusal(env, /^engawa\.db in DATA_DIR is damaged/)
  })

  test.skipIf(!inject('postgres'))(
    'with a role without rights, which names the SQL, and a wrong database',
    async () => {
      const url = new URL(await temporaryPostgres())
      const role = `poor_${url.pathname.slice(1)}`
      await queryPostgres(url.href, `create role ${role} login`)
      const DATABASE_URL = Object.assign(new URL(url), { username: role }).href
      try {
        await expectRefusal(
          { DATABASE_URL },
          new RegExp(`grant usage, create on schema public to "${role}";`),
        )
        const none = Object.assign(new URL(url), { pathname: '/no-such-town' }).href
        await expectRefusal(
          { DATABASE_URL: none },
          /database no-such-town, which does not exist\. Run .*create database "no-such-town"/,
        )
      } finally {
        await queryPostgres(url.href, `drop owned by ${role}; drop role ${role}`)
      }
    },
  )
})

test('a backup to a folder that cannot be written to ends with one line', async () => {
  const env = await migratedCommunity('sqlite')
  for (const folder of ['/proc/x', '/etc/passwd'])
    await expectFailure(/^engawa backup takes a folder/, env, 'backup', folder)
  // Nothing failed that admins must hear of: the operator has mistyped.
  const database = new DatabaseSync(join(env.DATA_DIR, 'engawa.db'), { readOnly: true })
  expect(database.prepare('select * from backups').all()).toEqual([])
  database.close()
})

test('a start names the variables that look like settings and are none', async () => {
  const server = await startServer({
    DATA_DIR: await serverFolder(),
    LOG_LEVEL: 'warn',
    BACKUP_TIME: '03:30',
    PUBLIC_UR: 'https://town.example',
    SOMETHING: 'else',
  })
  expect(server.logs()).toContain(
    'There is no setting BACKUP_TIME, so it has no effect. Did you mean BACKUP_AT or',
  )
  expect(server.logs()).toContain(
    'There is no setting PUBLIC_UR, so it has no effect. Did you mean PUBLIC_URL?',
  )
  expect(server.logs()).not.toContain('SOMETHING')
  await server.stop()
})
