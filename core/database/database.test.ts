import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { BadSetting } from '#core/config.ts'
import {
  type Database,
  type Db,
  likePattern,
  lockDataFolder,
  type Migrations,
  migrate,
  openPostgres,
  openSqlite,
  snapshot,
  transaction,
} from '#core/database/database.ts'
import { type Dialect, dialects, rowsOf } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** As many connections as wanted to one empty database, as processes beside each other have them. */
async function empty(dialect: Dialect, connections = 1): Promise<Database[]> {
  const file = join(folder(), 'x.db')
  const url = dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null
  const opened: Database[] = []
  onTestFinished(async () => {
    for (const database of opened) await database.close()
    if (url) await dropDatabase(url)
  })
  for (let i = 0; i < connections; i++) opened.push(url ? await openPostgres(url) : openSqlite(file))
  return opened
}

const tablesOf = async ({ db }: Database) =>
  (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => name !== 'turns')
    .sort()
const birds: Migrations = {
  'birds 1': ({ id }) => [
    `create table birds (id ${id}, name text not null)`,
    `insert into birds (name) values ('crane')`,
  ],
}

describe.each(dialects)('migrations on %s', (dialect) => {
  test('run once, in order, and are written down', async () => {
    const [database] = await empty(dialect)
    const { db } = database!
    const later: Migrations = {
      'birds 2': () => [`alter table birds add column song text`, `update birds set song = 'kurr'`],
    }
    expect(await migrate(db, [birds])).toEqual(['birds 1'])
    expect(await migrate(db, [birds])).toEqual([])
    expect(await migrate(db, [birds, later])).toEqual(['birds 2'])
    expect(await rowsOf(db, 'birds')).toEqual([{ id: 1, name: 'crane', song: 'kurr' }])
    expect(await rowsOf(db, 'migrations')).toMatchObject([{ name: 'birds 1' }, { name: 'birds 2' }])
  })

  test('that fail leave neither tables nor their name, and what was before them stays', async () => {
    const [database] = await empty(dialect)
    const { db } = database!
    const failing: Migrations = {
      'fish 1': () => ['create table fish (name text)', 'insert into fish (nme) values (1)'],
    }
    await expect(migrate(db, [birds, failing])).rejects.toThrow(/nme/)
    expect(await tablesOf(database!)).toEqual(['birds', 'migrations'])
    expect(await rowsOf(db, 'migrations')).toMatchObject([{ name: 'birds 1' }])
    expect(await migrate(db, [birds, { 'fish 1': () => ['create table fish (name text)'] }])).toEqual([
      'fish 1',
    ])
  })

  test('are preceded by a copy only where there is data, and do not run without it', async () => {
    const [database] = await empty(dialect)
    const { db } = database!
    const asked: string[] = []
    const beforehand = async (first: string) => void asked.push(first)
    await migrate(db, [birds], beforehand)
    await migrate(db, [birds], beforehand)
    expect(asked).toEqual([])
    const fish: Migrations = {
      'fish 1': () => ['create table fish (name text)'],
      'fish 2': () => ['create table whales (name text)'],
    }
    await expect(migrate(db, [birds, fish], () => Promise.reject(new Error('no copy')))).rejects.toThrow(
      'no copy',
    )
    expect(await tablesOf(database!)).toEqual(['birds', 'migrations'])
    await migrate(db, [birds, fish], beforehand)
    expect(asked).toEqual(['fish 1'])
  })

  test('containing() takes every sign of a text for itself', async () => {
    const [database] = await empty(dialect)
    const { db } = database!
    await migrate(db, [birds])
    for (const name of ['50%', '50', 'a_b', 'axb', 'c\\d', 'c%d'])
      await sql`insert into birds (name) values (${name})`.execute(db)
    const found = async (text: string) => {
      const { rows } = await sql<{
        name: string
      }>`select name from birds where name like ${likePattern(text)} escape '\\' order by id`.execute(db)
      return rows.map(({ name }) => name)
    }
    expect(await found('0%')).toEqual(['50%'])
    expect(await found('%')).toEqual(['50%', 'c%d'])
    expect(await found('_')).toEqual(['a_b'])
    expect(await found('\\')).toEqual(['c\\d'])
    expect(await found('\\%')).toEqual([])
    expect(await found('ran')).toEqual(['crane'])
    expect(await found('')).toHaveLength(7)
  })
})

// On SQLite, lockDataFolder keeps a second process away.
describe.each(dialects.filter((dialect) => dialect === 'postgres'))('two processes on %s', (dialect) => {
  test('that start together migrate once', async () => {
    for (let round = 0; round < 3; round++) {
      const both = await empty(dialect, 2)
      const done = await Promise.all(both.map(({ db }) => migrate(db, [birds])))
      expect(done.flat()).toContain('birds 1')
      expect(await rowsOf(both[0]!.db, 'birds')).toHaveLength(1)
      expect(await rowsOf(both[1]!.db, 'migrations')).toHaveLength(1)
    }
  })
})

describe.each(dialects)('transactions on %s', (dialect) => {
  async function opened() {
    const [first, second] = (await empty(dialect, 2)) as [Database, Database]
    await sql`create table things (name text primary key)`.execute(first.db)
    const add = (name: string) => (tx: Db) => sql`insert into things (name) values (${name})`.execute(tx)
    const names = async ({ db }: Database) => (await rowsOf(db, 'things')).map(({ name }) => name).sort()
    return { first, second, add, names }
  }

  test('that come at one moment do not hold each other up: what one throws undoes that one alone', async () => {
    const { first, second, add, names } = await opened()
    const refused = (tx: Db) =>
      add('refused')(tx).then(() => {
        throw new Error('No')
      })
    const works = [
      add('a'),
      refused,
      add('b'),
      add('a'),
      async (tx: Db) => transaction(tx, add('c')),
      refused,
      add('d'),
    ]
    const outcomes = await Promise.allSettled(works.map((work) => transaction(first.db, work)))
    expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected').length).toBe(3)
    expect(outcomes.filter((_, at) => [1, 5].includes(at))).toMatchObject([
      { reason: { message: 'No' } },
      { reason: { message: 'No' } },
    ])
    expect(await names(second)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('are committed when they resolve', async () => {
    const { first, second, add, names } = await opened()
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        transaction(first.db, add(name)).then(async () => (await names(second)).includes(name)),
      ),
    )
    expect(seen).toEqual([true, true, true])
  })
})

test('on SQLite what comes in one turn of the event loop is one commit, or none', async () => {
  const [database, other] = (await empty('sqlite', 2)) as [Database, Database]
  await sql`create table things (name text primary key, follows text references things deferrable initially deferred)`.execute(
    database.db,
  )
  const add = (name: string, follows: string | null) =>
    transaction(database.db, (tx) =>
      sql`insert into things (name, follows) values (${name}, ${follows})`.execute(tx),
    )
  const outcomes = await Promise.allSettled([add('a', 'b'), add('b', null)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const refused = await Promise.allSettled([add('c', null), add('d', 'nobody')])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await rowsOf(other.db, 'things')).map(({ name }) => name)).toEqual(['a', 'b'])
})

describe('a snapshot', () => {
  /** A database with some pages of rows; open, as beside a running server. */
  function filled(path: string) {
    const db = new DatabaseSync(path)
    db.exec(
      'pragma journal_mode = wal; create table birds (id integer primary key, name text); create index names on birds (name)',
    )
    db.exec(
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000) insert into birds (name) select hex(randomblob(40)) from n',
    )
    return db
  }

  test('holds all that is committed while others write', async () => {
    const [file, copy] = [join(folder(), 'a.db'), join(folder(), 'b.db')]
    const db = filled(file)
    await snapshot(file, copy)
    db.exec(`insert into birds (name) values ('after')`)
    db.close()
    const kept = new DatabaseSync(copy, { readOnly: true })
    expect(kept.prepare('select count(*) as n, max(name) as last from birds').get()).toMatchObject({
      n: 2000,
      last: expect.not.stringContaining('after'),
    })
    kept.close()
  })

  test('of a damaged database is refused', async () => {
    const [file, damaged] = [join(folder(), 'a.db'), join(folder(), 'damaged.db')]
    filled(file).close()
    copyFileSync(file, damaged)
    await snapshot(damaged, join(folder(), 'b.db'))
    const handle = openSync(damaged, 'r+')
    writeSync(handle, Buffer.alloc(4096, 0x55), 0, 4096, 4096 * 5)
    closeSync(handle)
    await expect(snapshot(damaged, join(folder(), 'c.db'))).rejects.toThrow()
  })

  test('of a database that is not there is refused', async () => {
    await expect(snapshot(join(folder(), 'none.db'), join(folder(), 'b.db'))).rejects.toThrow()
  })
})

describe('the folder', () => {
  const program = `import { lockDataFolder } from '#core/database/database.ts'
    lockDataFolder(process.argv[1])
    console.log('held')
    process.stdin.resume().on('end', () => process.exit())`
  const args = (path: string) => ['--input-type=module', '--eval', program, path]
  const cwd = join(import.meta.dirname, '../..')

  test('has one holder; given up, it may have another', () => {
    const path = folder()
    const release = lockDataFolder(path)
    expect(() => lockDataFolder(path)).toThrow(BadSetting)
    const refused = spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).toMatch(/DATA_DIR is in use/)
    release()
    expect(spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'held\n',
    })
  })

  test('is free again when its holder was killed', async () => {
    const path = folder()
    const holder = spawn(process.execPath, args(path), { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    expect(() => lockDataFolder(path)).toThrow(/DATA_DIR is in use/)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    lockDataFolder(path)()
  })
})
