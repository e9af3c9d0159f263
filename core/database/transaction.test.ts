import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'

describe.each(databases)('transactions on %s', (dialect) => {
  async function opened() {
    const [first, second] = (await openConnections(dialect, 2)) as [OpenedDatabase, OpenedDatabase]
    await transaction(first.db, (tx) => sql`create table things (name text primary key)`.execute(tx))
    const add = (name: string) => (tx: Tx) => sql`insert into things (name) values (${name})`.execute(tx)
    const names = async ({ db }: OpenedDatabase) =>
      (await readRows(db, 'things')).map(({ name }) => name).sort()
    return { first, second, add, names }
  }

  test('that start at the same time do not block each other: an error undoes only the transaction that threw it', async () => {
    const { first, second, add, names } = await opened()
    const refused = (tx: Tx) =>
      add('refused')(tx).then(() => {
        throw new Error('No')
      })
    const works = [
      add('a'),
      refused,
      add('b'),
      add('a'),
      async (tx: Tx) => transaction(tx, add('c')),
      refused,
      add('d'),
    ]
    const outcomes = await Promise.allSettled(works.map((work) => transaction(first.db, work)))
    expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected').length).toBe(3)
    expect(outcomes.filter((_, at) => [1, 5].includes(at))).toMatchObject([
      { reason: { message: 'No' } },
      { reason: { message: 'No' } },
    ])
    expect(await names(second)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('are committed when they resolve', async () => {
    const { first, second, add, names } = await opened()
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        transaction(first.db, add(name)).then(async () => (await names(second)).includes(name)),
      ),
    )
    expect(seen).toEqual([true, true, true])
  })
})

test('on SQLite, transactions of one turn of the event loop share one commit, which succeeds or fails for all of them', async () => {
  const [database, other] = (await openConnections('sqlite', 2)) as [OpenedDatabase, OpenedDatabase]
  await transaction(database.db, (tx) =>
    sql`create table things (name text primary key, follows text references things deferrable initially deferred)`.execute(
      tx,
    ),
  )
  const add = (name: string, follows: string | null) =>
    transaction(database.db, (tx) =>
      sql`insert into things (name, follows) values (${name}, ${follows})`.execute(tx),
    )
  const outcomes = await Promise.allSettled([add('a', 'b'), add('b', null)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const refused = await Promise.allSettled([add('c', null), add('d', 'nobody')])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await readRows(other.db, 'things')).map(({ name }) => name)).toEqual(['a', 'b'])
})

describe.each(databases)('misuse of transactions on %s', (dialect) => {
  async function opened() {
    const [database] = (await openConnections(dialect)) as [OpenedDatabase]
    await transaction(database.db, (tx) => sql`create table things (name text primary key)`.execute(tx))
    return database
  }

  test('the outer db does not write', async () => {
    const { db } = await opened()
    const misuse = () => {
      // @ts-expect-error only a Tx (an open transaction) has the methods that write
      void db.insertInto('media')
      // @ts-expect-error only the function transaction() opens a transaction
      void db.transaction()
      // @ts-expect-error a function that writes takes a Tx, not a Db
      void lockName(db, 'x')
    }
    expect(misuse).toBeTypeOf('function')
  })

  test('raw SQL does not write through the outer db', async () => {
    const { db } = await opened()
    const insert = sql`insert into things (name) values ('a')`.execute(db)
    await expect(insert).rejects.toThrow(/outside of a transaction|read-only transaction/)
    expect(await readRows(db, 'things')).toEqual([])
  })

  test('a statement that runs after its transaction throws, also while the next one is open', async () => {
    const { db } = await opened()
    const over = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const failing = transaction(db, async (tx) => {
      late = over.promise.then(() => sql`insert into things (name) values ('late')`.execute(tx))
      throw new Error('No')
    })
    const next = transaction(db, async (tx) => {
      await sleep(50)
      over.resolve()
      await expect(late).rejects.toThrow('after its transaction')
      await sql`insert into things (name) values ('next')`.execute(tx)
    })
    await expect(failing).rejects.toThrow('No')
    await next
    expect(await readRows(db, 'things')).toEqual([{ name: 'next' }])
  })

  test('the outer db throws inside a transaction, however deep, and works after it', async () => {
    const { db } = await opened()
    const refused = /outer db is used inside a transaction/
    await transaction(db, async (tx) => {
      await expect(readRows(db, 'things')).rejects.toThrow(refused)
      await expect(transaction(db, async () => {})).rejects.toThrow(refused)
      await expect(Promise.all([sleep(1).then(() => readRows(db, 'things'))])).rejects.toThrow(refused)
      await transaction(tx, async () => expect(readRows(db, 'things')).rejects.toThrow(refused))
      expect(await readRows(tx, 'things')).toEqual([])
    })
    expect(await readRows(db, 'things')).toEqual([])
  })

  test('work that a transaction started and did not await may use the db after the transaction', async () => {
    const { db } = await opened()
    const over = Promise.withResolvers<void>()
    let later: Promise<unknown[]> | undefined
    await transaction(db, async () => {
      later = over.promise.then(() => readRows(db, 'things'))
    })
    over.resolve()
    expect(await later).toEqual([])
  })

  test('another database may be used inside a transaction', async () => {
    const [{ db }, other] = [await opened(), await opened()]
    await transaction(db, () =>
      transaction(other.db, (tx) => sql`insert into things (name) values ('a')`.execute(tx)),
    )
    expect(await readRows(other.db, 'things')).toHaveLength(1)
  })
})

describe.each(databases)('afterCommit on %s', (dialect) => {
  async function opened() {
    const [first, second] = (await openConnections(dialect, 2)) as [OpenedDatabase, OpenedDatabase]
    await transaction(first.db, (tx) => sql`create table things (name text primary key)`.execute(tx))
    const add = (tx: Tx, name: string) => sql`insert into things (name) values (${name})`.execute(tx)
    return { db: first.db, other: second.db, add }
  }

  test('runs when other connections see the change, in order, outside of the transaction, and before transaction() resolves', async () => {
    const { db, other, add } = await opened()
    const called: unknown[] = []
    const value = await transaction(db, async (tx) => {
      tx.afterCommit(() => called.push('first'))
      await transaction(tx, async (same) => same.afterCommit(async () => void called.push('second')))
      tx.afterCommit(async () => called.push((await readRows(db, 'things')).length))
      tx.afterCommit(async () => called.push((await readRows(other, 'things')).length))
      await add(tx, 'a')
      expect(called).toEqual([])
      return 'value'
    })
    expect(value).toBe('value')
    expect(called).toEqual(['first', 'second', 1, 1])
  })

  test('does not run for work that was rolled back, although work beside it was committed', async () => {
    const { db, add } = await opened()
    const called: string[] = []
    const work = (name: string) =>
      transaction(db, async (tx) => {
        tx.afterCommit(() => called.push(name))
        await add(tx, name)
      })
    await Promise.allSettled([work('a'), work('b'), work('a'), work('c')])
    expect(called.sort()).toEqual(['a', 'b', 'c'])
  })

  test('an error goes to stderr, and neither undoes nor rejects the committed work', async () => {
    const { db, add } = await opened()
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => stderr.mockRestore())
    const called: string[] = []
    await transaction(db, async (tx) => {
      tx.afterCommit(() => {
        throw new Error('thrown')
      })
      tx.afterCommit(() => Promise.reject(new Error('rejected')))
      tx.afterCommit(() => called.push('last'))
      await add(tx, 'a')
    })
    expect(called).toEqual(['last'])
    expect(stderr.mock.calls.map(([, error]) => (error as Error).message)).toEqual(['thrown', 'rejected'])
    expect(await readRows(db, 'things')).toHaveLength(1)
  })

  test('throws when the transaction is over', async () => {
    const { db } = await opened()
    let leaked: Tx | undefined
    await transaction(db, async (tx) => {
      leaked = tx
    })
    expect(() => leaked!.afterCommit(() => {})).toThrow('after the transaction')
  })
})

describe.each(databases.filter((dialect) => dialect === 'postgres'))('retries on %s', (dialect) => {
  test('call only the callbacks that the committed attempt has registered', async () => {
    const [{ db }] = (await openConnections(dialect)) as [OpenedDatabase]
    const called: number[] = []
    let tries = 0
    await transaction(db, async (tx) => {
      const number = ++tries
      tx.afterCommit(() => called.push(number))
      if (number < 3)
        await sql`do $$ begin raise exception 'try again' using errcode = '40001'; end $$`.execute(tx)
    })
    expect(called).toEqual([3])
  })
})

test('on SQLite no callback runs after a failed commit', async () => {
  const [{ db }] = (await openConnections('sqlite')) as [OpenedDatabase]
  await transaction(db, (tx) =>
    sql`create table things (name text primary key, follows text references things deferrable initially deferred)`.execute(
      tx,
    ),
  )
  const called: string[] = []
  const refused = transaction(db, async (tx) => {
    tx.afterCommit(() => called.push('called'))
    await sql`insert into things (name, follows) values ('a', 'nobody')`.execute(tx)
  })
  await expect(refused).rejects.toThrow(/FOREIGN KEY/)
  expect(called).toEqual([])
})

test('on SQLite work that shares a commit runs in the asynchronous context of its own caller', async () => {
  const [{ db }] = (await openConnections('sqlite')) as [OpenedDatabase]
  const caller = new AsyncLocalStorage<string>()
  const seen = await Promise.all(
    ['a', 'b'].map((name) => caller.run(name, () => transaction(db, async () => caller.getStore()))),
  )
  expect(seen).toEqual(['a', 'b'])
})
