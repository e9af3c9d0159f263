import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import * as chats from '#features/conversations/read.ts'
import type { ChatTables } from '#features/conversations/tables.ts'
import * as groupBroadcasts from './broadcasts.ts'
import * as readGroups from './read.ts'

interface ChangeDetail {
  user?: number | null
  name?: string | null
  slow_mode_seconds?: number | null
  /** Fields that only the live event has; the history does not store them. */
  live?: Pick<GroupChange, 'description' | 'picture'>
}

/** Broadcasts after the commit. `context.me` is null if the group passes to another owner automatically. */
export async function recordChange(
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
    .values({ ...row, created_at: isoNow() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const recipients = new Set(await chats.listMemberIds(tx, group))
  if (user !== null) recipients.add(user)
  const entry = await readGroups.getChange({ ...context, me: null, db: tx }, id)
  const recorded = { ...entry, ...live }
  tx.afterCommit(() => groupBroadcasts.groupChanged(context, group, recorded, [...recipients]))
  return recorded
}
