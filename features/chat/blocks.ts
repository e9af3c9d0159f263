import type { AppContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { broadcastPrivateChatAccessChangeToMember } from './broadcasts.ts'
import { formatPrivateChatPair } from './read.ts'

/**
 * Sends an event to all windows of two members after one of them has blocked or unblocked the other (after
 * the commit): they may have lost or regained access to their private chat. Sends nothing if the two have no
 * private chat, because the event would tell the blocked member who has blocked them.
 */
export async function broadcastPrivateChatAccessAfterBlockChange(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  const pair = formatPrivateChatPair(blocker_id, blocked_id)
  const chat = tx.selectFrom('conversations').select('id').where('pair', '=', pair)
  if (!(await hasMatchingRow(chat))) return
  tx.afterCommit(() => {
    broadcastPrivateChatAccessChangeToMember(context, blocker_id, blocked_id)
    broadcastPrivateChatAccessChangeToMember(context, blocked_id, blocker_id)
  })
}
