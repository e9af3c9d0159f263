import type { Selectable } from 'kysely'
import type { DatabaseTables } from '#core/database/database.ts'
import { toPersonFromRow } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import type { GroupMessage, PrivateMessage } from './contract.ts'
import type { MessagePartsFromOtherTables } from './read-message-parts.ts'

// The functions of this file convert rows of the table `messages` to the messages that the API returns.

export type MessageRow = Selectable<DatabaseTables['messages']>
export type MessageWithAuthorRow = MessageRow & {
  name: string
  image: string | null
  shared_handle: string | null
  former_since: string | null
  /** Not null if the viewer has blocked the author of the message. */
  is_blocked: number | null
  /** Not null if the viewer has muted the author of the message. */
  is_muted: number | null
}
export type MessageMapper<T> = (row: MessageWithAuthorRow, parts: MessagePartsFromOtherTables) => T

/** Returns whether a moderator has hidden the message from the viewer with the id `me`. */
export const isMessageHiddenByModeratorFrom = (row: Pick<MessageRow, 'hidden_at' | 'user_id'>, me: number) =>
  row.hidden_at !== null && row.user_id !== me

/**
 * Converts a row of `messages` to the fields that private and group messages share, for the viewer with the
 * id `me`. A message that a moderator has hidden looks like a deleted one to all but its author.
 */
function toMessageFields(
  row: MessageRow,
  { images, files, quoted, forwarded }: MessagePartsFromOtherTables,
  me: number,
) {
  const { id, created_at, client_id } = row
  if (isMessageHiddenByModeratorFrom(row, me))
    return { id, message: '', created_at, client_id, images: [], edited_at: null, deleted_at: row.hidden_at }
  const { body: message, edited_at, deleted_at, removed_images } = row
  return {
    ...{ id, message, created_at, client_id, images, edited_at, deleted_at },
    ...(files.length > 0 && { files }),
    ...(removed_images > 0 && !deleted_at && { removed_images }),
    ...(quoted && !deleted_at && { quoted }),
    ...(forwarded && !deleted_at && { forwarded }),
  }
}

/**
 * Returns a function that converts a row of `messages` to a message of the private chat of `me` and `other`.
 */
export const createPrivateMessageMapper =
  (me: number, other: number) =>
  (row: MessageRow, parts: MessagePartsFromOtherTables): PrivateMessage => ({
    ...toMessageFields(row, parts, me),
    from_user_id: row.user_id,
    to_user_id: row.user_id === me ? other : me,
  })

export const createGroupMessageMapper =
  ({ media, me }: MemberViewerContext): MessageMapper<GroupMessage> =>
  (row, parts) => {
    const { user_id, conversation_id: group_id, name, image, shared_handle, former_since } = row
    const user = toPersonFromRow(media, { id: user_id, name, image, shared_handle, former_since })
    return { ...toMessageFields(row, parts, me.id), group_id, user_id, user }
  }

/**
 * Returns the group message without content that a viewer gets in place of a message whose author the viewer
 * has blocked or muted.
 */
export const toBlockedOrMutedMessagePlaceholder = ({
  id,
  conversation_id,
  created_at,
  is_blocked,
}: MessageWithAuthorRow): GroupMessage => ({
  id,
  message: '',
  created_at,
  client_id: null,
  images: [],
  edited_at: null,
  deleted_at: null,
  group_id: conversation_id,
  user_id: 0,
  user: { id: 0, name: '', profile_image: null },
  ...(is_blocked === null ? { is_muted: true } : { is_blocked: true }),
})
