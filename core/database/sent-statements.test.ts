import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { startRedisTableVersions } from '#core/database/table-versions.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnectionsToOneEmptyDatabase } from '#tests/databases.ts'
import { createFakeTableVersionsRedis } from '#tests/fake-redis.ts'
import { readTestTableRows, testDatabaseDialects } from '#tests/harness.ts'
import { createMigratedTestPostgresDatabase } from '#tests/migrated-databases.ts'
import { startRoundTripCountingPostgresProxy } from '#tests/round-trips.ts'
import { createTestPostgresDatabase, dropTestPostgresDatabase, runPostgresQuery } from '#tests/services.ts'

// Tests statements for whose answers a transaction does not wait, and statements that PostgreSQL keeps
// prepared.

async function openWithThings(dialect: (typeof testDatabaseDialects)[number]) {
  const [database] = (await openConnectionsToOneEmptyDatabase(dialect)) as [OpenedDatabase]
  const { db } = database
  await transaction(db, (tx) =>
    sql`create table things (name text primary key, size integer not null default 0)`.execute(tx),
  )
  await transaction(db, (tx) => insert('first').execute(tx))
  return { ...database, rows: () => readTestTableRows(db, 'things') }
}

const insert = (name: string) => sql`insert into things (name) values (${name})`
const readSize = async (tx: Tx) =>
  (await sql<{ size: number }>`select size from things where name = 'first'`.execute(tx)).rows[0]?.size

describe.each(testDatabaseDialects)('sendStatement on %s', (dialect) => {
  test('runs statements in the order of the calls, among those that are awaited', async () => {
    const { db, rows } = await openWithThings(dialect)
    const seen = await transaction(db, async (tx) => {
      tx.sendStatement(sql`update things set size = size + 1`)
      tx.sendStatement(sql`update things set size = size * 10`)
      const size = await readSize(tx)
      tx.sendStatement(sql`update things set size = size + 5`)
      return size
    })
    expect(seen).toBe(10)
    expect(await rows()).toEqual([{ name: 'first', size: 15 }])
  })

  test('gives its result to callbacks after the commit', async () => {
    const { db } = await openWithThings(dialect)
    const changed: bigint[] = []
    await transaction(db, async (tx) => {
      for (const size of [0, 7]) {
        const sent = tx.sendStatement(sql`update things set size = 1 where size = ${size}`)
        tx.afterCommit(async () => changed.push((await sent).numAffectedRows!))
      }
    })
    expect(changed).toEqual([1n, 0n])
  })

  test('that fails undoes the transaction, which rejects with the error and calls no callback', async () => {
    const { db, rows } = await openWithThings(dialect)
    const called: string[] = []
    const refused = transaction(db, async (tx) => {
      tx.afterCommit(() => called.push('called'))
      await insert('second').execute(tx)
      tx.sendStatement(insert('first'))
    })
    await expect(refused).rejects.toThrow(/unique/i)
    expect(called).toEqual([])
    expect(await rows()).toEqual([{ name: 'first', size: 0 }])
    await transaction(db, async (tx) => void tx.sendStatement(insert('third')))
    expect(await rows()).toHaveLength(2)
  })

  test('that fails is the reason also if the work fails because of it', async () => {
    const { db, rows } = await openWithThings(dialect)
    const refused = transaction(db, async (tx) => {
      tx.sendStatement(insert('first'))
      await insert('second').execute(tx)
      throw new Error('The work failed')
    })
    await expect(refused).rejects.toThrow(/unique/i)
    expect(await rows()).toHaveLength(1)
  })

  test('of a work that fails is undone', async () => {
    const { db, rows } = await openWithThings(dialect)
    const refused = transaction(db, async (tx) => {
      tx.sendStatement(insert('second'))
      throw new Error('No')
    })
    await expect(refused).rejects.toThrow('No')
    expect(await rows()).toHaveLength(1)
  })
})

describe.runIf(testDatabaseDialects.includes('postgres'))('on PostgreSQL', () => {
  test('a transaction is tried again after a deadlock of a statement for which it did not wait', async () => {
    const { db } = await openWithThings('postgres')
    let tries = 0
    const failing = sql`do $$ begin raise exception 'try again' using errcode = '40P01'; end $$`
    const size = await transaction(db, async (tx) => {
      if (++tries < 3) tx.sendStatement(failing)
      return readSize(tx)
    })
    expect([tries, size]).toEqual([3, 0])
  })

  test('statements keep their order while PostgreSQL is asked which tables one of them writes', async () => {
    const database = await openWithThings('postgres')
    const { db } = database
    await transaction(db, (tx) => sql`create table named_locks (name text primary key)`.execute(tx))
    const versions = await startRedisTableVersions(db, createFakeTableVersionsRedis().redis, {
      warn: vi.fn(),
    })
    onTestFinished(() => versions.close())
    const size = await transaction(db, async (tx) => {
      tx.sendStatement(sql`update things set size = 3`)
      tx.sendStatement(sql`select * from things for update`)
      const seen = await readSize(tx)
      tx.sendStatement(sql`update things set size = size * 2`)
      return seen
    })
    expect(size).toBe(3)
    const refused = transaction(db, async (tx) => {
      tx.sendStatement(sql`update things set size = size + 100`)
      throw new Error('No')
    })
    await expect(refused).rejects.toThrow('No')
    expect(await database.rows()).toEqual([{ name: 'first', size: 6 }])
  })

  test('begin and commit need no round trips of their own', async () => {
    const url = await createMigratedTestPostgresDatabase()
    onTestFinished(() => dropTestPostgresDatabase(url))
    const proxy = await startRoundTripCountingPostgresProxy(url)
    const { db, close } = await openPostgres(proxy.url)
    onTestFinished(close)
    const write = (tx: Tx) => tx.sendStatement(sql`delete from named_locks where name = 'none'`)
    const { roundTrips, sent } = await proxy.count(() =>
      transaction(db, async (tx) => {
        await sql`select 1`.execute(tx)
        write(tx)
      }),
    )
    expect(sent.map((text) => text.split(' ')[0])).toEqual(['start', 'select', 'delete', 'commit'])
    expect(roundTrips).toBe(2)
    const only = await proxy.count(() => transaction(db, async (tx) => void write(tx)))
    expect(only.roundTrips).toBe(1)
  })
})

describe.runIf(testDatabaseDialects.includes('postgres'))(
  'a statement that PostgreSQL keeps prepared',
  () => {
    const readAll = (db: OpenedDatabase['db']) =>
      transaction(db, async (tx) => (await sql`select * from things`.execute(tx)).rows)
    const countPrepared = async (db: OpenedDatabase['db']) => {
      const { rows } = await sql`select name from pg_prepared_statements where name <> ''`.execute(db)
      return rows.length
    }

    test('is prepared after some uses, and again after a change of its table', async () => {
      const { db } = await openWithThings('postgres')
      for (let n = 0; n < 10; n++) expect(await readAll(db)).toEqual([{ name: 'first', size: 0 }])
      expect(await countPrepared(db)).toBeGreaterThan(0)
      await transaction(db, (tx) => sql`alter table things add column colour text`.execute(tx))
      for (let n = 0; n < 10; n++)
        expect(await readAll(db)).toEqual([{ name: 'first', size: 0, colour: null }])
    })

    test('is no longer used if PostgreSQL does not know it, as behind a connection pooler', async () => {
      const { db } = await openWithThings('postgres')
      for (let n = 0; n < 10; n++) await readAll(db)
      await transaction(db, (tx) => sql`deallocate all`.execute(tx))
      for (let n = 0; n < 10; n++) expect(await readAll(db)).toHaveLength(1)
      expect(await countPrepared(db)).toBe(0)
    })

    test('is one of a limited number', async () => {
      const { db } = await openWithThings('postgres')
      for (let n = 0; n < 310; n++)
        for (let use = 0; use < 5; use++)
          await transaction(db, (tx) => sql`select ${sql.raw(String(n))} from things`.execute(tx))
      expect(await countPrepared(db)).toBe(300)
    })
  },
)

describe.runIf(testDatabaseDialects.includes('postgres'))('a connection to PostgreSQL', () => {
  test('is read-only by default, and compiles no queries', async () => {
    const { db } = await openWithThings('postgres')
    const show = async (name: string) =>
      Object.values((await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db)).rows[0]!)
    expect(await show('default_transaction_read_only')).toEqual(['on'])
    expect(await show('jit')).toEqual(['off'])
  })

  test('reads what others have committed, whatever isolation the operator has set for the database', async () => {
    const url = await createTestPostgresDatabase(inject('postgres')!)
    const name = new URL(url).pathname.slice(1)
    await runPostgresQuery(
      url,
      `alter database "${name}" set default_transaction_isolation = 'repeatable read'`,
    )
    const database = await openPostgres(url)
    const { rows } = await transaction(database.db, (tx) => sql`show transaction_isolation`.execute(tx))
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
    await database.close()
    await dropTestPostgresDatabase(url)
  })
})
