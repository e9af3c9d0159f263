import type { MemberContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import { maxMbOf } from '#core/media/file-types.ts'
import type { StoredFile } from '#core/media/files.ts'
import { MEGABYTE } from '#core/media/media.ts'
import * as channels from '#features/conversations/channels.ts'
import * as chats from '#features/conversations/read.ts'
import type { forwardEndpoints } from './contract.ts'
import * as forwards from './forward-marks.ts'
import type { NewMessage } from './model.ts'
import * as readForwards from './read-forwards.ts'
import { sendPrivate, sendToGroup } from './send.ts'

// A forward is a new message that shows the same stored pictures and files: all rules for messages hold for
// it.

type Target = { user_id: number } | { group_id: number }

async function forwardMessage(context: MemberContext, id: number, target: Target, client_id: string | null) {
  const { body } = await forwards.requireOriginal(context, id)
  await requireTargetAccess(context, target)
  const attachments = await readForwards.getFiles(context.db, id)
  const { pictures, files } = attachments
  // All there was are files that retention has removed.
  if (!body && !pictures.length && !files.length) throw chats.noMessage()
  requireAllowedFileSizes(context, files)
  return sendCopy(context, target, { body, ...attachments, client_id, forwards_id: id })
}

function sendCopy(context: MemberContext, target: Target, message: NewMessage) {
  const channel =
    'user_id' in target
      ? channels.privateChat(context.me.id, target.user_id)
      : channels.group(target.group_id)
  return context.withLock<{ id: number }>(channel, () =>
    'user_id' in target
      ? sendPrivate(context, target.user_id, message)
      : sendToGroup(context, target.group_id, message),
  )
}

/** Before the message is read. The transaction that stores the copy checks again. */
const requireTargetAccess = (context: MemberContext, target: Target) =>
  'user_id' in target
    ? chats.requirePrivate(context, target.user_id)
    : chats.requireMember(context, target.group_id)

/** 422 if the operator has lowered the size limit since the upload. */
function requireAllowedFileSizes({ config }: MemberContext, files: readonly StoredFile[]) {
  for (const { bytes, file_name, file_kind } of files) {
    const maxMb = maxMbOf(file_kind, config)
    if (bytes > maxMb * MEGABYTE) throw createTooLargeError(file_name, maxMb)
  }
}

const createTooLargeError = (name: string, maxMb: number) =>
  fieldError('files', {
    en: `“${name}” is larger than ${maxMb} MB, so it cannot be sent any more.`,
    ja: `「${name}」は${maxMb}MBを超えているため、送れなくなりました。`,
  })

export const forwardHandlers: Handlers<typeof forwardEndpoints> = {
  forward: async (context) => {
    const { id, user_id, group_id, client_id } = context.input
    if ((user_id === undefined) === (group_id === undefined))
      throw fieldError('user_id', {
        en: 'Choose one person or one group.',
        ja: '送り先として、1人または1つのグループを選んでください。',
      })
    const target = user_id === undefined ? { group_id: group_id! } : { user_id }
    return { status: 'Message sent!', id: (await forwardMessage(context, id, target, client_id)).id }
  },
}
