import type { MemberContext } from '#core/context.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import * as channels from '#features/conversations/channels.ts'
import * as chats from '#features/conversations/read.ts'
import * as groups from '#features/groups/read.ts'
import { imageWidths } from '#features/posts/read-images.ts'
import { parseVoice } from '#features/voice/model.ts'
import * as broadcasts from './broadcasts.ts'
import * as changes from './changes.ts'
import type { blockedEndpoints, messageEndpoints } from './contract.ts'
import type { NewMessage } from './model.ts'
import * as moderation from './moderation.ts'
import { listPinned } from './pins.ts'
import * as read from './read.ts'
import { sendPrivate, sendToGroup } from './send.ts'

const messages = {
  nothing: {
    en: 'Write something or add a picture or file.',
    ja: '文章を入力するか、画像かファイルを追加してください。',
  },
}

/**
 * Runs `send` under the lock of the conversation. `field` is the input field with the text, which errors
 * name.
 */
function storeAndSend<T>(
  {
    media,
    withLock,
    files,
    input,
  }: RequestContext<typeof messageEndpoints.sendPrivate | typeof messageEndpoints.sendGroup>,
  field: string,
  body: string | null,
  channel: string,
  send: (message: NewMessage) => Promise<T>,
) {
  const { alt, client_id, quotes_id = null, preview_of, extras } = input
  if (!body && !files.length) throw fieldError(field, messages.nothing)
  return media.store(files, imageWidths, (pictures, stored, previews) =>
    withLock(channel, () => {
      const voice = parseVoice(input, { pictures, files: stored })
      const attached = { pictures, files: stored, previews, preview_of, voice, descriptions: alt }
      return send({ body, ...attached, client_id, quotes_id, extras })
    }),
  )
}

/** Under the lock of the message. */
const changeMessage = (
  context: MemberContext,
  id: number,
  change: () => ReturnType<typeof changes.changeOwn>,
) =>
  moderation.withLock(context, id, async () => {
    const changed = await change()
    broadcasts.messageChanged(context, changed)
    const { message, edited_at, deleted_at } = changed.private ?? changed.group
    return { pictures: changed.pictures, body: { id, message, edited_at, deleted_at } }
  })

export const blockedHandlers: Handlers<typeof blockedEndpoints> = {
  show: (context) => read.showMessage(context, context.input.id),
}

export const messageHandlers: Handlers<typeof messageEndpoints> = {
  groupChat: async (context) => {
    const group = await groups.get(context, context.input.id)
    const pins = await listPinned(context, context.input.id)
    return { ...group, ...(pins.length > 0 && { pins }) }
  },
  privateMessages: ({ input: { id, ...page }, ...context }) => read.privateMessages(context, id, page),
  groupMessages: ({ input: { id, ...page }, ...context }) => read.groupMessages(context, id, page),

  sendPrivate: async (context) => {
    const { input: text, targetUserId: other } = context.input
    // Before the pictures are stored, which takes time. The transaction checks again.
    if (context.files.length) await chats.requirePrivate(context, other)
    const channel = channels.privateChat(context.me.id, other)
    const message = await storeAndSend(context, 'input', text, channel, (given) =>
      sendPrivate(context, other, given),
    )
    return { status: 'Message sent!', message }
  },

  sendGroup: async (context) => {
    const { message: text, group_id: group } = context.input
    if (context.files.length) await chats.requireMember(context, group)
    const message = await storeAndSend(context, 'message', text, channels.group(group), (given) =>
      sendToGroup(context, group, given),
    )
    return { status: 'Message sent!', message }
  },

  edit: async (context) => {
    const { id, message } = context.input
    return (await changeMessage(context, id, () => changes.edit(context, id, message))).body
  },

  remove: async (context) => {
    const { id } = context.input
    const { pictures, body } = await changeMessage(context, id, () => changes.remove(context, id))
    await context.media.deleteUnreferenced(pictures)
    return body
  },
}
