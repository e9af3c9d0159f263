import type { FastifyBaseLogger } from 'fastify'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { hashRow, isSealed, sealHead } from './seals.ts'
import { type AuditLogHead, type AuditLogRow, FIRST_HASH, headColumns } from './tables.ts'
import type { LogWitness } from './witness.ts'
import * as logWitness from './witness.ts'

/** What a process needs to write the audit log of one database. */
interface AuditLogKeeper {
  key: Buffer
  /** Writes the entries that this server does not know yet to its log, and to its witness. */
  follow?: () => Promise<void>
}

const keepers = new WeakMap<Db, AuditLogKeeper>()

export const findKeeper = (db: Db) => keepers.get(db)

/** Makes a process without a log of its own, such as a command, seal the entries that it writes. */
export const setAuditLogKey = (db: Db, key: Buffer) => void keepers.set(db, { key })

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
const PAGE = 500

export const readHead = (db: Db): Promise<AuditLogHead | undefined> =>
  db.selectFrom('audit_log_head').select(headColumns).executeTakeFirst()

/**
 * Makes a server write the audit log. At the first start with a key it seals the log as it is. Warns if the
 * seal of the log is not one of this key. Then follows the log.
 */
export async function keepAuditLog(db: Db, key: Buffer, folder: string, log: Log) {
  const keeper = { key, follow: createFollower(db, folder, log) }
  keepers.set(db, keeper)
  const witness = logWitness.read(folder)
  const head = await sealOnce(db, key, witness)
  if (!head || !isSealed(key, head) || head.unproven_from)
    log.warn('The log of what admins did has no right seal of this AUDIT_LOG_KEY: run `engawa log check`.')
  const isFirst = !witness || (!witness.isSealed && head?.hash === witness.hash)
  if (isFirst && head?.mac)
    logWitness.write(folder, {
      entries: head.entries,
      hash: head.hash,
      isSealed: true,
      otherBackups: witness?.otherBackups ?? null,
    })
  await keeper.follow()
  return keeper
}

/** Seals a head that was never sealed, if it is not the one of a log that was. Returns the head. */
const sealOnce = (db: Db, key: Buffer, witness: LogWitness | null) =>
  transaction(db, async (tx) => {
    // Locks the row, so that two processes that start together do not both seal it.
    const head = await tx
      .updateTable('audit_log_head')
      .set((q) => ({ entries: q('entries', '+', 0) }))
      .where('id', '=', 1)
      .returning(headColumns)
      .executeTakeFirst()
    if (!head || head.mac !== null || witness?.isSealed) return head
    return setHead(tx, key, { ...head, keyed_from: head.entries + 1, unproven_from: null })
  })

export async function setHead(tx: Tx, key: Buffer, head: Omit<AuditLogHead, 'mac'>): Promise<AuditLogHead> {
  const { entries, hash, keyed_from, unproven_from } = head
  const sealed = { entries, hash, keyed_from, unproven_from, mac: sealHead(key, head) }
  await tx.updateTable('audit_log_head').set(sealed).where('id', '=', 1).execute()
  return sealed
}

type Link = Omit<AuditLogRow, 'mac'>

/** Whether each of the rows follows the one before it. */
const isChain = ([known, ...rows]: readonly [Pick<Link, 'id' | 'hash'>, ...Link[]]) =>
  rows.every((row, index) => {
    const { id, hash } = rows[index - 1] ?? known
    return row.id === id + 1 && row.hash === hashRow(row, hash)
  })

/**
 * Returns a function that writes each new entry as one line to the log of the server, and the last one to the
 * witness. It stops, and says so once, at an entry that does not follow what the witness knows.
 */
function createFollower(db: Db, folder: string, log: Log) {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  async function follow() {
    for (let isMore = !isStopped; isMore; ) {
      const witness = logWitness.read(folder)
      if (!witness) return
      const rows = await db
        .selectFrom('audit_log')
        .select(['id', 'created_at', 'role', 'actor_id', 'action', 'subject', 'subject_id', 'detail', 'hash'])
        .where('id', '>=', witness.entries)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      const known = witness.entries ? rows.shift() : { id: 0, hash: FIRST_HASH }
      const isKnown = known?.id === witness.entries && known.hash === witness.hash
      if (!isKnown || !isChain([known, ...rows])) {
        isStopped = true
        log.error('The log of what admins did does not continue what DATA_DIR knows: run `engawa log check`.')
        return
      }
      for (const { detail: _, ...entry } of rows)
        log.info({ audit_log: entry }, 'An entry was added to the log of what admins did.')
      const { id: entries, hash } = rows.at(-1) ?? known
      if (rows.length) logWitness.write(folder, { ...witness, isSealed: true, entries, hash })
      isMore = rows.length >= PAGE - 1
    }
  }
  return () => {
    running = running.then(follow).catch((error: unknown) => {
      log.error({ err: error }, 'The log of what admins did could not be followed.')
    })
    return running
  }
}
