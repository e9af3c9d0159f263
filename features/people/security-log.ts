import { now, type Tx } from '#core/database/database.ts'
import type { SecurityEvent } from './tables.ts'

const DAY = 24 * 3600 * 1000
const KEEP_NETWORK = 90 * DAY
const KEEP = 365 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

interface Details {
  network?: string
  actor_id?: number | null
}

/**
 * Notes an event of an account, in the transaction of the change. Removes what may not be kept any longer, of
 * all accounts.
 */
export async function noteSecurityEvent(
  tx: Tx,
  user_id: number,
  kind: SecurityEvent,
  { network, actor_id }: Details = {},
) {
  const row = { user_id, kind, network: network ?? null, actor_id: actor_id ?? null, created_at: now() }
  await tx.insertInto('security_log').values(row).execute()
  await deleteOldEvents(tx)
}

export async function deleteOldEvents(tx: Tx) {
  await tx
    .updateTable('security_log')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('created_at', '<', ago(KEEP_NETWORK))
    .execute()
  await tx.deleteFrom('security_log').where('created_at', '<', ago(KEEP)).execute()
}
