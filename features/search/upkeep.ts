import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses } from '#core/process/hourly-cleanup.ts'
import { idsBelow, newestId } from '#features/posts/searched.ts'
import * as fulltext from './fulltext.ts'
import { type Kind, kinds, sources } from './sources.ts'
import { tables } from './tables.ts'

// What the index needs besides the transactions of those who write: the texts of before, what other programs
// have changed, and the removal of words that nobody has written any more.

/** Texts of one transaction. */
const BATCH = 200

/** Brings older texts into the index, newest first. Resolves to whether there may be more. */
export async function fillBatch(db: Db, kind: Kind) {
  return transaction(db, async (tx) => {
    const above = await begin(tx, kind)
    const ids = await idsBelow(tx, sources[kind].table, above, BATCH)
    await fulltext.fill(tx, kind, ids.toReversed())
    await setAbove(tx, kind, ids.length < BATCH ? 0 : ids.at(-1)!)
    return ids.length === BATCH
  })
}

const setAbove = (tx: Tx, kind: Kind, above: number) =>
  tx.updateTable('search_states').set({ above }).where('kind', '=', kind).execute()

/** Resolves to the id below which texts are missing. Other processes wait until the transaction ends. */
async function begin(tx: Tx, kind: Kind) {
  const { above } = await tx
    .selectFrom('search_states')
    .select('above')
    .where('kind', '=', kind)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  if (above !== null) return above
  // The texts of these marks come now.
  await tx.deleteFrom('search_marks').where('kind', '=', kind).execute()
  return (await newestId(tx, sources[kind].table)) + 1
}

export interface Progress {
  /** Of the texts of each kind, from 0 to 1. */
  share: number
  isComplete: boolean
}

/** How much of all texts is in the index, by ids. */
export async function progress(db: Db): Promise<Progress> {
  const states = await db.selectFrom('search_states').select(['kind', 'above']).execute()
  if (states.every(({ above }) => above === 0)) return { share: 1, isComplete: true }
  let [all, missing] = [0, 0]
  for (const { kind, above } of states) {
    const newest = await newestId(db, sources[kind].table)
    all += newest
    missing += above === null ? newest : Math.min(Math.max(above - 1, 0), newest)
  }
  return { share: all ? 1 - missing / all : 1, isComplete: missing === 0 }
}

/** Makes the index empty, so that all texts are brought in again. Searches find new texts meanwhile. */
export async function empty(db: Db) {
  for (const kind of kinds)
    await transaction(db, async (tx) => {
      if (isPostgres(tx)) await sql`truncate ${sql.table(tables[kind])}`.execute(tx)
      else
        for (const [table] of fulltext.stores(kind))
          await sql`insert into ${sql.table(table)} (${sql.ref(table)}) values ('delete-all')`.execute(tx)
      await tx.updateTable('search_states').set({ above: null }).where('kind', '=', kind).execute()
    })
}

/** In pages of the index: one step holds the write lock for some milliseconds. Each waits for the disk. */
const MERGE_STEP = 64

/**
 * SQLite only: rewrites the parts of a table that have words of deleted or earlier texts, so that the file of
 * the database has them no more. FTS5 keeps the words of deleted rows until it merges its parts.
 */
async function purge(db: Db, kind: Kind, [name, column]: Store, signal?: AbortSignal) {
  if ((await readState(db, kind))[column] === null) return false
  const step = (pages: number) =>
    transaction(db, async (tx) => {
      const before = await countChanges(tx)
      await sql`insert into ${sql.table(name)} (${sql.ref(name)}, rank) values ('merge', ${pages})`.execute(
        tx,
      )
      return (await countChanges(tx)) - before
    })
  // A later deletion replaces it, and needs another purge; so does a process that is killed meanwhile.
  await setStale(db, kind, column, PURGING)
  // A negative number begins to merge all parts into one; it is done when a step changes nothing.
  await step(-MERGE_STEP)
  while (!signal?.aborted) {
    const start = performance.now()
    if ((await step(MERGE_STEP)) <= 1) {
      await setStale(db, kind, column, null, PURGING)
      return true
    }
    // Half of the time is for others. The whole has to end within a minute.
    await sleep(performance.now() - start)
  }
  return true
}
const PURGING = 'purging'
type Store = ReturnType<typeof fulltext.stores>[number]

/** With `only`, just if this is the value. */
const setStale = (db: Db, kind: Kind, column: Store[1], value: string | null, only?: string) =>
  transaction(db, (tx) =>
    tx
      .updateTable('search_states')
      .set({ [column]: value })
      .where('kind', '=', kind)
      .$if(only !== undefined, (query) => query.where(column, '=', only!))
      .execute(),
  )

const readState = (db: Db, kind: Kind) =>
  db.selectFrom('search_states').selectAll().where('kind', '=', kind).executeTakeFirstOrThrow()

async function countChanges(tx: Tx) {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(tx)
  return rows[0]!.changes
}

/** In ms. The promise of docs/security.md is a minute. */
const LOOK_INTERVAL = 20_000

/** Looks after the index as long as the app runs. */
export function start({ db, log }: Pick<AppContext, 'db' | 'log'>, interval = LOOK_INTERVAL) {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      try {
        await lookAfter(db, signal)
      } catch (error) {
        if (!signal.aborted)
          log.warn({ err: error }, 'The search index could not be looked after; tried again')
      }
      await sleep(interval, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async close() {
      stopping.abort()
      await running
    },
  }
}

export async function lookAfter(db: Db, signal?: AbortSignal) {
  await beginAgain(db)
  for (const kind of kinds) await repeatWithPauses(() => needsFill(db, kind), signal)
  await updateAll(db, signal)
  if (!isPostgres(db)) for (const kind of kinds) await settleAll(db, kind, signal)
  // The log has the pages as they were before.
  if (!isPostgres(db) && (await purgeAll(db, signal))) await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

const settleAll = (db: Db, kind: Kind, signal?: AbortSignal) =>
  repeatWithPauses(
    async () =>
      (await fulltext.hasSurplus(db, kind)) &&
      (await transaction(db, (tx) => fulltext.settle(tx, kind, BATCH))),
    signal,
  )

/** So many marks, of most texts of a kind, are from copying a database: all come again, the newest first. */
const MANY = 5000

async function beginAgain(db: Db) {
  const { rows } = await sql<{ kind: Kind; count: number }>`select kind, count(*) as count
    from search_marks group by kind having count(*) > ${MANY}`.execute(db)
  for (const { kind, count } of rows)
    if (Number(count) > (await newestId(db, sources[kind].table)) / 2)
      await transaction(db, (tx) =>
        tx.updateTable('search_states').set({ above: null }).where('kind', '=', kind).execute(),
      )
}

const updateAll = (db: Db, signal?: AbortSignal) =>
  repeatWithPauses(
    async () =>
      (await hasMarks(db)) && (await transaction(db, (tx) => fulltext.updateLeft(tx, BATCH))) === BATCH,
    signal,
  )

/** Resolves to whether there was something to remove. */
export async function purgeAll(db: Db, signal?: AbortSignal) {
  await updateAll(db, signal)
  let isPurged = false
  for (const kind of kinds)
    for (const store of fulltext.stores(kind)) isPurged = (await purge(db, kind, store, signal)) || isPurged
  return isPurged
}

/** Without a transaction if there is nothing to do. */
const needsFill = async (db: Db, kind: Kind) =>
  (await readState(db, kind)).above !== 0 && (await fillBatch(db, kind))

const hasMarks = async (db: Db) =>
  (await db.selectFrom('search_marks').select('id').limit(1).executeTakeFirst()) !== undefined
