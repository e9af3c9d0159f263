import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { broadcastGroupChange } from './broadcasts.ts'
import type { GroupChange } from './group-contract.ts'
import { listConversationMemberIds } from './read.ts'
import { readGroupChangeForBroadcast } from './read-groups.ts'
import type { ChatTables } from './tables.ts'

interface ChangeDetail {
  user?: number | null
  name?: string | null
  slow_mode_seconds?: number | null
  /** The fields of the change that only its live event has. The history of the group does not store them. */
  live?: Pick<GroupChange, 'description' | 'picture'>
}

/**
 * Adds a change to the group's history, which members see between the messages, and broadcasts the change
 * after the commit. `context.me` is the member who made the change; null if the group passes to another owner
 * automatically.
 */
export async function recordAndBroadcastGroupChange(
  context: AppContext & { me: { id: number } | null },
  tx: Tx,
  group: number,
  kind: ChatTables['group_changes']['kind'],
  { user = null, name = null, slow_mode_seconds = null, live }: ChangeDetail = {},
): Promise<GroupChange> {
  const row = {
    conversation_id: group,
    kind,
    actor_id: context.me?.id ?? null,
    user_id: user,
    name,
    slow_mode_seconds,
  }
  const { id } = await tx
    .insertInto('group_changes')
    .values({ ...row, created_at: currentIsoTime() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const recipients = new Set(await listConversationMemberIds(tx, group))
  if (user !== null) recipients.add(user)
  const entry = await readGroupChangeForBroadcast({ ...context, me: null, db: tx }, id)
  const recorded = { ...entry, ...live }
  tx.afterCommit(() => broadcastGroupChange(context, group, recorded, [...recipients]))
  return recorded
}
