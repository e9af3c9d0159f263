import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  type DatabaseTables,
  likePattern,
  type Migrations,
  type OpenedDatabase,
} from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'

const tablesOf = async ({ db }: OpenedDatabase) =>
  (await (db as Kysely<DatabaseTables>).introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => name !== 'named_locks')
    .sort()
const birds: Migrations = {
  'birds 1': ({ id }) => [
    `create table birds (id ${id}, name text not null)`,
    `insert into birds (name) values ('crane')`,
  ],
}

describe.each(databases)('migrations on %s', (dialect) => {
  test('run once, in order, and are recorded', async () => {
    const [database] = await openConnections(dialect)
    const { db } = database!
    const later: Migrations = {
      'birds 2': () => [`alter table birds add column song text`, `update birds set song = 'kurr'`],
    }
    expect(await runMigrations(db, [birds])).toEqual(['birds 1'])
    expect(await runMigrations(db, [birds])).toEqual([])
    expect(await runMigrations(db, [birds, later])).toEqual(['birds 2'])
    expect(await readRows(db, 'birds')).toEqual([{ id: 1, name: 'crane', song: 'kurr' }])
    expect(await readRows(db, 'migrations')).toMatchObject([{ name: 'birds 1' }, { name: 'birds 2' }])
  })

  test('that fail leave neither tables nor a record, and the earlier ones stay', async () => {
    const [database] = await openConnections(dialect)
    const { db } = database!
    const failing: Migrations = {
      'fish 1': () => ['create table fish (name text)', 'insert into fish (nme) values (1)'],
    }
    await expect(runMigrations(db, [birds, failing])).rejects.toThrow(/nme/)
    expect(await tablesOf(database!)).toEqual(['birds', 'migrations'])
    expect(await readRows(db, 'migrations')).toMatchObject([{ name: 'birds 1' }])
    expect(await runMigrations(db, [birds, { 'fish 1': () => ['create table fish (name text)'] }])).toEqual([
      'fish 1',
    ])
  })

  test('are preceded by a copy only where there is data, and do not run when the copy fails', async () => {
    const [database] = await openConnections(dialect)
    const { db } = database!
    const asked: string[] = []
    const beforehand = async (first: string) => void asked.push(first)
    await runMigrations(db, [birds], beforehand)
    await runMigrations(db, [birds], beforehand)
    expect(asked).toEqual([])
    const fish: Migrations = {
      'fish 1': () => ['create table fish (name text)'],
      'fish 2': () => ['create table whales (name text)'],
    }
    await expect(
      runMigrations(db, [birds, fish], () => Promise.reject(new Error('no copy'))),
    ).rejects.toThrow('no copy')
    expect(await tablesOf(database!)).toEqual(['birds', 'migrations'])
    await runMigrations(db, [birds, fish], beforehand)
    expect(asked).toEqual(['fish 1'])
  })

  test('likePattern() matches every character of a text literally', async () => {
    const [database] = await openConnections(dialect)
    const { db } = database!
    await runMigrations(db, [birds])
    for (const name of ['50%', '50', 'a_b', 'axb', 'c\\d', 'c%d'])
      await transaction(db, (tx) => sql`insert into birds (name) values (${name})`.execute(tx))
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

// Runs these tests on PostgreSQL only, because on SQLite lockDataFolder refuses a second process.
describe.each(databases.filter((dialect) => dialect === 'postgres'))('two processes on %s', (dialect) => {
  test('that start together migrate once', async () => {
    for (let round = 0; round < 3; round++) {
      const both = await openConnections(dialect, 2)
      const done = await Promise.all(both.map(({ db }) => runMigrations(db, [birds])))
      expect(done.flat()).toContain('birds 1')
      expect(await readRows(both[0]!.db, 'birds')).toHaveLength(1)
      expect(await readRows(both[1]!.db, 'migrations')).toHaveLength(1)
    }
  })

  test.each(['empty', 'older'])(
    'that meet while one migrates an %s database make at most one copy',
    async (kind) => {
      const both = await openConnections(dialect, 2)
      const [first, second] = both.map(({ db }) => db)
      if (kind === 'older') await runMigrations(first!, [birds])
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const step = async () => {
        begun.resolve()
        await held.promise
      }
      const slow: Migrations = {
        'fish 1': () => ['create table fish (name text)'],
        'fish 2': () => [step],
      }
      const copies: string[] = []
      const copy = async (name: string) => void copies.push(name)
      const running = runMigrations(first!, [birds, slow], copy)
      await begun.promise
      const late = runMigrations(second!, [birds, slow], copy)
      await sleep(300)
      held.resolve()
      const due = kind === 'older' ? ['fish 1', 'fish 2'] : ['birds 1', 'fish 1', 'fish 2']
      expect([await running, await late]).toEqual([due, []])
      expect(copies).toEqual(kind === 'older' ? ['fish 1'] : [])
    },
  )
})
