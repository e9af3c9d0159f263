import type { AppContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { broadcastChatAccessChange } from './broadcasts.ts'
import { formatConversationPair } from './read.ts'

/**
 * Tells the windows of two members after the commit that their private chat has vanished or come back. Tells
 * them nothing if they have none, because the event would name the person who has blocked them.
 */
export async function broadcastBlockChange(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  const pair = formatConversationPair(blocker_id, blocked_id)
  const chat = tx.selectFrom('conversations').select('id').where('pair', '=', pair)
  if (!(await hasMatchingRow(chat))) return
  tx.afterCommit(() => {
    broadcastChatAccessChange(context, blocker_id, blocked_id)
    broadcastChatAccessChange(context, blocked_id, blocker_id)
  })
}
