import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import { createSeededRandomFunction } from '#bench/random.ts'
import {
  findShardsOfSimulatedQuery,
  SIMULATED_SHARD_COUNT,
  scalingModelShardKeysByTable,
  shardingRemediesByUniqueConstraint,
  toSimulatedShard,
} from '#bench/scaling-keys.ts'
import { scalingDesignNames, scalingOperations } from '#bench/scaling-paths.ts'
import { createScalingRandomIdFunctions } from '#bench/scaling-sampler.ts'
import { findMemberCountsAtScalingLimits, simulateBusiestHourOfCommunity } from '#bench/scaling-simulation.ts'
import { withMemoryDatabaseOfGivenMigrations } from '#core/backup/schema.ts'

/**
 * A table as it is after all migrations, with the columns of each unique constraint and of the primary key.
 */
interface TableSchema {
  columns: readonly string[]
  unique: readonly (readonly string[])[]
}

/**
 * Returns the tables that the migrations create on SQLite. On PostgreSQL they create the same tables, and
 * `named_locks`, which SQLite does not need.
 */
const readTables = () =>
  withMemoryDatabaseOfGivenMigrations(allMigrations, allMigrations.flatMap(Object.keys), async (db) => {
    const { rows: columns } = await sql<{ table: string; name: string; pk: number }>`
      select t.name as "table", c.name, c.pk from sqlite_master t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' order by t.name, c.pk`.execute(db)
    const { rows: indexes } = await sql<{ table: string; name: string; column: string }>`
      select t.name as "table", i.name, c.name as "column" from sqlite_master t
        join pragma_index_list(t.name) i join pragma_index_info(i.name) c
      where t.type = 'table' and i."unique" = 1 and i.origin <> 'pk' order by i.name, c.seqno`.execute(db)
    const tables = new Map<string, TableSchema>()
    for (const [table, rows] of Map.groupBy(columns, (row) => row.table)) {
      const ofTable = Map.groupBy(
        indexes.filter((index) => index.table === table),
        ({ name }) => name,
      )
      const unique = [...ofTable.values()].map((index) => index.map(({ column }) => column))
      const key = rows.filter(({ pk }) => pk > 0).map(({ name }) => name)
      tables.set(table, { columns: rows.map(({ name }) => name), unique: [key, ...unique] })
    }
    return tables
  })

describe('the keys by which tables would be cut', () => {
  let tables: Map<string, TableSchema>
  beforeAll(async () => {
    tables = await readTables()
  })

  test('name every table of the database, and no other', () =>
    expect(Object.keys(scalingModelShardKeysByTable).sort()).toEqual(
      [...tables.keys(), 'named_locks'].sort(),
    ))

  test('are columns of their tables', () => {
    const missing = Object.entries(scalingModelShardKeysByTable).flatMap(
      ([table, { columns, secondColumn, placement }]) => {
        expect(columns.length > 0).toBe(placement !== 'copied' && placement !== 'single')
        const existing = tables.get(table)?.columns ?? ['name']
        return [...columns, ...(secondColumn ? [secondColumn] : [])]
          .filter((column) => !existing.includes(column))
          .map((column) => `${table}.${column}`)
      },
    )
    expect(missing).toEqual([])
  })

  test('are in each unique constraint, or the constraint has a remedy', () => {
    const others = [...tables].flatMap(([table, { unique }]) => {
      const { columns, placement } =
        scalingModelShardKeysByTable[table as keyof typeof scalingModelShardKeysByTable]
      if (placement === 'copied' || placement === 'single') return []
      return (
        unique
          // Leaves out constraints of the column `id` alone: new ids contain their shard, so an id is unique
          // in all shards.
          .filter((constraint) => constraint.join() !== 'id')
          .filter((constraint) => !constraint.some((column) => columns.includes(column)))
          .map((constraint) => `${table} (${constraint.join(', ')})`)
      )
    })
    expect(others.sort()).toEqual(Object.keys(shardingRemediesByUniqueConstraint).sort())
  })

  test('are found by statements whose tables and columns exist', () => {
    const sample = createScalingRandomIdFunctions(100, createSeededRandomFunction(1))
    const missing = scalingOperations
      .flatMap((path) => scalingDesignNames.flatMap((design) => path.statements(sample, design)))
      .filter(({ table, column }) => !tables.get(table)!.columns.includes(column))
    expect(missing).toEqual([])
  })
})

describe('a query', () => {
  test('by a key asks the shards of its values', () => {
    expect(findShardsOfSimulatedQuery('likes', 'post_id', [7])).toEqual([toSimulatedShard(7)])
    expect(findShardsOfSimulatedQuery('posts', 'id', [7, 7, 8])).toEqual([
      ...new Set([toSimulatedShard(7), toSimulatedShard(8)]),
    ])
    expect(findShardsOfSimulatedQuery('follows', 'followed_id', [7])).toEqual([toSimulatedShard(7)])
  })
  test('by another column asks all shards', () =>
    expect(findShardsOfSimulatedQuery('likes', 'user_id', [7])).toHaveLength(SIMULATED_SHARD_COUNT))
  test('of a copied table asks none, of a single one the first', () => {
    expect(findShardsOfSimulatedQuery('settings', 'name', [1])).toEqual([])
    expect(findShardsOfSimulatedQuery('audit_log', 'id', [1])).toEqual([0])
  })
})

describe('the simulation', () => {
  const simulate = (seed: number) => simulateBusiestHourOfCommunity(1000, 'today', seed, 40)

  test('gives the same figures for the same seed, and others for another', () => {
    expect(simulate(1)).toEqual(simulate(1))
    expect(simulate(2).paths).not.toEqual(simulate(1).paths)
  })

  test('asks all shards for a name, one for a message, and at most one for each followed person', () => {
    const byName = new Map(simulate(1).paths.map((path) => [path.name, path]))
    expect(byName.get('search for a name')!.shards).toEqual({
      mean: SIMULATED_SHARD_COUNT,
      p99: SIMULATED_SHARD_COUNT,
    })
    expect(byName.get('private message')!.shards).toEqual({ mean: 1, p99: 1 })
    const feed = byName.get('feed')!.shards
    expect(feed.mean).toBeGreaterThan(20)
    expect(feed.p99).toBeLessThanOrEqual(SIMULATED_SHARD_COUNT)
  })

  test('finds that the count of followers breaks first, and that the list of who is online never does', () => {
    const [first, second] = findMemberCountsAtScalingLimits('today', 1, 5)
    expect(first!.name).toBe('count of the most followers')
    expect(first!.members).toBeGreaterThan(10_000)
    expect(second!.members).toBeGreaterThan(first!.members!)
    for (const design of ['today', 'next'] as const) {
      const list = findMemberCountsAtScalingLimits(design, 1, 5).find(({ name }) =>
        name.startsWith('list of who is online'),
      )
      expect(list!.members).toBeNull()
    }
  })
})
