import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { findKeeper, keepAuditLog } from '#core/audit-log/keeper.ts'
import { hashRow } from '#core/audit-log/seals.ts'
import * as logWitness from '#core/audit-log/witness.ts'
import { transaction } from '#core/database/transaction.ts'
import { checkLog } from '#tests/audit-log.ts'
import { backupPath, readManifest, spawnEngawa } from '#tests/backup-helpers.ts'
import { createTestApp, databases, readRows, type TestApp } from '#tests/harness.ts'
import { serverFolder } from '#tests/server.ts'

vi.setConfig({ testTimeout: 120_000 })

const environment = ({ folder, url }: TestApp) => ({
  DATA_DIR: folder,
  ...(url && { DATABASE_URL: url }),
})
const run = (app: TestApp, ...args: string[]) => spawnEngawa(environment(app), ...args).done

/** Writes six entries to the audit log. Returns the admin, and the state of the head after the third one. */
async function createSixEntries(app: TestApp) {
  const { Ann, Ben } = await app.members('Ann', 'Ben')
  const act = async (times: number) => {
    for (let n = 0; n < times; n++)
      await Ann.send('PATCH', '/api/admin/settings', { community_name: `Town ${n}` })
  }
  // The first entry says that Ann became an admin.
  await act(2)
  const head = await app.db.selectFrom('audit_log_head').selectAll().executeTakeFirstOrThrow()
  await act(3)
  return { Ann, Ben, head }
}

const execute = (app: TestApp, statement: string) =>
  transaction(app.db, (tx) => sql.raw(statement).execute(tx))

/** Computes the hashes of all rows and of the head anew, as somebody without the key can. */
const recompute = ({ db }: TestApp) =>
  transaction(db, async (tx) => {
    let hash = ''
    const rows = await tx.selectFrom('audit_log').selectAll().orderBy('id').execute()
    for (const row of rows) {
      hash = hashRow(row, hash)
      await tx.updateTable('audit_log').set({ hash }).where('id', '=', row.id).execute()
    }
    await tx.updateTable('audit_log_head').set({ hash, entries: rows.length }).execute()
  })

const cutTail = 'delete from audit_log where id > 3'
const setHeadBack = 'update audit_log_head set entries = 3, hash = (select hash from audit_log where id = 3)'
const swap = [
  'update audit_log set id = -2 where id = 2',
  'update audit_log set id = 2 where id = 5',
  'update audit_log set id = 5 where id = -2',
]

const attacks: Record<string, { attack: (app: TestApp) => Promise<unknown>; says: RegExp }> = {
  'a tail that was cut off, with the head set back': {
    attack: async (app) => {
      for (const statement of [cutTail, setHeadBack]) await execute(app, statement)
    },
    says: /ends at entry 3, but DATA_DIR knows entry 6[\s\S]*not sealed with the key/,
  },
  'a log that was emptied, with a head as of a new community': {
    attack: async (app) => {
      await execute(app, 'delete from audit_log')
      await execute(
        app,
        "update audit_log_head set entries = 0, hash = '', mac = null, keyed_from = null, unproven_from = null",
      )
    },
    says: /ends at entry 0, but DATA_DIR knows entry 6[\s\S]*not sealed with the key/,
  },
  'a chain that was computed anew': {
    attack: async (app) => {
      await execute(app, 'update audit_log set actor_id = null where id = 4')
      await recompute(app)
    },
    says: /at entry 4 or later[\s\S]*not sealed with the key/,
  },
  'a chain that was computed anew, as if the key had come after it': {
    attack: async (app) => {
      await execute(app, 'update audit_log set actor_id = null where id = 4')
      await recompute(app)
      await execute(app, 'update audit_log set mac = null')
      await execute(app, 'update audit_log_head set keyed_from = 7')
    },
    says: /Entry 6 is not the one that DATA_DIR knows[\s\S]*not sealed with the key/,
  },
  'a changed row': {
    attack: (app) => execute(app, 'update audit_log set actor_id = 2 where id = 5'),
    says: /changed with another tool, at entry 5 or later/,
  },
  'two rows that were swapped': {
    attack: async (app) => {
      for (const statement of swap) await execute(app, statement)
    },
    says: /changed with another tool, at entry 2 or later/,
  },
  'two rows that were swapped, in a chain that was computed anew': {
    attack: async (app) => {
      for (const statement of swap) await execute(app, statement)
      await recompute(app)
    },
    says: /at entry 2 or later/,
  },
}

describe.each(databases)('engawa log check on %s', (dialect) => {
  test.each(Object.keys(attacks).slice(0, dialect === 'sqlite' ? 99 : 1))('notices %s', async (name) => {
    const app = await createTestApp({ dialect })
    await createSixEntries(app)
    const { attack, says } = attacks[name]!
    await attack(app)
    const { code, output } = await run(app, 'log', 'check')
    expect(output).toMatch(says)
    expect(code).toBe(1)
  })
})

test.each(databases)('without its tables, engawa log check says so in one line on %s', async (dialect) => {
  const app = await createTestApp({ dialect })
  await execute(app, 'drop table audit_log_head')
  const { code, output } = await run(app, 'log', 'check')
  expect(code).toBe(1)
  expect(output).toMatch(/^Tables are missing \(.*audit_log_head.*\), so another tool .*estore a backup.*\n$/)
})

describe('engawa log check', () => {
  test('says what it proves and what it cannot prove', async () => {
    const app = await createTestApp()
    await createSixEntries(app)
    const { code, output } = await run(app, 'log', 'check')
    expect(code, output).toBe(0)
    expect(output).toMatch(/^The log is intact: 6 entries\. The hash of the last one is [0-9a-f]{64}$/m)
    expect(output).toMatch(/^Proven by the key: .* entry 1 to 6\.$/m)
    expect(output).toMatch(/^Compared with DATA_DIR \(entry 6\) and 0 backups/m)
    expect(output).toMatch(/^Not proven: somebody who has the key/m)
  })

  test('notices an older head with its seal, by DATA_DIR and by each backup', async () => {
    const app = await createTestApp()
    const { head } = await createSixEntries(app)
    expect((await run(app, 'backup')).output).toContain('The backup is in')
    await execute(app, cutTail)
    await transaction(app.db, (tx) => tx.updateTable('audit_log_head').set(head).execute())
    const { output } = await run(app, 'log', 'check')
    expect(output).toMatch(/ends at entry 3, but (DATA_DIR|the backup .*) knows entry 6/)
    expect(output).not.toContain('not sealed')
    await rm(join(app.folder, 'audit-log-witness'))
    expect((await run(app, 'log', 'check')).output).toMatch(
      /ends at entry 3, but the backup .* knows entry 6/,
    )
  })

  test('still notices a cut tail after the next entries, and no start seals it', async () => {
    const app = await createTestApp()
    const { Ann } = await createSixEntries(app)
    for (const statement of [cutTail, setHeadBack]) await execute(app, statement)
    for (let n = 0; n < 4; n++)
      await Ann.send('PATCH', '/api/admin/settings', { community_name: `Later ${n}` })
    const { code, output } = await run(app, 'log', 'check')
    expect(code).toBe(1)
    expect(output).toMatch(/Before entry 4 was written, the log had no right seal/)
    expect(output).toMatch(/Entry 6 is not the one that DATA_DIR knows/)
  })

  test('says from which entry on the key proves the log, for a log from before the key', async () => {
    const app = await createTestApp()
    await createSixEntries(app)
    await execute(app, 'update audit_log set mac = null')
    await execute(app, 'update audit_log_head set mac = null, keyed_from = null')
    await rm(join(app.folder, 'audit-log-witness'))
    await keepAuditLog(app.db, app.config.AUDIT_LOG_KEY, app.folder, app.app.log)
    const { code, output } = await run(app, 'log', 'check')
    expect(code, output).toBe(0)
    expect(output).toMatch(/^Not proven: entry 1 to 6 are from before the key/m)
  })

  test('fails with another key, until the operator accepts the log', async () => {
    const app = await createTestApp()
    await createSixEntries(app)
    await writeFile(join(app.folder, 'audit-log-key'), 'b'.repeat(64))
    expect((await run(app, 'log', 'check')).output).toMatch(
      /entry 1 or later[\s\S]*or the key is another one/,
    )
    expect((await run(app, 'log', 'accept')).output).toContain('taken as it is, with 6 entries')
    const { code, output } = await run(app, 'log', 'check')
    expect(code, output).toBe(0)
    await execute(app, 'update audit_log set actor_id = 2 where id = 5')
    expect((await run(app, 'log', 'accept')).output).toMatch(/contradicts itself at entry 5/)
  })

  test('refuses a folder that does not exist or has no backups', async () => {
    const app = await createTestApp()
    const none = join(app.folder, 'none')
    for (const [folder, says] of [
      [none, 'does not exist'],
      [app.folder, 'holds none'],
      ['', 'holds none'],
    ] as const) {
      const { code, output } = await run(app, 'log', 'check', folder)
      expect(code, output).toBe(1)
      expect(output).toMatch(new RegExp(`^FOLDER takes a folder with backups: .* ${says}.*\\n$`))
    }
    const backup = backupPath((await run(app, 'backup')).output)
    const { code, output } = await run(app, 'log', 'check', dirname(backup))
    expect(code, output).toBe(0)
    expect(output).toContain('and 1 backups')
  })

  test('compares a restored log with the manifest, and not with the backups that came after it', async () => {
    const app = await createTestApp()
    const { Ann } = await createSixEntries(app)
    const backup = backupPath((await run(app, 'backup')).output)
    const manifest = await readManifest(backup)
    const { entries, hash } = await checkLog(app)
    expect(manifest.audit_log).toEqual({ entries, hash })
    await Ann.send('PATCH', '/api/admin/settings', { community_name: 'Later' })
    await run(app, 'backup')

    const elsewhere = { DATA_DIR: await serverFolder(), BACKUP_DIR: dirname(backup) }
    const runElsewhere = (...args: string[]) => spawnEngawa(elsewhere, ...args).done
    expect((await runElsewhere('restore', backup)).output).toContain('is restored')
    const { code, output } = await runElsewhere('log', 'check')
    expect(code, output).toBe(0)
    expect(output).toMatch(/Compared with DATA_DIR \(entry 6\) and 1 backups/)

    await writeFile(
      join(backup, 'backup.json'),
      JSON.stringify({ ...manifest, audit_log: { entries: 5, hash } }),
    )
    expect((await runElsewhere('restore', backup, '--overwrite')).output).toMatch(
      /is damaged: backup.json, about/,
    )
  })
})

test('each entry is one line of the log of the server, once, without its detail', async () => {
  const app = await createTestApp()
  const lines: object[] = []
  const log = { info: (line: object) => void lines.push(line), warn: vi.fn(), error: vi.fn() }
  await keepAuditLog(app.db, app.config.AUDIT_LOG_KEY, app.folder, log as never)
  const { Ann } = await createSixEntries(app)
  await keepAuditLog(app.db, app.config.AUDIT_LOG_KEY, app.folder, log as never)
  const [first, ...rest] = lines
  expect(rest).toHaveLength(5)
  expect(first).toEqual({
    audit_log: {
      id: 1,
      created_at: expect.any(String),
      role: 'operator',
      actor_id: null,
      action: 'admin_granted',
      subject: 'member',
      subject_id: Ann.id,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
  for (const statement of [cutTail, setHeadBack]) await execute(app, statement)
  await Ann.send('PATCH', '/api/admin/settings', { community_name: 'Later' })
  expect(lines).toHaveLength(6)
  expect(log.error).toHaveBeenCalledOnce()
})

test('entries of the command line are sealed, and the server writes them to its log', async () => {
  const app = await createTestApp()
  await createSixEntries(app)
  expect((await run(app, 'admin', 'grant', 'ben@engawa.example')).code).toBe(0)
  expect(await checkLog(app)).toMatchObject({ isIntact: true, entries: 7 })
  expect(logWitness.read(app.folder)).toMatchObject({ entries: 6 })
  await findKeeper(app.db)!.follow!()
  expect(logWitness.read(app.folder)).toMatchObject({ entries: 7 })
})

test('the key is not among the secrets in the database, on PostgreSQL too', async () => {
  for (const dialect of databases) {
    const app = await createTestApp({ dialect })
    await createSixEntries(app)
    await run(app, 'log', 'check')
    const key = (await readFile(join(app.folder, 'audit-log-key'), 'utf8')).trim()
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(await readRows(app.db, 'secrets'))).not.toContain(key)
  }
})
