import type * as v from 'valibot'
import { type AppContext, asMember } from '#core/context.ts'
import { channelName, type Localized } from '#core/contract.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import type { Upload } from '#core/media/media.ts'
import type { Guards } from '#core/realtime/authorisation.ts'
import type { Realtime } from '#core/realtime/server.ts'
import { avatarUrl, person } from '#features/people/read.ts'
import { postImageSizes } from '#features/posts/images.ts'
import { allGroups } from './admin.ts'
import {
  channels,
  type chat,
  type GroupMessage,
  type groups,
  type PrivateMessage,
  pairOf,
} from './contract.ts'
import * as groupModel from './groups.ts'
import { conversations, myGroups, unread } from './lists.ts'
import * as model from './model.ts'
import { read } from './reads.ts'

const said = {
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
  created: (name: string) => ({
    en: `The group “${name}” was created.`,
    ja: `グループ「${name}」を作成しました。`,
  }),
  added: { en: 'The user was added to the group.', ja: 'グループのメンバーに追加しました。' },
  alreadyIn: { en: 'The user is a member already.', ja: 'すでにグループのメンバーです。' },
  renamed: (name: string) => ({
    en: `The group is called “${name}” now.`,
    ja: `グループ名を「${name}」に変更しました。`,
  }),
  left: { en: 'You left the group.', ja: 'グループから退出しました。' },
  removed: { en: 'The member was removed.', ja: 'グループのメンバーから外しました。' },
  notIn: { en: 'The user is not a member.', ja: 'グループのメンバーではありません。' },
  deleted: { en: 'The group was deleted.', ja: 'グループを削除しました。' },
}

// ── Telling ─────────────────────────────────────────────────────────────────
// What is committed first is told first: a change and its telling are one turn (`inTurn`) of their conversation.

type Events = (typeof channels)['pair']['events'] &
  (typeof channels)['group']['events'] &
  (typeof channels)['user']['events']
const tell = <E extends keyof Events & string>(
  realtime: Realtime,
  to: readonly string[],
  event: E,
  data: v.InferInput<Events[E]>,
) => realtime.broadcast(to, event, data)

const pairChannel = (a: number, b: number) => channelName(channels.pair, pairOf(a, b))
const groupChannel = (group: number) => channelName(channels.group, { group })
const userChannel = (user: number) => channelName(channels.user, { user })

/** In the chat itself, and in all windows of the two. */
const toPair = ({ from_user_id: a, to_user_id: b }: PrivateMessage) => [
  pairChannel(a, b),
  userChannel(a),
  userChannel(b),
]
const toGroup = (group: number, members: readonly number[]) => [
  groupChannel(group),
  ...members.map(userChannel),
]

const asEvent = ({ group_id: groupId, user_id: userId, ...message }: GroupMessage) => ({
  groupId,
  userId,
  ...message,
})

/** The others hear how far, one's own windows how much is left. */
function tellRead(
  realtime: Realtime,
  channel: string,
  me: number,
  last_read_id: number,
  left: Parameters<typeof tell<'UnreadChanged'>>[3],
) {
  tell(realtime, [channel], 'MessagesRead', { user_id: me, last_read_id })
  tell(realtime, [userChannel(me)], 'UnreadChanged', left)
}

function tellChange(realtime: Realtime, groupId: number, { change, tell: members }: groupModel.Happened) {
  tell(realtime, toGroup(groupId, members), 'GroupChanged', { groupId, change })
}

/** Who may not hear a group any more: one member, or everybody. */
function shutOut(realtime: Realtime, group: number, member?: number) {
  for (const channel of [groupChannel(group), channelName(channels.room, { group })])
    realtime.revoke({ channel, ...(member !== undefined && { member }) })
}

export const guards = (context: AppContext): Guards<typeof channels> => ({
  pair: (me, { smaller, larger }) => {
    if (smaller >= larger || (me !== smaller && me !== larger)) return false
    return model.isGranted(model.privateChat(context.db, me, me === smaller ? larger : smaller))
  },
  group: (me, { group }) => model.isGranted(model.membership(context.db, me, group)),
  room: async (me, { group }) =>
    (await model.isGranted(model.membership(context.db, me, group))) && person(asMember(context, me), me),
  user: (me, { user }) => me === user,
})

// ── Messages ────────────────────────────────────────────────────────────────

interface Written {
  text: string | null
  files: readonly Upload[]
  alt: readonly (string | null)[]
  client_id: string | null
}
/** `send` stores the message and tells of it, in a turn of the conversation. */
function keep<T>(
  context: AppContext,
  field: string,
  written: Written,
  conversation: string,
  send: (message: model.NewMessage) => Promise<T>,
) {
  const { text: body, files, alt, client_id } = written
  if (!body && !files.length) throw fieldError(field, said.nothing)
  return context.media.store(files, postImageSizes, (pictures) =>
    context.withLock(conversation, () => send({ body, pictures, alt, client_id })),
  )
}

export const chatRoutes: Handlers<typeof chat> = {
  conversations: ({ db, media, me, input }) => conversations(db, media, me.id, input),
  privateChat: async ({ db, media, me, input }) => {
    const { id, name, image, followed, last_read_id, seen_id } = await model.privateChat(db, me.id, input.id)
    const user = { id, name, profile_image: avatarUrl(media, image) }
    return { user, followed, last_read_id: last_read_id ?? 0, seen_id: seen_id ?? 0 }
  },
  privateMessages: ({ db, media, me, input: { id, ...cut } }) =>
    model.privateMessages(db, media, me.id, id, cut),

  sendPrivate: async ({ me, input: { input: text, targetUserId, ...rest }, files, ...context }) => {
    const { db, media, realtime } = context
    // Pictures cost something before the message is stored.
    if (files.length) await model.privateChat(db, me.id, targetUserId)
    const message = await keep(
      context,
      'input',
      { text, files, ...rest },
      pairChannel(me.id, targetUserId),
      async (given) => {
        const sent = await model.sendPrivate(db, media, me.id, targetUserId, given)
        if (sent.isNew) tell(realtime, toPair(sent.message), 'PrivateMessageSent', sent.message)
        return sent.message
      },
    )
    return { status: 'Message sent!', message }
  },

  readPrivate: async ({ db, realtime, withLock, me, input: { id: other, last_read_id: last } }) => {
    const { conversation } = await model.privateChat(db, me.id, other)
    if (conversation === null) return { unread: 0 }
    const channel = pairChannel(me.id, other)
    return withLock(channel, async () => {
      const { last_read_id, moved, unread } = await read(db, me.id, conversation, last)
      if (moved) tellRead(realtime, channel, me.id, last_read_id, { userId: other, groupId: null, unread })
      return { unread }
    })
  },

  groupMessages: ({ db, media, me, input: { id, ...cut } }) => model.groupMessages(db, media, me.id, id, cut),

  sendGroup: async ({ me, input: { message: text, group_id, ...rest }, files, ...context }) => {
    const { db, media, realtime } = context
    if (files.length) await model.membership(db, me.id, group_id)
    const message = await keep(
      context,
      'message',
      { text, files, ...rest },
      groupChannel(group_id),
      async (given) => {
        const sent = await model.sendToGroup(db, media, me.id, group_id, given)
        if (sent.isNew)
          tell(realtime, toGroup(group_id, sent.members), 'GroupMessageSent', asEvent(sent.message))
        return sent.message
      },
    )
    return { status: 'Message sent!', message }
  },

  edit: ({ db, media, realtime, withLock, me, input: { id, message } }) =>
    withLock(
      `message ${id}`,
      async () => tellChanged(realtime, await model.edit(db, media, me.id, id, message)).answer,
    ),

  remove: async ({ db, media, realtime, withLock, me, input: { id } }) => {
    const remove = async () => tellChanged(realtime, await model.remove(db, media, me.id, id))
    const { pictures, answer } = await withLock(`message ${id}`, remove)
    await media.deleteUnreferenced(pictures)
    return answer
  },

  unread: ({ db, me }) => unread(db, me.id),
}

function tellChanged(realtime: Realtime, changed: Awaited<ReturnType<typeof model.edit>>) {
  if (changed.private) tell(realtime, toPair(changed.private), 'PrivateMessageChanged', changed.private)
  else
    tell(
      realtime,
      toGroup(changed.group.group_id, changed.members),
      'GroupMessageChanged',
      asEvent(changed.group),
    )
  const { id, message, edited_at, deleted_at } = changed.private ?? changed.group
  return { pictures: changed.pictures, answer: { id, message, edited_at, deleted_at } }
}

// ── Groups ──────────────────────────────────────────────────────────────────

export const groupRoutes: Handlers<typeof groups> = {
  mine: ({ db, me }) => myGroups(db, me.id),
  all: ({ db, input }) => allGroups(db, input),
  show: ({ db, media, me, input }) => groupModel.group(db, media, me.id, input.id),
  members: ({ db, media, me, input: { id, ...cut } }) => groupModel.members(db, media, me.id, id, cut),

  read: async ({ db, realtime, withLock, me, input: { id: groupId, last_read_id: last } }) => {
    await model.membership(db, me.id, groupId)
    const channel = groupChannel(groupId)
    return withLock(channel, async () => {
      const { last_read_id, moved, unread } = await read(db, me.id, groupId, last)
      if (moved) tellRead(realtime, channel, me.id, last_read_id, { userId: null, groupId, unread })
      return { unread }
    })
  },

  create: async ({ db, media, realtime, me, input, lang }) => {
    const { id, name, ...happened } = await groupModel.create(db, media, me.id, input.name)
    tellChange(realtime, id, happened)
    return { message: said.created(name)[lang], group: { id, name } }
  },

  addUser: ({ db, media, realtime, withLock, me, input: { id, user_id }, lang }) =>
    withLock(groupChannel(id), async () => {
      const happened = await groupModel.addUser(db, media, me.id, id, user_id)
      if (happened) tellChange(realtime, id, happened)
      return answer(happened ? said.added : said.alreadyIn, lang)
    }),

  rename: ({ db, media, realtime, withLock, me, input: { id, name }, lang }) =>
    withLock(groupChannel(id), async () => {
      const happened = await groupModel.rename(db, media, me.id, id, name)
      if (happened) tellChange(realtime, id, happened)
      return answer(said.renamed(name), lang)
    }),

  leave: ({ db, media, realtime, withLock, me, input: { id }, lang }) =>
    withLock(groupChannel(id), async () => {
      const happened = await groupModel.leave(db, media, me.id, id)
      shutOut(realtime, id, me.id)
      tellChange(realtime, id, happened)
      return answer(said.left, lang)
    }),

  removeMember: ({ db, media, realtime, withLock, me, input: { id, user }, lang }) =>
    withLock(groupChannel(id), async () => {
      const happened = await groupModel.removeMember(db, media, me.id, id, user)
      if (!happened) return answer(said.notIn, lang)
      shutOut(realtime, id, user)
      tellChange(realtime, id, happened)
      return answer(said.removed, lang)
    }),

  remove: async ({ db, media, realtime, withLock, me, input: { id }, lang }) => {
    const pictures = await withLock(groupChannel(id), async () => {
      const { pictures, ...happened } = await groupModel.remove(db, media, me.id, id)
      tellChange(realtime, id, happened)
      shutOut(realtime, id)
      return pictures
    })
    await media.deleteUnreferenced(pictures)
    return answer(said.deleted, lang)
  },
}

const answer = (words: Localized, lang: keyof Localized) => ({ message: words[lang] })
