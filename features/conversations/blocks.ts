import type { AppContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import * as broadcasts from './broadcasts.ts'
import * as chats from './read.ts'

/**
 * After a block or unblock, the two may have lost or regained access to their private chat. Sends nothing if
 * they have none, because the event would tell the blocked member who has blocked them.
 */
export async function broadcastAccess(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  const pair = chats.pairOf(blocker_id, blocked_id)
  const chat = tx.selectFrom('conversations').select('id').where('pair', '=', pair)
  if (!(await hasMatchingRow(chat))) return
  tx.afterCommit(() => {
    broadcasts.accessChanged(context, blocker_id, blocked_id)
    broadcasts.accessChanged(context, blocked_id, blocker_id)
  })
}
