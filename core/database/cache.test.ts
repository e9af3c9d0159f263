import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createQueryCaches, memoize } from '#core/database/cache.ts'
import type { Database, TableDependency } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openEmpty } from '#tests/databases.ts'
import { type Dialect, rowsOf } from '#tests/harness.ts'

async function opened(dialect: Dialect) {
  const [database] = (await openEmpty(dialect)) as [Database]
  const write = (...statements: string[]) =>
    transaction(database.db, async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })
  await write('create table birds (name text)', 'create table fish (name text)')
  const cacheOf = (maxEntries: number, ...dependencies: string[]) =>
    createQueryCaches(database)<string, number>(dependencies as TableDependency[], maxEntries)
  return { database, write, cacheOf }
}

describe('a query cache on sqlite', () => {
  test('keeps results until a table that they depend on changes', async () => {
    const { write, cacheOf } = await opened('sqlite')
    const [birds, newBirds] = [cacheOf(10, 'birds'), cacheOf(10, 'insert into birds')]
    for (const cache of [birds, newBirds]) cache().set('count', 0)
    await write(`insert into fish values ('cod')`)
    expect([birds().get('count'), newBirds().get('count')]).toEqual([0, 0])
    await write(`update birds set name = 'crane'`)
    expect([birds().get('count'), newBirds().get('count')]).toEqual([undefined, 0])
    await write(`insert or ignore into birds values ('crow')`)
    expect([birds().has('count'), newBirds().has('count')]).toEqual([false, false])
  })

  test('drops a result whose tables changed while it was read', async () => {
    const { database, write, cacheOf } = await opened('sqlite')
    const birds = cacheOf(10, 'birds')
    const entries = birds()
    const count = (await rowsOf(database.db, 'birds')).length
    await write(`insert into birds values ('crane')`)
    entries.set('count', count)
    expect(birds().has('count')).toBe(false)
  })

  test('holds so many entries and no more, those that were used last', async () => {
    const { cacheOf } = await opened('sqlite')
    const cache = cacheOf(10, 'birds')
    for (let n = 0; n < 100; n++) {
      cache().set(`${n}`, n)
      cache().get('0')
    }
    const left = Array.from({ length: 100 }, (_, n) => n).filter((n) => cache().has(`${n}`))
    expect(left.length).toBeLessThanOrEqual(10)
    expect(left).toEqual(expect.arrayContaining([0, 98, 99]))
  })
})

test('a query cache without counted changes, as on PostgreSQL, keeps nothing', () => {
  const cache = createQueryCaches({})<string, number>([], 10)
  cache().set('count', 1)
  expect(cache().has('count')).toBe(false)
})

test('memoize computes a result once, also where it is null', () => {
  const asked: string[] = []
  const compute = memoize(10, (key) => {
    asked.push(key)
    return key === 'none' ? null : key.length
  })
  expect(['one', 'none', 'one', 'none'].map(compute)).toEqual([3, null, 3, null])
  expect(asked).toEqual(['one', 'none'])
})
