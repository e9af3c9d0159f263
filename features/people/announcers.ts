import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { lockMembers } from './blocks.ts'
import { requireNotExample } from './examples.ts'
import * as securityLog from './security-log.ts'

// Members whom an admin trusts to tell everybody of a post, and to ask who has read it.

export async function grant(tx: Tx, id: number, granted_by: number) {
  await lockMembers(tx, [id])
  await requireNotExample(tx, id)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('announcers')
    .values({ user_id: id, granted_by, created_at: isoNow() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows)
    await securityLog.record(tx, id, 'announcer_granted', { actor_id: granted_by })
}

export async function revoke(tx: Tx, id: number, revoked_by: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('announcers')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows) await securityLog.record(tx, id, 'announcer_revoked', { actor_id: revoked_by })
}

export const isAnnouncer = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('announcers').select('user_id').where('user_id', '=', id))
