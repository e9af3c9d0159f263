import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Db, isPostgres, type Tables, type Tx } from '#core/database/database.ts'
import { isRetryable } from '#core/database/errors.ts'

type Work<T> = (tx: Tx) => Promise<T>

/**
 * Runs `work` in a transaction and commits it before it resolves. Given a `Tx`, `work` joins that
 * transaction. PostgreSQL may ask for another try (serialization, deadlock), and then `work` runs again. On
 * SQLite, transactions of one turn of the event loop share a commit. So `work` only uses `tx`: everything
 * else goes into `tx.afterCommit`. Using the outer `db` inside `work` throws.
 */
export async function transaction<T>(db: Db, work: Work<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  refuseInside(db)
  return isPostgres(db) ? withRetries(db, work) : groupCommit(db, work)
}

/** Runs `work` on a PostgreSQL database as it is at one moment, while others write. */
export const readTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  kyselyOf(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => (await run(db, trx, work)).value)

/** Every opened database is a whole Kysely instance: `Db` hides what only this folder may use. */
const kyselyOf = (db: Db) => db as Kysely<Tables>

// ── The outer db is refused inside a transaction ────────────────────────────

/** Says of each database whether the running code is inside one of its transactions. */
const scopes = new WeakMap<Db, AsyncLocalStorage<{ isOpen: boolean }>>()

/**
 * Makes a database throw when it is used inside one of its own transactions. Without this, SQLite waits for
 * ever (its one connection is taken), and PostgreSQL answers from another connection, which does not see what
 * the transaction wrote.
 */
export function refuseInsideTransaction(db: Kysely<Tables>) {
  scopes.set(db, new AsyncLocalStorage())
  // A transaction holds its connection and has an executor of its own: this one serves only the outer db.
  const executor = db.getExecutor()
  const provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = (consumer, options) => {
    refuseInside(db)
    return provideConnection(consumer, options)
  }
  return db
}

function refuseInside(db: Db) {
  if (scopes.get(db)!.getStore()?.isOpen)
    throw new Error('The outer db is used inside a transaction: use the tx that transaction() gives.')
}

// ── One piece of work ───────────────────────────────────────────────────────

interface Done<T> {
  value: T
  callbacks: readonly (() => unknown)[]
}

async function run<T>(db: Db, trx: Transaction<Tables>, work: Work<T>): Promise<Done<T>> {
  const scope = { isOpen: true }
  const callbacks: (() => unknown)[] = []
  const afterCommit = (callback: () => unknown) => {
    if (!scope.isOpen) throw new Error('afterCommit is called after the transaction.')
    callbacks.push(callback)
  }
  // A new object: works that share a commit have callbacks of their own.
  const tx: Tx = Object.assign(trx.$extendTables(), { afterCommit })
  try {
    return { value: await scopes.get(db)!.run(scope, work, tx), callbacks }
  } finally {
    scope.isOpen = false
  }
}

/** Starts all callbacks in their order, waits for them, and returns the value of the work. */
async function finish<T>({ value, callbacks }: Done<T>) {
  await Promise.all(callbacks.map(call))
  return value
}

/**
 * The commit stands and the caller has what it asked for, so an error here must not look like a failure of
 * the transaction.
 */
async function call(callback: () => unknown) {
  try {
    await callback()
  } catch (error) {
    console.error('A callback after a commit failed:', error)
  }
}

// ── PostgreSQL ──────────────────────────────────────────────────────────────

const TRIES = 5

async function withRetries<T>(db: Db, work: Work<T>) {
  for (let tries = 1; ; tries++)
    try {
      const done = await kyselyOf(db)
        .transaction()
        .execute((trx) => run(db, trx, work))
      return await finish(done)
    } catch (error) {
      if (!isRetryable(error) || tries === TRIES) throw error
      await sleep(Math.random() * 20 * 2 ** tries)
    }
}

/**
 * Locks a name until the transaction is over. SQLite needs no lock: its transactions follow each other.
 * A row is locked because not every PostgreSQL has advisory locks.
 */
export const lockRow = async (tx: Tx, name: string) =>
  isPostgres(tx) &&
  sql`insert into turns (name) values (${name}) on conflict (name) do update set name = excluded.name`.execute(
    tx,
  )

// ── SQLite ──────────────────────────────────────────────────────────────────

interface Waiting {
  work: Work<unknown>
  /**
   * Runs a function in the asynchronous context of the caller, and not in that of the first caller of the
   * group.
   */
  inContext: ReturnType<typeof AsyncLocalStorage.snapshot>
  resolve(value: unknown): void
  reject(error: unknown): void
}
const waiting = new WeakMap<Db, Waiting[]>()

/**
 * A commit waits for the disk: the transactions of one turn of the event loop share it. One that throws is
 * undone alone.
 */
function groupCommit<T>(db: Db, work: Work<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const own = {
    work,
    inContext: AsyncLocalStorage.snapshot(),
    resolve: resolve as Waiting['resolve'],
    reject,
  }
  const group = waiting.get(db)
  if (group) group.push(own)
  else {
    waiting.set(db, [own])
    setImmediate(commitGroup, db)
  }
  return promise
}

async function commitGroup(db: Db) {
  const group = waiting.get(db)!
  waiting.delete(db)
  const settled: (() => void)[] = []
  try {
    await kyselyOf(db)
      .transaction()
      .execute(async (trx) => {
        for (const one of group) settled.push(await runInSavepoint(db, trx, one))
      })
    for (const settle of settled) settle()
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Returns the function that settles this work once the group is committed. */
async function runInSavepoint(
  db: Db,
  trx: Transaction<Tables>,
  { work, inContext, resolve, reject }: Waiting,
) {
  await sql`savepoint work`.execute(trx)
  try {
    const done = await inContext(() => run(db, trx, work))
    await sql`release work`.execute(trx)
    return () => resolve(inContext(() => finish(done)))
  } catch (error) {
    // A full disk has rolled back everything: then there is no savepoint to go back to.
    await sql`rollback to work`.execute(trx).catch(() => {
      throw error
    })
    await sql`release work`.execute(trx)
    return () => reject(error)
  }
}
