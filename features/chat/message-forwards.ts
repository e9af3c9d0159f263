import type { MemberContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import { MEGABYTE } from '#core/media/media.ts'
import { toGroupChannelName, toPrivateChatChannelName } from './broadcasts.ts'
import { requireForwardableMessage } from './forwarded-marks.ts'
import type { messageForwardEndpoints } from './message-forward-contract.ts'
import type { NewMessage } from './model.ts'
import { createNoSuchMessageError, requireGroupMembership, requireReadablePrivateChat } from './read.ts'
import { readMessageAttachmentsForForwarding } from './read-message-forwards.ts'
import { sendGroupMessage, sendPrivateMessage } from './send-messages.ts'

// To forward a message, a member sends a new message that shows the same pictures and files. It is sent in
// the same way as a message that the member writes, so all rules for messages hold for it.

/** The chat to which a message is forwarded: the private chat with another person, or a group. */
type Target = { user_id: number } | { group_id: number }

/** Forwards a message of one of the member's chats to another chat. Returns the copy. */
async function forwardMessage(context: MemberContext, id: number, target: Target, client_id: string | null) {
  const { body } = await requireForwardableMessage(context, id)
  await requireTargetAccess(context, target)
  const attachments = await readMessageAttachmentsForForwarding(context.db, id)
  const { pictures, files } = attachments
  // Refuses a message without text whose pictures and files the community has removed because they were too
  // old.
  if (!body && !pictures.length && !files.length) throw createNoSuchMessageError()
  requireAllowedFileSizes(context, files)
  return sendCopy(context, target, { body, ...attachments, client_id, forwards_id: id })
}

function sendCopy(context: MemberContext, target: Target, message: NewMessage) {
  const channel =
    'user_id' in target
      ? toPrivateChatChannelName(context.me.id, target.user_id)
      : toGroupChannelName(target.group_id)
  return context.withLock<{ id: number }>(channel, () =>
    'user_id' in target
      ? sendPrivateMessage(context, target.user_id, message)
      : sendGroupMessage(context, target.group_id, message),
  )
}

/**
 * Checks the access to the chat that gets the copy, before the message is read. The transaction that stores
 * the copy checks the access again.
 */
const requireTargetAccess = (context: MemberContext, target: Target) =>
  'user_id' in target
    ? requireReadablePrivateChat(context, target.user_id)
    : requireGroupMembership(context, target.group_id)

/**
 * Throws 422 if a file is larger than the current size limit of uploads, which the operator may have lowered
 * since the file was uploaded.
 */
function requireAllowedFileSizes({ config }: MemberContext, files: readonly NonPictureFileMetadata[]) {
  const tooLarge = files.find(({ bytes }) => bytes > config.MAX_FILE_MB * MEGABYTE)
  if (tooLarge) throw createTooLargeError(tooLarge.file_name, config.MAX_FILE_MB)
}

const createTooLargeError = (name: string, maxMb: number) =>
  createInvalidFieldError('files', {
    en: `“${name}” is larger than ${maxMb} MB, so it cannot be sent any more.`,
    ja: `「${name}」は${maxMb}MBを超えているため、送れなくなりました。`,
  })

export const messageForwardEndpointHandlers: EndpointHandlers<typeof messageForwardEndpoints> = {
  forward: async (context) => {
    const { id, user_id, group_id, client_id } = context.input
    if ((user_id === undefined) === (group_id === undefined))
      throw createInvalidFieldError('user_id', {
        en: 'Choose one person or one group.',
        ja: '送り先として、1人または1つのグループを選んでください。',
      })
    const target = user_id === undefined ? { group_id: group_id! } : { user_id }
    return { status: 'Message sent!', id: (await forwardMessage(context, id, target, client_id)).id }
  },
}
