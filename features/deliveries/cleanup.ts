import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses } from '#core/process/hourly-cleanup.ts'
import { RETENTION_DAYS } from './contract.ts'

const DAY = 24 * 3600_000
/** Rows that one statement deletes. */
const BATCH = 500
/**
 * In each table. A very busy community loses its oldest rows before the end of their days, so that these
 * tables do not outgrow the table of messages.
 */
const MAX_ROWS = { delivery_steps: 2_000_000, live_deliveries: 200_000 }

/** Older than `RETENTION_DAYS` or beyond `maxRows`, in transactions of bounded size. */
export async function deleteOldTraces(
  db: Db,
  { maxRows = MAX_ROWS, signal }: { maxRows?: typeof MAX_ROWS; signal?: AbortSignal } = {},
) {
  const before = new Date(Date.now() - RETENTION_DAYS * DAY).toISOString()
  await repeat(db, signal, (tx) => {
    const old = tx.selectFrom('delivery_steps').select('id').where('created_at', '<', before)
    return tx.deleteFrom('delivery_steps').where('id', 'in', old.orderBy('created_at').limit(BATCH))
  })
  await repeat(db, signal, (tx) => {
    const old = tx.selectFrom('live_deliveries').select('id').where('broadcast_at', '<', before)
    return tx.deleteFrom('live_deliveries').where('id', 'in', old.orderBy('broadcast_at').limit(BATCH))
  })
  await repeat(db, signal, (tx) => {
    const newest = tx.selectFrom('delivery_steps').select(({ fn }) => fn.max('id').as('id'))
    const old = tx
      .selectFrom('delivery_steps')
      .select('id')
      .where((row) => row('id', '<=', row(newest, '-', maxRows.delivery_steps)))
    return tx.deleteFrom('delivery_steps').where('id', 'in', old.orderBy('id').limit(BATCH))
  })
  await repeat(db, signal, (tx) => {
    const newest = tx.selectFrom('live_deliveries').select(({ fn }) => fn.max('id').as('id'))
    const old = tx
      .selectFrom('live_deliveries')
      .select('id')
      .where((row) => row('id', '<=', row(newest, '-', maxRows.live_deliveries)))
    return tx.deleteFrom('live_deliveries').where('id', 'in', old.orderBy('id').limit(BATCH))
  })
  if (signal?.aborted) return
  await transaction(db, (tx) =>
    tx.deleteFrom('delivery_counts').where('hour', '<', before.slice(0, 13)).execute(),
  )
}

type Deletion = { executeTakeFirstOrThrow(): Promise<{ numDeletedRows: bigint }> }

/** Each time in a transaction of its own, until nothing is left. */
const repeat = (db: Db, signal: AbortSignal | undefined, buildDeletion: (tx: Tx) => Deletion) =>
  repeatWithPauses(
    () =>
      transaction(db, async (tx) => {
        const { numDeletedRows } = await buildDeletion(tx).executeTakeFirstOrThrow()
        return Number(numDeletedRows) === BATCH
      }),
    signal,
  )
