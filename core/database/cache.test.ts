import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCaches, memoize, type ReadCached } from '#core/database/cache.ts'
import type { CacheDependency, OpenedDatabase } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { type Dialect, readRows } from '#tests/harness.ts'

async function opened(dialect: Dialect) {
  const [database] = (await openConnections(dialect)) as [OpenedDatabase]
  const write = (...statements: string[]) =>
    transaction(database.db, async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })
  await write('create table birds (name text)', 'create table fish (name text)')
  const cacheOf = (maxEntries: number, ...dependencies: string[]) =>
    createCaches(database)<number>(dependencies as CacheDependency[], maxEntries)
  return { database, write, cacheOf }
}

/**
 * Wraps a cache so that a test can count its misses: `ask` reads a key through the cache, and `read` lists
 * the keys that were read without it.
 */
function counted(cache: ReadCached<number>) {
  const read: string[] = []
  const ask = (key: string, value = 0) =>
    cache(key, async () => {
      read.push(key)
      return value
    })
  return { ask, read }
}

describe('a query cache on sqlite', () => {
  test('keeps results until a table that they depend on changes', async () => {
    const { write, cacheOf } = await opened('sqlite')
    const [birds, newBirds] = [counted(cacheOf(10, 'birds')), counted(cacheOf(10, 'insert into birds'))]
    const reads = async () => {
      for (const { ask } of [birds, newBirds]) await ask('count')
      return [birds.read.length, newBirds.read.length]
    }
    expect(await reads()).toEqual([1, 1])
    await write(`insert into fish values ('cod')`)
    expect(await reads()).toEqual([1, 1])
    await write(`update birds set name = 'crane'`)
    expect(await reads()).toEqual([2, 1])
    await write(`insert or ignore into birds values ('crow')`)
    expect(await reads()).toEqual([3, 2])
  })

  test('drops a result whose tables changed while it was read', async () => {
    const { database, write, cacheOf } = await opened('sqlite')
    const cache = cacheOf(10, 'birds')
    const slow = cache('count', async () => {
      const { length } = await readRows(database.db, 'birds')
      await write(`insert into birds values ('crane')`)
      return length
    })
    expect(await slow).toBe(0)
    expect(await cache('count', async () => (await readRows(database.db, 'birds')).length)).toBe(1)
  })

  test('shares one read among concurrent callers, and tries again after a failure', async () => {
    const { cacheOf } = await opened('sqlite')
    const { ask, read } = counted(cacheOf(10, 'birds'))
    expect(await Promise.all([ask('count', 7), ask('count'), ask('other', 8)])).toEqual([7, 7, 8])
    expect(read).toEqual(['count', 'other'])
    const failing = cacheOf(10, 'birds')
    await expect(failing('count', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await failing('count', async () => 9)).toBe(9)
  })

  test('stores a limited number of entries, and drops the least recently used ones', async () => {
    const { cacheOf } = await opened('sqlite')
    const { ask, read } = counted(cacheOf(10, 'birds'))
    for (let n = 0; n < 100; n++) {
      await ask(`${n}`)
      await ask('0')
    }
    read.length = 0
    const all = Array.from({ length: 100 }, (_, n) => `${n}`)
    for (const key of ['0', '98', '99']) await ask(key)
    expect(read).toEqual([])
    for (const key of all.slice(1, 90)) await ask(key)
    expect(read).toEqual(all.slice(1, 90))
  })
})

describe('a query cache without change counts, as on PostgreSQL', () => {
  test('caches nothing, but shares a read within one turn of the event loop', async () => {
    const { ask, read } = counted(createCaches({})<number>([], 10))
    expect(await Promise.all([ask('count', 1), ask('count', 2), ask('other', 3)])).toEqual([1, 1, 3])
    expect(await ask('count', 4)).toBe(4)
    expect(read).toEqual(['count', 'other', 'count'])
  })

  test('begins a read when the turn ends, after all writes that were sent before', async () => {
    let stored = 'before'
    const cache = createCaches({})<string>([], 10)
    const asked = cache('value', async () => stored)
    stored = 'after'
    expect(await asked).toBe('after')
  })
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
