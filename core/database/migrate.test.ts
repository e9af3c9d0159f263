import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Database, likePattern, type Migrations, type Tables } from '#core/database/database.ts'
import { migrate } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { openEmpty } from '#tests/databases.ts'
import { dialects, rowsOf } from '#tests/harness.ts'

const tablesOf = async ({ db }: Database) =>
  (await (db as Kysely<Tables>).introspection.getTables())
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
    const [database] = await openEmpty(dialect)
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
    const [database] = await openEmpty(dialect)
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
    const [database] = await openEmpty(dialect)
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
    const [database] = await openEmpty(dialect)
    const { db } = database!
    await migrate(db, [birds])
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

// On SQLite, lockDataFolder keeps a second process away.
describe.each(dialects.filter((dialect) => dialect === 'postgres'))('two processes on %s', (dialect) => {
  test('that start together migrate once', async () => {
    for (let round = 0; round < 3; round++) {
      const both = await openEmpty(dialect, 2)
      const done = await Promise.all(both.map(({ db }) => migrate(db, [birds])))
      expect(done.flat()).toContain('birds 1')
      expect(await rowsOf(both[0]!.db, 'birds')).toHaveLength(1)
      expect(await rowsOf(both[1]!.db, 'migrations')).toHaveLength(1)
    }
  })
})
