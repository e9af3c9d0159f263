import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { OpenedDatabase } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { startVersions } from '#core/database/table-versions.ts'
import { postgresSnapshot, transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { fakeRedis } from '#tests/fake-redis.ts'
import { databases, readRows } from '#tests/harness.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { startPostgresProxy } from '#tests/round-trips.ts'
import { createDatabase, dropDatabase, queryPostgres } from '#tests/services.ts'

async function openWithThings(dialect: (typeof databases)[number]) {
  const [database] = (await openConnections(dialect)) as [OpenedDatabase]
  const { db } = database
  await transaction(db, (tx) =>
    sql`create table things (name text primary key, size integer not null default 0)`.execute(tx),
  )
  await transaction(db, (tx) => sql`insert into things (name) values ('first')`.execute(tx))
  return { ...database, rows: () => readRows(db, 'things') }
}

describe.runIf(databases.includes('postgres'))('a transaction on PostgreSQL', () => {
  test('sends begin with its first statement', async () => {
    const url = await migratedPostgres()
    onTestFinished(() => dropDatabase(url))
    const proxy = await startPostgresProxy(url)
    const { db, close } = await openPostgres(proxy.url)
    onTestFinished(close)
    const { roundTrips, sent } = await proxy.count(() =>
      transaction(db, (tx) => sql`delete from named_locks where name = 'none'`.execute(tx)),
    )
    expect(sent.map((text) => text.split(' ')[0])).toEqual(['start', 'delete', 'commit'])
    expect(roundTrips).toBe(2)
  })

  test('keeps the order of statements while PostgreSQL is asked which tables one of them writes', async () => {
    const database = await openWithThings('postgres')
    const { db } = database
    await transaction(db, (tx) => sql`create table named_locks (name text primary key)`.execute(tx))
    const versions = await startVersions(db, fakeRedis().redis, { warn: vi.fn() })
    onTestFinished(() => versions.close())
    const refused = transaction(db, (tx) =>
      Promise.all([
        sql`update things set size = size + 1`.execute(tx),
        sql`insert into things (name) values ('first')`.execute(tx),
        sql`update things set size = size * 10`.execute(tx),
      ]),
    )
    await expect(refused).rejects.toThrow(/unique/i)
    await transaction(db, (tx) =>
      Promise.all([
        sql`update things set size = size + 1`.execute(tx),
        sql`update things set size = size * 10`.execute(tx),
      ]),
    )
    expect(await database.rows()).toEqual([{ name: 'first', size: 10 }])
  })

  test('is not acknowledged if its work hides the error of a statement', async () => {
    const { db, rows } = await openWithThings('postgres')
    const hidden = transaction(db, (tx) =>
      sql`insert into things (name) values ('first')`.execute(tx).catch(() => {}),
    )
    await expect(hidden).rejects.toThrow('PostgreSQL rolled the transaction back')
    expect(await rows()).toHaveLength(1)
  })
})

describe.runIf(databases.includes('postgres'))('a statement that PostgreSQL keeps prepared', () => {
  type Read = (db: OpenedDatabase['db']) => Promise<unknown[]>
  const readAlone: Read = async (db) => (await sql`select * from things`.execute(db)).rows
  const readInside: Read = (db) => transaction(db, readAlone)
  const USES = 20
  const countPrepared = async (db: OpenedDatabase['db']) => {
    const { rows } = await sql`select name from pg_prepared_statements where name <> ''`.execute(db)
    return rows.length
  }

  test.each([
    ['alone', readAlone],
    ['in a transaction', readInside],
  ])('%s, is prepared after some uses, and again after a change of its table', async (_, readAll) => {
    const { db } = await openWithThings('postgres')
    for (let n = 0; n < USES; n++) expect(await readAll(db)).toEqual([{ name: 'first', size: 0 }])
    expect(await countPrepared(db)).toBeGreaterThan(0)
    await transaction(db, (tx) => sql`alter table things add column colour text`.execute(tx))
    const changed = [{ name: 'first', size: 0, colour: null }]
    for (let n = 0; n < USES; n++) expect(await readAll(db)).toEqual(changed)
  })

  test.each([
    ['alone', readAlone],
    ['in a transaction', readInside],
  ])('%s, is no longer used if PostgreSQL does not know it, as behind a pooler', async (_, readAll) => {
    const { db } = await openWithThings('postgres')
    for (let n = 0; n < USES; n++) await readAll(db)
    await transaction(db, (tx) => sql`deallocate all`.execute(tx))
    for (let n = 0; n < USES; n++) expect(await readAll(db)).toHaveLength(1)
    expect(await countPrepared(db)).toBe(0)
  })

  test('is planned at each use in a snapshot, which is not tried again', async () => {
    const { db } = await openWithThings('postgres')
    for (let n = 0; n < USES; n++) await postgresSnapshot(db, readAlone)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      db,
    )
    expect(rows.filter(({ statement }) => statement.includes('things'))).toEqual([])
  })

  test('is one of a limited number', async () => {
    const { db } = await openWithThings('postgres')
    for (let n = 0; n < 310; n++)
      for (let use = 0; use < 10; use++) await sql`select ${sql.raw(String(n))} from things`.execute(db)
    expect(await countPrepared(db)).toBe(300)
  })
})

describe.runIf(databases.includes('postgres'))('a connection to PostgreSQL', () => {
  test('is read-only by default, and compiles no queries', async () => {
    const { db } = await openWithThings('postgres')
    const show = async (name: string) =>
      Object.values((await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db)).rows[0]!)
    expect(await show('default_transaction_read_only')).toEqual(['on'])
    expect(await show('jit')).toEqual(['off'])
  })

  test('reads what others have committed, whatever isolation the operator has set for the database', async () => {
    const url = await createDatabase(inject('postgres')!)
    const name = new URL(url).pathname.slice(1)
    await queryPostgres(url, `alter database "${name}" set default_transaction_isolation = 'repeatable read'`)
    const database = await openPostgres(url)
    const { rows } = await transaction(database.db, (tx) => sql`show transaction_isolation`.execute(tx))
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
    await database.close()
    await dropDatabase(url)
  })
})
