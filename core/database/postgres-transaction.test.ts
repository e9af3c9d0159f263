import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnectionsToOneEmptyDatabase } from '#tests/databases.ts'
import { readTestTableRows, testDatabaseDialects } from '#tests/harness.ts'
import { createMigratedTestPostgresDatabase } from '#tests/migrated-databases.ts'
import { startRoundTripCountingPostgresProxy } from '#tests/round-trips.ts'
import { dropTestPostgresDatabase } from '#tests/services.ts'

/** More transactions than the pool has connections, so that most of them wait for one. */
const TRANSACTIONS = 60

describe.runIf(testDatabaseDialects.includes('postgres'))('more transactions than connections', () => {
  /** Opens a database with a table whose references to itself are checked at the commit. */
  async function opened() {
    const [database, other] = (await openConnectionsToOneEmptyDatabase('postgres', 2)) as [
      OpenedDatabase,
      OpenedDatabase,
    ]
    await transaction(database.db, (tx) =>
      sql`create table things (name text primary key,
        follows text references things deferrable initially deferred)`.execute(tx),
    )
    return {
      db: database.db,
      names: async () => (await readTestTableRows(other.db, 'things')).map(({ name }) => name),
    }
  }
  const insert = (name: string, follows: string | null = null) =>
    sql`insert into things (name, follows) values (${name}, ${follows})`

  test('only those fail whose statement, work or commit fails, and the others are stored', async () => {
    const { db, names } = await opened()
    const kinds: ((name: string) => (tx: Tx) => Promise<unknown>)[] = [
      (name) => (tx) => insert(name).execute(tx),
      // The commit fails.
      (name) => (tx) => insert(name, 'nobody').execute(tx),
      // A statement fails for which the work does not wait.
      (name) => async (tx) =>
        void tx.sendStatement(sql`insert into things (name) values (${name}, 'too many')`),
      // The work throws.
      (name) => async (tx) => {
        await insert(name).execute(tx)
        throw new Error('No')
      },
    ]
    const named = Array.from({ length: TRANSACTIONS }, (_, n) => ({ name: `${n}`, kind: n % kinds.length }))
    const outcomes = await Promise.allSettled(
      named.map(({ name, kind }) => transaction(db, kinds[kind]!(name))),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      named.map(({ kind }) => (kind ? 'rejected' : 'fulfilled')),
    )
    const stored = named.filter(({ kind }) => !kind).map(({ name }) => name)
    expect((await names()).sort()).toEqual(stored.sort())
  })

  test('each is committed when it resolves', async () => {
    const { db, names } = await opened()
    const isSeen = await Promise.all(
      Array.from({ length: TRANSACTIONS }, async (_, n) => {
        await transaction(db, (tx) => insert(`${n}`).execute(tx))
        return (await names()).includes(`${n}`)
      }),
    )
    expect(isSeen).not.toContain(false)
  })

  test('one that waits sends its first statement behind the commit of the one before', async () => {
    const url = await createMigratedTestPostgresDatabase()
    onTestFinished(() => dropTestPostgresDatabase(url))
    const proxy = await startRoundTripCountingPostgresProxy(url)
    const { db, close } = await openPostgres(proxy.url)
    onTestFinished(close)
    const runAll = (count: number) =>
      Promise.all(Array.from({ length: count }, () => transaction(db, (tx) => sql`select 1`.execute(tx))))
    // Opens all connections of the pool.
    await runAll(TRANSACTIONS)
    const { roundTrips: alone } = await proxy.count(() => runAll(1))
    expect(alone).toBe(2)
    const { roundTrips } = await proxy.count(() => runAll(TRANSACTIONS))
    // The ten that wait for no connection have two round trips, all others share one with the one before.
    expect(roundTrips).toBe(TRANSACTIONS + 10)
  })
})
