import { type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses } from '#core/process/hourly-cleanup.ts'

export async function deleteEmpty(tx: Tx, ids: readonly number[]) {
  if (!ids.length) return
  await tx
    .deleteFrom('notifications')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notification_events')
            .select('notification_events.id')
            .whereRef('notification_events.notification_id', '=', 'notifications.id'),
        ),
      ),
    )
    .execute()
}

/** An event is deleted after these days, and a notification with its last event. */
const DAYS_KEPT = 180
const DAY = 24 * 3600_000
/** Events that one transaction deletes. */
const BATCH = 200

/** In transactions of bounded size. */
export async function deleteOld(db: Db, signal?: AbortSignal) {
  const before = new Date(Date.now() - DAYS_KEPT * DAY).toISOString()
  await repeatWithPauses(() => transaction(db, (tx) => deleteOldBatch(tx, before)), signal)
}

async function deleteOldBatch(tx: Tx, before: string) {
  const old = await tx
    .selectFrom('notification_events')
    .select(['id', 'notification_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(BATCH)
    .execute()
  if (!old.length) return false
  const notifications = [...new Set(old.map(({ notification_id }) => notification_id))]
  if (isPostgres(tx))
    // Locked, so that no event is added to a notification while it is deleted.
    await tx
      .selectFrom('notifications')
      .select('id')
      .where('id', 'in', notifications)
      .orderBy('id')
      .forUpdate()
      .execute()
  await tx
    .deleteFrom('notification_events')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
  await deleteEmpty(tx, notifications)
  return old.length === BATCH
}
