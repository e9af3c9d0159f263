import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'

/** More transactions than the pool has connections, so that most of them wait for one. */
const TRANSACTIONS = 60

describe.runIf(databases.includes('postgres'))('more transactions than connections', () => {
  /** Opens a database with a table whose references to itself are checked at the commit. */
  async function opened() {
    const [database, other] = (await openConnections('postgres', 2)) as [OpenedDatabase, OpenedDatabase]
    await transaction(database.db, (tx) =>
      sql`create table things (name text primary key,
        follows text references things deferrable initially deferred)`.execute(tx),
    )
    return {
      db: database.db,
      names: async () => (await readRows(other.db, 'things')).map(({ name }) => name),
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
      // A statement fails, and the work does not throw.
      (name) => (tx) =>
        sql`insert into things (name) values (${name}, 'too many')`.execute(tx).catch(() => {}),
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

  test('one that waits for a lock delays neither readers nor other writers', async () => {
    const { db, names } = await opened()
    await transaction(db, (tx) => insert('locked').execute(tx))
    const update = sql`update things set name = name where name = 'locked'`
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = transaction(db, async (tx) => {
      await update.execute(tx)
      locked.resolve()
      await end.promise
    })
    await locked.promise
    // On eight of the ten connections.
    const stuck = Array.from({ length: 8 }, () => transaction(db, (tx) => update.execute(tx)))
    const reads = Array.from({ length: TRANSACTIONS }, () => readRows(db, 'things'))
    const writes = Array.from({ length: TRANSACTIONS }, (_, n) =>
      transaction(db, (tx) => insert(`${n}`).execute(tx)),
    )
    await Promise.all([...reads, ...writes])
    expect(await names()).toHaveLength(TRANSACTIONS + 1)
    end.resolve()
    await Promise.all([holder, ...stuck])
  })
})
