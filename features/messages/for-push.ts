import { type SqlBool, sql } from 'kysely'
import { isoNow } from '#core/database/database.ts'
import type { AttachedCounts } from '#features/conversations/attached-contract.ts'
import * as attached from '#features/conversations/attachments.ts'
import * as chats from '#features/conversations/read.ts'
import { areApart } from '#features/people/apart.ts'
import type { MemberViewer } from '#features/people/visibility.ts'

export interface UnreadMessage {
  id: number
  user_id: number
  /** With the handle if several people have the same name. */
  name: string
  /** Empty if there are only pictures or files. */
  text: string
  attached: AttachedCounts
  /** Null for a message of a private chat. */
  group: { id: number; name: string } | null
}

/** `membership` is the alias of the member's row of `conversation_members`. */
const notMuted = (membership: string) =>
  sql<SqlBool>`coalesce(${sql.ref(`${membership}.muted_until`)}, '') <= ${isoNow()}`

/**
 * Undefined if the viewer has read it, may not see it, has muted the conversation or the author, has blocked
 * the author, or a refusal keeps the two apart (`contacts.apart`); and if the author is a former member.
 */
export async function findUnreadMessage(
  viewer: MemberViewer,
  id: number,
): Promise<UnreadMessage | undefined> {
  const row = await chats
    .messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.name as group_name')
    .select(attached.countColumns)
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .whereRef('m.user_id', '!=', 'mine.user_id')
    .whereRef('mine.last_read_id', '<', 'm.id')
    .where('m.deleted_at', 'is', null)
    .where('m.hidden_at', 'is', null)
    .where(notMuted('mine'))
    .executeTakeFirst()
  if (!row || row.is_blocked !== null || row.is_muted !== null || row.former_since !== null) return undefined
  if (await areApart(viewer, viewer.me.id, row.user_id)) return undefined
  const { user_id, body: text, name, shared_handle, conversation_id, group_name } = row
  return {
    id,
    user_id,
    name: shared_handle === null ? name : `${name} (@${shared_handle})`,
    text,
    attached: attached.toCounts(row),
    group: group_name === null ? null : { id: conversation_id, name: group_name },
  }
}

/** Reason why `findUnreadMessage` returned undefined. */
export async function whyNotPushed(viewer: MemberViewer, id: number) {
  const row = await chats
    .messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .select(['mine.last_read_id', 'mine.muted_until'])
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .where('m.deleted_at', 'is', null)
    .where('m.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.is_blocked !== null || row.former_since !== null) return 'unavailable'
  if (row.last_read_id >= id) return 'read'
  const isMuted = row.is_muted !== null || (row.muted_until ?? '') > isoNow()
  return isMuted ? 'muted' : 'unavailable'
}
