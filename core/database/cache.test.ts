import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  createQueryCacheFactory,
  memoizeByStringKey,
  type QueryCacheFactory,
  type ReadWithQueryCache,
} from '#core/database/cache.ts'
import type { OpenedDatabase, QueryCacheDependency } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnectionsToOneEmptyDatabase } from '#tests/databases.ts'
import { readTestTableRows, type TestDatabaseDialect } from '#tests/harness.ts'

async function opened(dialect: TestDatabaseDialect) {
  const [database] = (await openConnectionsToOneEmptyDatabase(dialect)) as [OpenedDatabase]
  const write = (...statements: string[]) =>
    transaction(database.db, async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })
  await write('create table birds (name text)', 'create table fish (name text)')
  const cacheOf = (maxEntries: number, ...dependencies: string[]) =>
    createQueryCacheFactory(database)<number>(dependencies as QueryCacheDependency[], maxEntries)
  return { database, write, cacheOf }
}

/**
 * Wraps a cache so that a test can count its misses: `ask` reads a key through the cache, and `read` lists
 * the keys that were read without it.
 */
function counted(cache: ReadWithQueryCache<number>) {
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
      const { length } = await readTestTableRows(database.db, 'birds')
      await write(`insert into birds values ('crane')`)
      return length
    })
    expect(await slow).toBe(0)
    expect(await cache('count', async () => (await readTestTableRows(database.db, 'birds')).length)).toBe(1)
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

/**
 * Creates a cache of rows for a test, which counts its queries: `queries` has the keys of each. Key 0 has no
 * row.
 */
function createRowCache(factory: QueryCacheFactory, ...dependencies: string[]) {
  const queries: number[][] = []
  const state = { fails: false }
  const read = factory.ofRows<number, string>(dependencies as QueryCacheDependency[], 4, async (keys) => {
    queries.push([...keys])
    if (state.fails) throw new Error('away')
    return new Map(keys.filter(Boolean).map((key) => [key, `${key} of query ${queries.length}`]))
  })
  const values = async (...keys: number[]) => {
    const rows = await read(keys)
    return keys.map((key) => rows.get(key))
  }
  return { values, queries, state }
}

describe('a cache of rows on sqlite', () => {
  test('reads the missing rows of one turn with one query, and keeps them until a change', async () => {
    const { database, write } = await opened('sqlite')
    const { values, queries } = createRowCache(createQueryCacheFactory(database), 'birds')
    const turn = await Promise.all([values(1, 2), values(2, 0), values()])
    expect(turn).toEqual([['1 of query 1', '2 of query 1'], ['2 of query 1', undefined], []])
    expect(await values(1, 0)).toEqual(['1 of query 1', undefined])
    expect(await values(2, 3)).toEqual(['2 of query 1', '3 of query 2'])
    expect(queries).toEqual([[1, 2, 0], [3]])
    await write(`insert into fish values ('cod')`)
    expect(await values(1)).toEqual(['1 of query 1'])
    await write(`insert into birds values ('crane')`)
    expect(await values(1)).toEqual(['1 of query 3'])
  })

  test('drops rows whose tables changed while they were read', async () => {
    const { database, write } = await opened('sqlite')
    const factory = createQueryCacheFactory(database)
    let stored = 'before'
    let change = async () => {
      stored = 'after'
      await write(`insert into birds values ('crane')`)
    }
    const read = factory.ofRows<number, string>(
      ['birds'] as unknown as QueryCacheDependency[],
      4,
      async (keys) => {
        const found = new Map(keys.map((key) => [key, stored]))
        await change()
        change = async () => {}
        return found
      },
    )
    expect((await read([1])).get(1)).toBe('before')
    expect((await read([1])).get(1)).toBe('after')
  })

  test('tries again after a failure, and stores a limited number of rows', async () => {
    const { database } = await opened('sqlite')
    const { values, queries, state } = createRowCache(createQueryCacheFactory(database), 'birds')
    state.fails = true
    await expect(values(1)).rejects.toThrow('away')
    state.fails = false
    expect(await values(1)).toEqual(['1 of query 2'])
    await values(2, 3, 4, 5)
    await values(6)
    expect(await values(1), 'is read again beyond the limit').toEqual(['1 of query 5'])
    expect(queries).toHaveLength(5)
  })
})

describe('a query cache without change counts, as on PostgreSQL', () => {
  test('reads the rows of one turn with one query, and keeps none', async () => {
    const factory = createQueryCacheFactory({})
    expect(factory.keepsResults).toBe(false)
    const { values, queries } = createRowCache(factory)
    expect(await Promise.all([values(1), values(2)])).toEqual([['1 of query 1'], ['2 of query 1']])
    expect(await values(1)).toEqual(['1 of query 2'])
    expect(queries).toEqual([[1, 2], [1]])
  })

  test('caches nothing, but shares a read within one turn of the event loop', async () => {
    const { ask, read } = counted(createQueryCacheFactory({})<number>([], 10))
    expect(await Promise.all([ask('count', 1), ask('count', 2), ask('other', 3)])).toEqual([1, 1, 3])
    expect(await ask('count', 4)).toBe(4)
    expect(read).toEqual(['count', 'other', 'count'])
  })

  test('begins a read when the turn ends, after all writes that were sent before', async () => {
    let stored = 'before'
    const cache = createQueryCacheFactory({})<string>([], 10)
    const asked = cache('value', async () => stored)
    stored = 'after'
    expect(await asked).toBe('after')
  })
})

test('memoize computes a result once, also where it is null', () => {
  const asked: string[] = []
  const compute = memoizeByStringKey(10, (key) => {
    asked.push(key)
    return key === 'none' ? null : key.length
  })
  expect(['one', 'none', 'one', 'none'].map(compute)).toEqual([3, null, 3, null])
  expect(asked).toEqual(['one', 'none'])
})
