import type { GroupMessage, PrivateMessage } from '#features/conversations/message-schemas.ts'
import { isHiddenFrom, type MessageRow } from '#features/conversations/read.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { MessageParts } from './parts.ts'

export type AuthoredRow = MessageRow & {
  name: string
  image: string | null
  shared_handle: string | null
  former_since: string | null
  is_blocked: number | null
  is_muted: number | null
}
export type MessageMapper<T> = (row: AuthoredRow, parts: MessageParts) => T

/** A message that a moderator has hidden looks like a deleted one to all but its author. */
function toMessageFields(row: MessageRow, { images, files, quoted, forwarded }: MessageParts, me: number) {
  const { id, created_at, client_id } = row
  if (isHiddenFrom(row, me))
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

export const privateMapper =
  (me: number, other: number) =>
  (row: MessageRow, parts: MessageParts): PrivateMessage => ({
    ...toMessageFields(row, parts, me),
    from_user_id: row.user_id,
    to_user_id: row.user_id === me ? other : me,
  })

export const groupMapper =
  ({ media, me }: MemberViewer): MessageMapper<GroupMessage> =>
  (row, parts) => {
    const { user_id, conversation_id: group_id, name, image, shared_handle, former_since } = row
    const user = people.fromRow(media, { id: user_id, name, image, shared_handle, former_since })
    return { ...toMessageFields(row, parts, me.id), group_id, user_id, user }
  }

/** Stands for a message whose author the viewer has blocked or muted. */
export const toPlaceholder = ({
  id,
  conversation_id,
  created_at,
  is_blocked,
}: AuthoredRow): GroupMessage => ({
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
