import type { AppContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { notifyMemberOfPrivateChatAccessChange } from './broadcasts.ts'
import { formatPrivateChatPair } from './read.ts'

/**
 * Tells the windows of two members, after the commit of a block or of its end, that they have lost or
 * regained their private chat. Sends nothing if the two have no private chat, because the blocked member
 * would learn from the event who has blocked them.
 */
export async function broadcastPrivateChatBlockChange(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  const pair = formatPrivateChatPair(blocker_id, blocked_id)
  const chat = tx.selectFrom('conversations').select('id').where('pair', '=', pair)
  if (!(await hasMatchingRow(chat))) return
  tx.afterCommit(() => {
    notifyMemberOfPrivateChatAccessChange(context, blocker_id, blocked_id)
    notifyMemberOfPrivateChatAccessChange(context, blocked_id, blocker_id)
  })
}
