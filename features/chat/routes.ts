import { type AppContext, asMember, type MemberContext } from '#core/context.ts'
import type { Localized } from '#core/contract.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import type { MediaGuard } from '#core/media/guards.ts'
import type { Guards } from '#core/realtime/authorisation.ts'
import { person } from '#features/people/read.ts'
import { postImageSizes } from '#features/posts/images.ts'
import {
  broadcastGroup,
  broadcastMessageChange,
  broadcastPrivate,
  broadcastRead,
  groupChannel,
  privateChannel,
} from './broadcasts.ts'
import type { channels, chat, groups } from './contract.ts'
import * as groupModel from './groups.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import * as conversations from './read-conversations.ts'
import * as readGroups from './read-groups.ts'
import { IMAGE_GUARD } from './tables.ts'

const messages = {
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
  created: (name: string) => ({
    en: `The group “${name}” was created.`,
    ja: `グループ「${name}」を作成しました。`,
  }),
  added: { en: 'The user was added to the group.', ja: 'グループのメンバーに追加しました。' },
  alreadyMember: { en: 'The user is a member already.', ja: 'すでにグループのメンバーです。' },
  renamed: (name: string) => ({
    en: `The group is called “${name}” now.`,
    ja: `グループ名を「${name}」に変更しました。`,
  }),
  left: { en: 'You left the group.', ja: 'グループから退出しました。' },
  removed: { en: 'The member was removed.', ja: 'グループのメンバーから外しました。' },
  notMember: { en: 'The user is not a member.', ja: 'グループのメンバーではありません。' },
  deleted: { en: 'The group was deleted.', ja: 'グループを削除しました。' },
}

// ── Channels ────────────────────────────────────────────────────────────────

export const guards = (context: AppContext): Guards<typeof channels> => ({
  pair: (me, { smaller, larger }) => {
    if (smaller >= larger || (me !== smaller && me !== larger)) return false
    return read.isOpenToEither(asMember(context, me), me === smaller ? larger : smaller)
  },
  group: (me, { group }) => isAllowed(read.membership(asMember(context, me), group)),
  room: async (me, { group }) => {
    const viewer = asMember(context, me)
    return (await isAllowed(read.membership(viewer, group))) && person(viewer, me)
  },
  user: (me, { user }) => me === user,
})

/** Members see the pictures of the messages that they may read. */
export const mediaGuards = (context: AppContext): Readonly<Record<string, MediaGuard>> => ({
  [IMAGE_GUARD]: (me, picture) => isAllowed(read.messageOfImage(asMember(context, me), picture)),
})

/** False where the check throws an `HttpError`. */
const isAllowed = (check: Promise<unknown>) =>
  check.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )

// ── Messages ────────────────────────────────────────────────────────────────

/**
 * Stores the pictures, then runs `send` under the lock of the conversation. `field` is where the input has
 * the text.
 */
function storeAndSend<T>(
  { media, withLock, files, input }: RequestContext<typeof chat.sendPrivate | typeof chat.sendGroup>,
  field: string,
  body: string | null,
  channel: string,
  send: (message: model.NewMessage) => Promise<T>,
) {
  const { alt, client_id } = input
  if (!body && !files.length) throw fieldError(field, messages.nothing)
  return media.store(files, postImageSizes, (pictures) =>
    withLock(channel, () => send({ body, pictures, alt, client_id })),
  )
}

/** Moves the read mark of a conversation and broadcasts it where it moved. */
const markRead = (
  context: RequestContext<typeof chat.readPrivate | typeof groups.read>,
  conversation: number,
  channel: string,
  ids: { userId: number | null; groupId: number | null },
) =>
  context.withLock(channel, async () => {
    const mark = await model.markRead(context, conversation, context.input.last_read_id)
    if (mark.moved) broadcastRead(context, channel, mark, ids)
    return { unread: mark.unread }
  })

/** Runs a change of a message under the lock of the message and broadcasts the result. */
const changeMessage = (
  context: MemberContext,
  id: number,
  change: () => ReturnType<typeof model.changeOwn>,
) =>
  context.withLock(`message ${id}`, async () => {
    const changed = await change()
    broadcastMessageChange(context, changed)
    const { message, edited_at, deleted_at } = changed.private ?? changed.group
    return { pictures: changed.pictures, body: { id, message, edited_at, deleted_at } }
  })

export const chatRoutes: Handlers<typeof chat> = {
  conversations: (context) => conversations.conversations(context, context.input),
  privateChat: (context) => read.privateChat(context, context.input.id),
  privateMessages: ({ input: { id, ...page }, ...context }) => read.privateMessages(context, id, page),
  groupMessages: ({ input: { id, ...page }, ...context }) => read.groupMessages(context, id, page),
  unread: (context) => conversations.unread(context),

  sendPrivate: async (context) => {
    const { input: text, targetUserId: other } = context.input
    // Checked before the pictures are stored, which takes time.
    if (context.files.length) await read.privateAccess(context, other)
    const channel = privateChannel(context.me.id, other)
    const message = await storeAndSend(context, 'input', text, channel, async (given) => {
      const sent = await model.sendPrivate(context, other, given)
      if (sent.isNew) broadcastPrivate(context, 'PrivateMessageSent', sent.message)
      return sent.message
    })
    return { status: 'Message sent!', message }
  },

  sendGroup: async (context) => {
    const { message: text, group_id: group } = context.input
    if (context.files.length) await read.membership(context, group)
    const message = await storeAndSend(context, 'message', text, groupChannel(group), async (given) => {
      const sent = await model.sendToGroup(context, group, given)
      if (sent.isNew) broadcastGroup(context, 'GroupMessageSent', sent.message, sent.members)
      return sent.message
    })
    return { status: 'Message sent!', message }
  },

  readPrivate: async (context) => {
    const other = context.input.id
    const { conversation } = await read.privateAccess(context, other)
    if (conversation === null) return { unread: 0 }
    const channel = privateChannel(context.me.id, other)
    return markRead(context, conversation, channel, { userId: other, groupId: null })
  },

  edit: async (context) => {
    const { id, message } = context.input
    return (await changeMessage(context, id, () => model.edit(context, id, message))).body
  },

  remove: async (context) => {
    const { id } = context.input
    const { pictures, body } = await changeMessage(context, id, () => model.remove(context, id))
    await context.media.deleteUnreferenced(pictures)
    return body
  },
}

// ── Groups ──────────────────────────────────────────────────────────────────

export const groupRoutes: Handlers<typeof groups> = {
  mine: (context) => conversations.myGroups(context),
  all: ({ db, input }) => readGroups.allGroups(db, input),
  show: (context) => readGroups.group(context, context.input.id),
  members: ({ input: { id, ...page }, ...context }) => readGroups.members(context, id, page),

  read: async (context) => {
    const groupId = context.input.id
    await read.membership(context, groupId)
    return markRead(context, groupId, groupChannel(groupId), { userId: null, groupId })
  },

  create: async (context) => {
    const { id, name } = await groupModel.create(context, context.input.name)
    return { message: messages.created(name)[context.lang], group: { id, name } }
  },

  addUser: (context) => {
    const { id, user_id } = context.input
    return context.withLock(groupChannel(id), async () => {
      const added = await groupModel.addUser(context, id, user_id)
      return answer(context, added ? messages.added : messages.alreadyMember)
    })
  },

  rename: (context) => {
    const { id, name } = context.input
    return context.withLock(groupChannel(id), async () => {
      await groupModel.rename(context, id, name)
      return answer(context, messages.renamed(name))
    })
  },

  leave: (context) => {
    const { id } = context.input
    return context.withLock(groupChannel(id), async () => {
      await groupModel.leave(context, id)
      return answer(context, messages.left)
    })
  },

  removeMember: (context) => {
    const { id, user } = context.input
    return context.withLock(groupChannel(id), async () => {
      const removed = await groupModel.removeMember(context, id, user)
      return answer(context, removed ? messages.removed : messages.notMember)
    })
  },

  remove: async (context) => {
    const { id } = context.input
    const pictures = await context.withLock(groupChannel(id), () => groupModel.remove(context, id))
    await context.media.deleteUnreferenced(pictures)
    return answer(context, messages.deleted)
  },
}

const answer = ({ lang }: { lang: keyof Localized }, message: Localized) => ({ message: message[lang] })
