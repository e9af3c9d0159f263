import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Kysely, sql } from 'kysely'
import { type DatabaseTables, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { isLocked, isRetryable, isUnavailable } from '#core/database/errors.ts'
import { reportLostCommit } from '#core/database/lost-commits.ts'
import { runPostgres } from '#core/database/postgres-transaction.ts'
import { type FindChanges, recordingConnection } from '#core/database/statement-changes.ts'
import { watch } from './before-commit.ts'
import { requireOutside } from './outer-db-guard.ts'
import { type Done, finish, run, type Work } from './work.ts'

/**
 * Runs `work` in a transaction and commits it before it resolves. If `db` is a `Tx`, `work` runs in that
 * transaction. PostgreSQL may ask for another try (serialization, deadlock), and then `work` runs again.
 * On SQLite, transactions of one turn of the event loop share a commit. For both reasons `work` must
 * change nothing except through `tx`: other effects go into `tx.afterCommit`. Using the outer `db` inside
 * `work` throws.
 */
export async function transaction<T>(db: Db, work: Work<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  requireOutside(db)
  return isPostgres(db) ? withRetries(db, work) : groupCommit(db, work)
}

/**
 * Runs `work` on a snapshot of a PostgreSQL database, so that it does not see what other connections write
 * meanwhile.
 */
export const postgresSnapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  kyselyOf(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { value } = await trx.getExecutor().provideConnection((connection) => run(db, connection, work))
      return value
    })

/**
 * Returns the Kysely instance that a `Db` is. `Db` hides most of its methods, because only this folder may
 * use them.
 */
const kyselyOf = (db: Db) => db as Kysely<DatabaseTables>

// ── Transactions of PostgreSQL ──────────────────────────────────────────────

const MAX_TRIES = 5

async function withRetries<T>(db: Db, work: Work<T>) {
  for (let tries = 1; ; tries++)
    try {
      return await finish(await runAndSendChanges(db, work))
    } catch (error) {
      if (!isRetryable(error) || tries === MAX_TRIES) throw error
      await sleep(Math.random() * 20 * 2 ** tries)
    }
}

export interface ChangeSender {
  findChanges: FindChanges
  /** Called after the commit. The transaction is acknowledged when the promise resolves. Must not throw. */
  sendChanges(changes: ReadonlySet<string>): Promise<void>
}

const trackers = new WeakMap<Db, ChangeSender>()

/** Sends the changes of all following transactions of a PostgreSQL database to `tracker`. */
export const registerChangeSender = (db: Db, tracker: ChangeSender) => void trackers.set(db, tracker)

async function runAndSendChanges<T>(db: Db, work: Work<T>) {
  const tracker = trackers.get(db)
  const changes = new Set<string>()
  let done: Done<T> | undefined
  const runOn = async (connection: DatabaseConnection) => {
    const recording = tracker && recordingConnection(connection, changes, tracker.findChanges)
    try {
      const watched = watch(db, recording?.connection ?? connection)
      done = await run(db, watched.connection, async (tx) => {
        const value = await work(tx)
        await watched.due()?.(tx)
        return value
      })
    } finally {
      // Waits until the statements are sent. Otherwise a statement could be sent after the commit or the
      // rollback.
      await recording?.sent()
    }
    return done
  }
  try {
    return await runPostgres(kyselyOf(db), runOn)
  } catch (error) {
    if (done && isUnavailable(error)) reportLostCommit(db, changes)
    throw error
  } finally {
    // Sends the changes after an error of the commit too: only the answer of PostgreSQL may be lost.
    if (done && changes.size) await tracker!.sendChanges(changes)
  }
}

/**
 * Locks a name until the transaction ends, by locking its row in `named_locks`. (Not every PostgreSQL has
 * advisory locks.) Does nothing on SQLite, because its transactions run one after the other.
 */
export const lockName = async (tx: Tx, name: string) =>
  isPostgres(tx) &&
  sql`insert into named_locks (name) values (${name})
    on conflict (name) do update set name = excluded.name`.execute(tx)

// ── Transactions of SQLite ──────────────────────────────────────────────────

/** The maximum time in ms for which transactions wait while another program holds the write lock. */
const MAX_LOCK_WAIT = 5000
/** The time in ms after which they are tried again. */
const LOCK_RETRY = 50

interface Waiting {
  work: Work<unknown>
  /** The time of the call of `transaction()`, as `performance.now()` gives it. */
  since: number
  /**
   * Runs a function in the asynchronous context of the code that called `transaction()`. Without this, it
   * would run in the context of the first caller of the group.
   */
  inContext: ReturnType<typeof AsyncLocalStorage.snapshot>
  resolve(value: unknown): void
  reject(error: unknown): void
}
const waiting = new WeakMap<Db, Waiting[]>()
const locked = new WeakSet<Db>()

/**
 * Runs the transactions of one turn of the event loop one after the other, and commits them together, because
 * each commit waits for the disk. A transaction that throws is rolled back alone.
 */
function groupCommit<T>(db: Db, work: Work<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const own = {
    work,
    since: performance.now(),
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
  const group = waiting.get(db)
  if (!group) return
  waiting.delete(db)
  const settled: (() => void)[] = []
  let isBegun = false
  const runAll = async (connection: DatabaseConnection) => {
    isBegun = true
    const watched = watch(db, connection)
    for (const one of group) settled.push(await runInSavepoint(db, watched.connection, one))
    const last = watched.due()
    if (last) settled.push(await runInSavepoint(db, connection, ownWork(last)))
  }
  try {
    await kyselyOf(db)
      .transaction()
      .execute((trx) => trx.getExecutor().provideConnection(runAll))
    if (locked.delete(db)) console.error('The write lock of the SQLite database is free again.')
    for (const settle of settled) settle()
  } catch (error) {
    if (!isBegun && isLocked(error)) waitForLock(db, group, error)
    else for (const { reject } of group) reject(error)
  }
}

/** If it fails, its own changes are undone, and those of the group stay. */
const ownWork = (work: Work<unknown>): Waiting => ({
  work,
  since: performance.now(),
  inContext: AsyncLocalStorage.snapshot(),
  resolve: () => {},
  reject: (error) => console.error('Work before a commit failed:', error),
})

/** Puts a group back that could not begin. Rejects what has waited for MAX_LOCK_WAIT. */
function waitForLock(db: Db, group: readonly Waiting[], error: unknown) {
  if (!locked.has(db))
    console.error('Another program holds the write lock of the SQLite database, so writes wait for it.')
  locked.add(db)
  const limit = performance.now() - MAX_LOCK_WAIT
  for (const { since, reject } of group) if (since <= limit) reject(error)
  const kept = group.filter(({ since }) => since > limit)
  const all = [...kept, ...(waiting.get(db) ?? [])]
  if (!all.length) return
  waiting.set(db, all)
  setTimeout(commitGroup, LOCK_RETRY, db)
}

const savepoint = CompiledQuery.raw('savepoint work')
const release = CompiledQuery.raw('release work')
const rollback = CompiledQuery.raw('rollback to work')

/**
 * Runs one transaction of a group in a savepoint. Returns the function that settles its promise once the
 * group is committed.
 */
async function runInSavepoint(
  db: Db,
  connection: DatabaseConnection,
  { work, inContext, resolve, reject }: Waiting,
) {
  await connection.executeQuery(savepoint)
  try {
    const done = await inContext(() => run(db, connection, work))
    await connection.executeQuery(release)
    return () => resolve(inContext(() => finish(done)))
  } catch (error) {
    // Throws the first error if the rollback fails: on a full disk SQLite has rolled back the whole
    // transaction, so there is no savepoint to go back to.
    await connection.executeQuery(rollback).catch(() => {
      throw error
    })
    await connection.executeQuery(release)
    return () => reject(error)
  }
}
