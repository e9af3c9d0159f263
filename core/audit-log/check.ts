import { OperatorError } from '#core/config.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { readHead, setHead } from './keeper.ts'
import { hashRow, isSameSeal, isSealed, sealRow } from './seals.ts'
import { type AuditLogRow, FIRST_HASH, headColumns } from './tables.ts'
import type { Position } from './witness.ts'

/** A state of the log that something outside of the database knows. */
export interface KnownPosition extends Position {
  /** What knows it, such as “the backup 2026-12-01T03-30-00.000Z”, for sentences. */
  source: string
}

export interface AuditLogCheck {
  entries: number
  /** The hash of the last row. */
  hash: string
  /** The id of the first row that was changed, deleted or added with another tool; null if there is none. */
  firstWrongId: number | null
  /** Whether the seal of the head is one of this key. */
  hasRightSeal: boolean
  /** The id of the first row that the key proves. */
  keyedFrom: number | null
  /** The id of the first row that followed a head without a right seal. */
  unprovenFrom: number | null
  /** What knows a longer log, and what knows another entry at its place. */
  cut: readonly KnownPosition[]
  different: readonly KnownPosition[]
}

export const isIntact = (check: AuditLogCheck) =>
  check.firstWrongId === null &&
  check.hasRightSeal &&
  check.unprovenFrom === null &&
  !check.cut.length &&
  !check.different.length

const PAGE = 1000

/**
 * Computes the hash and the seal of each row again, and compares the log with its head and with what is known
 * of it outside of the database. Without a key, it looks at no seal. Rows that actions add while the check
 * runs are not checked.
 */
export async function checkAuditLog(
  db: Db,
  key: Buffer | null,
  known: readonly KnownPosition[],
): Promise<AuditLogCheck> {
  // One statement reads `audit_log_head` and the ids of the log, because each logged action changes both
  // tables in one transaction.
  const head = await db
    .selectFrom('audit_log_head')
    .select(headColumns)
    .select((q) => [
      q
        .selectFrom('audit_log')
        .select((row) => row.fn.min('id').as('id'))
        .as('oldest'),
      q
        .selectFrom('audit_log')
        .select((row) => row.fn.max('id').as('id'))
        .as('newest'),
    ])
    .executeTakeFirst()
  const { entries = 0, keyed_from = null, unproven_from = null } = head ?? {}
  const needsSeal = (row: AuditLogRow) =>
    keyed_from !== null && row.id >= keyed_from && row.id < (unproven_from ?? Number.POSITIVE_INFINITY)
  const isRight = (row: AuditLogRow, id: number, previous: string) =>
    row.id === id &&
    row.hash === hashRow(row, previous) &&
    (key === null || !needsSeal(row) || isSameSeal(sealRow(key, row), row.mac))
  const oldest = Number(head?.oldest ?? 1)
  const found = await walkRows(db, entries, known, isRight)
  const { last, hash } = found
  const isWhole = head && head.entries === last && Number(head.newest ?? 0) === last && head.hash === hash
  return {
    entries: last,
    hash,
    firstWrongId: oldest < 1 ? oldest : (found.firstWrongId ?? (isWhole ? null : last + 1)),
    hasRightSeal: head !== undefined && key !== null && isSealed(key, head),
    keyedFrom: keyed_from,
    unprovenFrom: unproven_from,
    cut: known.filter((position) => position.entries > last && position.entries > entries),
    different: found.different,
  }
}

/** Reads the rows up to the id `entries`, until one is not right. Compares them with what is known. */
async function walkRows(
  db: Db,
  entries: number,
  known: readonly KnownPosition[],
  isRight: (row: AuditLogRow, id: number, previous: string) => boolean,
) {
  const knownById = Map.groupBy(known, (position) => position.entries)
  const different = (knownById.get(0) ?? []).filter((position) => position.hash !== FIRST_HASH)
  let [last, hash] = [0, FIRST_HASH]
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('id', '>', last)
      .where('id', '<=', entries)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      if (!isRight(row, last + 1, hash)) return { last, hash, different, firstWrongId: last + 1 }
      last = row.id
      hash = row.hash
      different.push(...(knownById.get(last) ?? []).filter((position) => position.hash !== hash))
    }
    if (rows.length < PAGE) return { last, hash, different, firstWrongId: null }
  }
}

/**
 * Takes the log as it is: seals its head, and removes the seals of its rows. Throws OperatorError if its rows
 * form no chain. Returns the position of the log.
 */
export async function acceptAuditLog(db: Db, key: Buffer): Promise<Position> {
  const { firstWrongId, entries, hash } = await checkAuditLog(db, null, [])
  if (firstWrongId !== null)
    throw new OperatorError(
      `The log contradicts itself at entry ${firstWrongId} or later, so it cannot be accepted. A backup may have it whole.`,
    )
  await transaction(db, async (tx) => {
    await tx.updateTable('audit_log').set({ mac: null }).where('mac', 'is not', null).execute()
    await setHead(tx, key, { entries, hash, keyed_from: entries + 1, unproven_from: null })
    if ((await readHead(tx))?.entries !== (await countEntries(tx)))
      throw new OperatorError('Somebody did something meanwhile that is logged: try again.')
  })
  return { entries, hash }
}

async function countEntries(tx: Tx) {
  const { count } = await tx
    .selectFrom('audit_log')
    .select((q) => q.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
