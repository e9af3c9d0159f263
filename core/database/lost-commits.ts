import type { Db } from '#core/database/database.ts'

/**
 * The time in ms for which PostgreSQL may still complete a commit after it has lost the connection, for
 * example while it waits for a standby.
 */
const LATE_COMMIT_TIME = 10_000

/** Is called with the changes of the transactions whose outcome is not known, on which caches depend. */
type LostCommitListener = (changes: ReadonlySet<string>) => void

interface LostCommits {
  listeners: LostCommitListener[]
  /** The changes since the last call of the listeners; null while no second call is planned. */
  planned: Set<string> | null
}
const lostCommits = new WeakMap<Db, LostCommits>()

/**
 * Calls `listener` when a connection to PostgreSQL was lost during a commit. Nobody knows whether the rows of
 * the transaction are stored, its caller got an error, and no callback of `afterCommit` has run. Calls it at
 * once, and again after LATE_COMMIT_TIME, because the rows may become visible until then; at most twice in
 * this time, because a restart of PostgreSQL loses many answers at the same moment.
 */
export function onLostCommit(db: Db, listener: LostCommitListener) {
  const known = lostCommits.get(db)
  if (known) known.listeners.push(listener)
  else lostCommits.set(db, { listeners: [listener], planned: null })
}

/** Tells the listeners of a database that the answer to a commit with these changes was lost. */
export function reportLostCommit(db: Db, changes: ReadonlySet<string>) {
  const lost = lostCommits.get(db)
  if (!lost) return
  if (!lost.planned) {
    lost.planned = new Set()
    for (const listener of lost.listeners) listener(changes)
    setTimeout(() => {
      const all = lost.planned!
      lost.planned = null
      for (const listener of lost.listeners) listener(all)
    }, LATE_COMMIT_TIME).unref()
  }
  for (const change of changes) lost.planned.add(change)
}
