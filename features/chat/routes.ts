import { type AppContext, createMemberContextWithoutRoles, type MemberContext } from '#core/context.ts'
import type { BilingualSentence } from '#core/contract.ts'
import {
  attachAccessCheckToHandler,
  type EndpointHandlers,
  type RequestContext,
} from '#core/http/endpoints.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import { readPerson } from '#features/people/read.ts'
import { attachedImageOutputWidthsAndStandardWidth } from '#features/posts/read-images.ts'
import type { blockedOrMutedAuthorMessageEndpoints } from './blocked-message-contract.ts'
import {
  broadcastMessageChange,
  broadcastReadMarkAndUnreadCount,
  toGroupChannelName,
  toPrivateChatChannelName,
} from './broadcasts.ts'
import type { chatChannelDefinitions } from './channel-contract.ts'
import type { privateChatAndMessageEndpoints } from './contract.ts'
import type { groupEndpoints } from './group-contract.ts'
import type { slowModeEndpoints } from './group-manager-contract.ts'
import { requireGroupManager, requireMayCreateGroups } from './group-managers.ts'
import * as groupModel from './groups.ts'
import * as messageChanges from './message-changes.ts'
import type { NewMessage } from './model.ts'
import { withMessageLock } from './moderation.ts'
import * as read from './read.ts'
import * as conversations from './read-conversations.ts'
import * as readGroups from './read-groups.ts'
import { moveReadMarkForward } from './read-marks.ts'
import { listPinnedMessagesWithoutMembershipCheck } from './read-message-pins.ts'
import { sendGroupMessage, sendPrivateMessage } from './send-messages.ts'
import { MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME } from './tables.ts'
import { parseVoiceMessageInput } from './voice-messages.ts'

const messages = {
  nothing: {
    en: 'Write something or add a picture or file.',
    ja: '文章を入力するか、画像かファイルを追加してください。',
  },
  created: (name: string) => ({
    en: `The group “${name}” was created.`,
    ja: `グループ「${name}」を作成しました。`,
  }),
  added: { en: 'The user was added to the group.', ja: 'グループのメンバーに追加しました。' },
  alreadyMember: { en: 'The user is already a member.', ja: 'すでにグループのメンバーです。' },
  renamed: (name: string) => ({
    en: `The group is now called “${name}”.`,
    ja: `グループ名を「${name}」に変更しました。`,
  }),
  slowModeOn: { en: 'Slow mode is on.', ja: '低速モードにしました。' },
  slowModeOff: { en: 'Slow mode is off.', ja: '低速モードを解除しました。' },
  left: { en: 'You left the group.', ja: 'グループから退出しました。' },
  removed: { en: 'The member was removed.', ja: 'グループのメンバーから外しました。' },
  notMember: { en: 'The user is not a member of the group.', ja: 'グループのメンバーではありません。' },
  deleted: { en: 'The group was deleted.', ja: 'グループを削除しました。' },
}

// ── Guards of channels and of attachments ────────────────────────────────────

export const createChatChannelGuards = (
  context: AppContext,
): ChannelGuards<typeof chatChannelDefinitions> => ({
  privateChat: async (me, { smaller, larger }) => {
    if (smaller >= larger || (me !== smaller && me !== larger)) return false
    const other = me === smaller ? larger : smaller
    return (
      (await read.maySubscribeToPrivateChat(createMemberContextWithoutRoles(context, me), other)) &&
      context.contacts.isContactAllowed(context.db, me, other)
    )
  },
  group: (me, { group }) =>
    isAllowed(read.requireGroupMembership(createMemberContextWithoutRoles(context, me), group)),
  groupPresence: async (me, { group }) => {
    const viewer = createMemberContextWithoutRoles(context, me)
    return (await isAllowed(read.requireGroupMembership(viewer, group))) && readPerson(viewer, me)
  },
  member: (me, { user }) => me === user,
})

/**
 * Creates the guard that decides who may load the pictures and files of messages: the members who may read
 * the message.
 */
export const createMessageAttachmentAccessGuards = (context: AppContext): MediaReadGuardsByName => ({
  [MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME]: (me, picture) =>
    isAllowed(read.requireReadableMessageOfAttachment({ ...context, me }, picture)),
})

/** Waits for an access check. Resolves with false if the check throws an `HttpError`, otherwise with true. */
const isAllowed = (check: Promise<unknown>) =>
  check.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )

// ── Handlers of private chats and messages ───────────────────────────────────

/**
 * Stores the uploaded pictures and files of a request, then runs `send` with the new message under the
 * lock of the conversation. `field` is the name of the input field that has the text; an error names this
 * field.
 */
function storeAndSend<T>(
  {
    media,
    withLock,
    files,
    input,
  }: RequestContext<
    typeof privateChatAndMessageEndpoints.sendPrivate | typeof privateChatAndMessageEndpoints.sendGroup
  >,
  field: string,
  body: string | null,
  channel: string,
  send: (message: NewMessage) => Promise<T>,
) {
  const { alt, client_id, quotes_id = null } = input
  if (!body && !files.length) throw createInvalidFieldError(field, messages.nothing)
  return media.store(files, attachedImageOutputWidthsAndStandardWidth, (pictures, stored) =>
    withLock(channel, () => {
      const voice = parseVoiceMessageInput(input, { pictures, files: stored })
      return send({ body, pictures, files: stored, voice, descriptions: alt, client_id, quotes_id })
    }),
  )
}

/**
 * Moves the current member's read mark in a conversation forward, and broadcasts the new mark if it has
 * moved.
 */
const markReadAndBroadcast = (
  context: RequestContext<typeof privateChatAndMessageEndpoints.readPrivate | typeof groupEndpoints.read>,
  conversation: number,
  channel: string,
  ids: { userId: number | null; groupId: number | null },
) =>
  context.withLock(channel, async () => {
    const mark = await moveReadMarkForward(context, conversation, context.input.last_read_id)
    if (mark.hasMoved) broadcastReadMarkAndUnreadCount(context, channel, mark, ids)
    return { unread: mark.unread }
  })

/** Runs a change of a message under the lock of the message, and broadcasts the changed message. */
const changeMessage = (
  context: MemberContext,
  id: number,
  change: () => ReturnType<typeof messageChanges.runChangeOfOwnMessageInTransaction>,
) =>
  withMessageLock(context, id, async () => {
    const changed = await change()
    broadcastMessageChange(context, changed)
    const { message, edited_at, deleted_at } = changed.private ?? changed.group
    return { pictures: changed.pictures, body: { id, message, edited_at, deleted_at } }
  })

export const blockedOrMutedAuthorMessageEndpointHandlers: EndpointHandlers<
  typeof blockedOrMutedAuthorMessageEndpoints
> = {
  show: (context) => read.readGroupMessageEvenIfAuthorIsBlocked(context, context.input.id),
}

export const createPrivateChatAndMessageEndpointHandlers = (
  app: AppContext,
): EndpointHandlers<typeof privateChatAndMessageEndpoints> => ({
  conversations: (context) => conversations.listPrivateChats(context, context.input),
  privateChat: (context) => read.readPrivateChat(context, context.input.id),
  privateMessages: ({ input: { id, ...page }, ...context }) => read.listPrivateMessages(context, id, page),
  groupMessages: ({ input: { id, ...page }, ...context }) => read.listGroupMessages(context, id, page),
  unread: conversations.createCachedUnreadCountsAndMutesReader(app),

  sendPrivate: async (context) => {
    const { input: text, targetUserId: other } = context.input
    // Checks the access to the chat also before the pictures are stored, because storing them takes time. The
    // transaction checks the access again.
    if (context.files.length) await read.requireReadablePrivateChat(context, other)
    const channel = toPrivateChatChannelName(context.me.id, other)
    const message = await storeAndSend(context, 'input', text, channel, (given) =>
      sendPrivateMessage(context, other, given),
    )
    return { status: 'Message sent!', message }
  },

  sendGroup: async (context) => {
    const { message: text, group_id: group } = context.input
    if (context.files.length) await read.requireGroupMembership(context, group)
    const message = await storeAndSend(context, 'message', text, toGroupChannelName(group), (given) =>
      sendGroupMessage(context, group, given),
    )
    return { status: 'Message sent!', message }
  },

  readPrivate: async (context) => {
    const other = context.input.id
    const { conversation } = await read.requireReadablePrivateChat(context, other)
    if (conversation === null) return { unread: 0 }
    const channel = toPrivateChatChannelName(context.me.id, other)
    return markReadAndBroadcast(context, conversation, channel, { userId: other, groupId: null })
  },

  edit: async (context) => {
    const { id, message } = context.input
    return (await changeMessage(context, id, () => messageChanges.editOwnMessage(context, id, message))).body
  },

  remove: async (context) => {
    const { id } = context.input
    const { pictures, body } = await changeMessage(context, id, () =>
      messageChanges.softDeleteOwnMessage(context, id),
    )
    await context.media.deleteUnreferenced(pictures)
    return body
  },
})

// ── Handlers of groups ───────────────────────────────────────────────────────

export const groupEndpointHandlers: EndpointHandlers<typeof groupEndpoints> = {
  mine: (context) => conversations.listJoinedGroups(context),
  all: (context) => readGroups.listAllGroupsForAdmins(context, context.input),
  show: async (context) => {
    const group = await readGroups.readGroup(context, context.input.id)
    const pins = await listPinnedMessagesWithoutMembershipCheck(context, context.input.id)
    return { ...group, ...(pins.length > 0 && { pins }) }
  },
  members: ({ input: { id, ...page }, ...context }) => readGroups.listGroupMembers(context, id, page),

  read: async (context) => {
    const groupId = context.input.id
    await read.requireGroupMembership(context, groupId)
    return markReadAndBroadcast(context, groupId, toGroupChannelName(groupId), { userId: null, groupId })
  },

  create: attachAccessCheckToHandler(requireMayCreateGroups, async (context) => {
    const { id, name } = await groupModel.createGroup(context, context.input.name)
    return { message: messages.created(name)[context.lang], group: { id, name } }
  }),

  addUser: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, user_id } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      const added = await groupModel.addGroupMemberWithRightsCheck(context, id, user_id)
      return answer(context, added ? messages.added : messages.alreadyMember)
    })
  }),

  rename: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, name } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      await groupModel.renameGroup(context, id, name)
      return answer(context, messages.renamed(name))
    })
  }),

  leave: (context) => {
    const { id } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      await groupModel.leaveGroup(context, id)
      return answer(context, messages.left)
    })
  },

  removeMember: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, user } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      const removed = await groupModel.removeGroupMember(context, id, user)
      return answer(context, removed ? messages.removed : messages.notMember)
    })
  }),

  remove: attachAccessCheckToHandler(requireGroupManager, async (context) => {
    const { id } = context.input
    const pictures = await context.withLock(toGroupChannelName(id), () => groupModel.deleteGroup(context, id))
    await context.media.deleteUnreferenced(pictures)
    return answer(context, messages.deleted)
  }),
}

export const slowModeEndpointHandlers: EndpointHandlers<typeof slowModeEndpoints> = {
  set: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, seconds } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      await groupModel.setSlowMode(context, id, seconds)
      return answer(context, seconds ? messages.slowModeOn : messages.slowModeOff)
    })
  }),
}

const answer = ({ lang }: { lang: keyof BilingualSentence }, message: BilingualSentence) => ({
  message: message[lang],
})
