import { type SqlBool, sql } from 'kysely'
import { currentIsoTime } from '#core/database/database.ts'
import { areApart } from '#features/people/apart.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { buildMessageAttachmentCountExpression, messageVoiceRecordingCountExpression } from './attachments.ts'
import { buildMessagesWithAuthorsQuery } from './read.ts'

/** A new chat message, with the fields that push messages show. */
export interface MessageForPush {
  id: number
  user_id: number
  /** The name of the author, with the author's handle if several people have the same name. */
  name: string
  /** The text of the message; empty if it has only pictures or files. */
  text: string
  /** Whether the message has files besides pictures. */
  has_files: boolean
  /** Whether the message is a voice message. `has_files` is then true too. */
  is_voice: boolean
  /** The group in which the message was sent; null for a message of a private chat. */
  group: { id: number; name: string } | null
}

/**
 * Returns an SQL condition: the member has not muted the conversation. `membership` is the alias that the
 * query gives to the member's row of `conversation_members`.
 */
const buildConversationNotMutedCondition = (membership: string) =>
  sql<SqlBool>`coalesce(${sql.ref(`${membership}.muted_until`)}, '') <= ${currentIsoTime()}`

/**
 * Reads a message for a push message to a viewer who has not read it yet. Returns undefined if the viewer has
 * read the message, may no longer read it, has muted the conversation or the author, or has blocked the
 * author. Also returns undefined if the author is a former member, if a refusal keeps the two
 * apart (`contacts.apart`), or if the message was deleted or hidden.
 */
export async function readUnreadMessageForPush(
  viewer: MemberViewerContext,
  id: number,
): Promise<MessageForPush | undefined> {
  const row = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['c.name as group_name', buildMessageAttachmentCountExpression('file').as('files_count')])
    .select(messageVoiceRecordingCountExpression.as('recordings_count'))
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .whereRef('m.user_id', '!=', 'mine.user_id')
    .whereRef('mine.last_read_id', '<', 'm.id')
    .where('m.deleted_at', 'is', null)
    .where('m.hidden_at', 'is', null)
    .where(buildConversationNotMutedCondition('mine'))
    .executeTakeFirst()
  if (!row || row.is_blocked !== null || row.is_muted !== null || row.former_since !== null) return undefined
  if (await areApart(viewer, viewer.me.id, row.user_id)) return undefined
  const {
    user_id,
    body: text,
    name,
    shared_handle,
    conversation_id,
    group_name,
    files_count,
    recordings_count,
  } = row
  return {
    id,
    user_id,
    name: shared_handle === null ? name : `${name} (@${shared_handle})`,
    text,
    has_files: Number(files_count) > 0,
    is_voice: Number(recordings_count) > 0,
    group: group_name === null ? null : { id: conversation_id, name: group_name },
  }
}

/**
 * Returns the reason why `readUnreadMessageForPush` returned undefined for a message: the viewer has read it
 * (`read`), has muted the conversation or the author (`muted`), or may not see it (`unavailable`).
 */
export async function explainWhyMessageWasNotPushed(viewer: MemberViewerContext, id: number) {
  const row = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .select(['mine.last_read_id', 'mine.muted_until'])
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .where('m.deleted_at', 'is', null)
    .where('m.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.is_blocked !== null || row.former_since !== null) return 'unavailable'
  if (row.last_read_id >= id) return 'read'
  const isMuted = row.is_muted !== null || (row.muted_until ?? '') > currentIsoTime()
  return isMuted ? 'muted' : 'unavailable'
}
