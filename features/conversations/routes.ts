import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import * as people from '#features/people/read.ts'
import * as broadcasts from './broadcasts.ts'
import * as channels from './channels.ts'
import type { chatChannels, conversationEndpoints } from './contract.ts'
import * as lists from './lists.ts'
import * as read from './read.ts'
import * as readMarks from './read-marks.ts'
import { MESSAGE_GUARD } from './tables.ts'
import { cachedUnread } from './unread.ts'

export const channelGuards = (context: AppContext): ChannelGuards<typeof chatChannels> => ({
  privateChat: async (me, { smaller, larger }) => {
    if (smaller >= larger || (me !== smaller && me !== larger)) return false
    const other = me === smaller ? larger : smaller
    return (
      (await read.canSubscribe(withoutRoles(context, me), other)) &&
      context.contacts.isContactAllowed(context.db, me, other)
    )
  },
  group: (me, { group }) => isAllowed(read.requireMember(withoutRoles(context, me), group)),
  groupPresence: async (me, { group }) => {
    const viewer = withoutRoles(context, me)
    return (await isAllowed(read.requireMember(viewer, group))) && people.get(viewer, me)
  },
  member: (me, { user }) => me === user,
})

/** Members who may read the message. */
export const attachmentGuards = (context: AppContext): MediaGuards => ({
  [MESSAGE_GUARD]: (me, picture) => isAllowed(read.requireByFile({ ...context, me }, picture)),
})

/** False if the check throws an `HttpError`. */
const isAllowed = (check: Promise<unknown>) =>
  check.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError) return false
      throw error
    },
  )

/** Broadcasts only a mark that has moved. */
const markReadAndBroadcast = (
  context: RequestContext<typeof conversationEndpoints.readPrivate | typeof conversationEndpoints.readGroup>,
  conversation: number,
  channel: string,
  ids: { userId: number | null; groupId: number | null },
) =>
  context.withLock(channel, async () => {
    const mark = await readMarks.moveForward(context, conversation, context.input.last_read_id)
    if (mark.hasMoved) broadcasts.readMark(context, channel, mark, ids)
    return { unread: mark.unread }
  })

export const conversationHandlers = (app: AppContext): Handlers<typeof conversationEndpoints> => ({
  privateChats: (context) => lists.listPrivate(context, context.input),
  groups: (context) => lists.listGroups(context),
  groupmates: (context) => lists.listGroupmates(context, context.input),
  privateChat: (context) => read.getPrivate(context, context.input.id),
  unread: cachedUnread(app),

  readPrivate: async (context) => {
    const other = context.input.id
    const { conversation } = await read.requirePrivate(context, other)
    if (conversation === null) return { unread: 0 }
    const channel = channels.privateChat(context.me.id, other)
    return markReadAndBroadcast(context, conversation, channel, { userId: other, groupId: null })
  },

  readGroup: async (context) => {
    const groupId = context.input.id
    await read.requireMember(context, groupId)
    return markReadAndBroadcast(context, groupId, channels.group(groupId), { userId: null, groupId })
  },
})
