import { sql } from 'kysely'
import { buildVisiblePersonRowsQuery } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { MAX_PINNED_MESSAGES_PER_GROUP, type PinnedMessage } from './message-pin-contract.ts'
import { toPersonFromLeftJoinedColumns } from './read-groups.ts'
import { readQuotedMessagesById } from './read-quotes.ts'

/**
 * Lists the pinned messages of a group, the one that was pinned last first. Leaves out messages that are
 * deleted or hidden, or whose author the viewer may not see, has blocked or has muted. The caller must have
 * checked that the viewer is a member of the group.
 */
export async function listPinnedMessagesWithoutMembershipCheck(
  viewer: MemberViewerContext,
  group: number,
): Promise<PinnedMessage[]> {
  const rows = await viewer.db
    .selectFrom('pinned_messages as p')
    .leftJoin(buildVisiblePersonRowsQuery(viewer).as('by'), 'by.id', 'p.pinned_by')
    .select(['p.message_id', 'p.created_at'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .where('p.conversation_id', '=', group)
    .orderBy('p.created_at', 'desc')
    .orderBy(sql`p.message_id`, 'desc')
    .limit(MAX_PINNED_MESSAGES_PER_GROUP)
    .execute()
  const ids = rows.map(({ message_id }) => message_id)
  const messages = await readQuotedMessagesById(viewer, ids)
  return rows.flatMap(({ message_id, created_at, ...by }) => {
    const found = messages.get(message_id)
    if (!found || found.is_blocked || found.is_muted || found.deleted_at !== null) return []
    const { deleted_at: _, ...message } = found
    const pinned_by = toPersonFromLeftJoinedColumns(
      viewer.media,
      by.by_id,
      by.by_name,
      by.by_image,
      by.by_handle,
    )
    return [{ ...message, pinned_at: created_at, pinned_by }]
  })
}
