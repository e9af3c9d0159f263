import { isKnownTimeZone } from '#core/community-settings-contract.ts'
import type { MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { broadcastConversationMuteToMember, broadcastConversationUnreadCountToMember } from './broadcasts.ts'
import {
  type ConversationMuteDuration,
  type conversationMuteAndUnreadEndpoints,
  END_TIME_OF_ENDLESS_CONVERSATION_MUTE,
} from './conversation-mute-contract.ts'
import { createNoSuchMessageError, requireGroupMembership, requireReadablePrivateChat } from './read.ts'
import { moveReadMarkBackBeforeMessage } from './read-marks.ts'

// The functions of this file mute conversations for a member, and mark messages as unread for the member.

const HOUR = 3600_000
/** The hour of the next day, in local time, at which a mute with the choice `tomorrow` ends. */
const END_HOUR = 8

/**
 * Returns the time (in ISO format) at which a mute of a conversation ends if it begins now. `timeZone` must
 * be the name of a known time zone.
 */
export function computeIsoEndTimeOfConversationMute(
  choice: ConversationMuteDuration,
  timeZone: string,
  now = new Date(),
) {
  if (choice === 'always') return END_TIME_OF_ENDLESS_CONVERSATION_MUTE
  if (choice === 'hour') return new Date(now.getTime() + HOUR).toISOString()
  const { year, month, day } = readLocalTime(now, timeZone)
  const local = Date.UTC(year!, month! - 1, day! + 1, END_HOUR)
  // Converts the local end of the mute to UTC. The first round uses an approximate time to find the offset of
  // the time zone. The second round uses the offset at the result of the first round, because the clocks may
  // change before the mute ends.
  let end = local
  for (let i = 0; i < 2; i++) end = local - computeOffset(new Date(end), timeZone)
  return new Date(end).toISOString()
}

function readLocalTime(at: Date, timeZone: string) {
  const units = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const times = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const parts = new Intl.DateTimeFormat('en', { ...units, ...times, timeZone }).formatToParts(at)
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
}

/** Returns by how many milliseconds the clocks of a time zone are ahead of UTC at the time `at`. */
function computeOffset(at: Date, timeZone: string) {
  const { year, month, day, hour, minute, second } = readLocalTime(at, timeZone)
  const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
  return local - Math.floor(at.getTime() / 1000) * 1000
}

/**
 * Stores until when the member has muted a conversation (null ends the mute), and sends this time to all
 * windows of the member.
 */
async function muteConversation(
  context: MemberContext,
  conversation: number,
  ids: { userId: number | null; groupId: number | null },
  muted_until: string | null,
) {
  await transaction(context.db, async (tx) => {
    await tx
      .updateTable('conversation_members')
      .set({ muted_until })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', context.me.id)
      .execute()
    tx.afterCommit(() => broadcastConversationMuteToMember(context, context.me.id, { ...ids, muted_until }))
  })
  return { muted_until }
}

async function mutePrivateChat(context: MemberContext, other: number, muted_until: string | null) {
  const { conversation } = await requireReadablePrivateChat(context, other)
  // Throws 404, because a private chat has no row that can be muted before its first message.
  if (conversation === null) throw createNoSuchMessageError()
  return muteConversation(context, conversation, { userId: other, groupId: null }, muted_until)
}

async function muteGroup(context: MemberContext, group: number, muted_until: string | null) {
  await requireGroupMembership(context, group)
  return muteConversation(context, group, { userId: null, groupId: group }, muted_until)
}

function toEndOfMute(
  { settings }: MemberContext,
  { for: choice, time_zone: zone }: { for: ConversationMuteDuration; time_zone: string | null },
) {
  const timeZone = zone && isKnownTimeZone(zone) ? zone : (settings.current().time_zone ?? 'UTC')
  return computeIsoEndTimeOfConversationMute(choice, timeZone)
}

export const conversationMuteAndUnreadEndpointHandlers: EndpointHandlers<
  typeof conversationMuteAndUnreadEndpoints
> = {
  mutePrivate: (context) => mutePrivateChat(context, context.input.id, toEndOfMute(context, context.input)),
  unmutePrivate: (context) => mutePrivateChat(context, context.input.id, null),
  muteGroup: (context) => muteGroup(context, context.input.id, toEndOfMute(context, context.input)),
  unmuteGroup: (context) => muteGroup(context, context.input.id, null),
  markUnread: async (context) => {
    const { conversation_id, other, unread } = await moveReadMarkBackBeforeMessage(context, context.input.id)
    const ids = { userId: other, groupId: other === null ? conversation_id : null }
    broadcastConversationUnreadCountToMember(context, context.me.id, { ...ids, unread })
    return { unread }
  },
}
