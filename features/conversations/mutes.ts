import { isKnownTimeZone } from '#core/community/settings-contract.ts'
import type { MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { localTime } from '#core/text/times.ts'
import * as broadcasts from './broadcasts.ts'
import { MUTED_FOREVER, type MuteDuration, type muteEndpoints } from './contract.ts'
import * as chats from './read.ts'
import * as readMarks from './read-marks.ts'

const HOUR = 3600_000
/** Local hour at which `tomorrow` ends. */
const END_HOUR = 8

/** ISO time. `timeZone` must be a known time zone. */
export function endOfMute(choice: MuteDuration, timeZone: string, now = new Date()) {
  if (choice === 'always') return MUTED_FOREVER
  if (choice === 'hour') return new Date(now.getTime() + HOUR).toISOString()
  const { year, month, day } = localTime(now.getTime(), timeZone)
  const local = Date.UTC(year, month - 1, day + 1, END_HOUR)
  // Converts local time to UTC twice: the clocks may change before the mute ends, so the second round uses
  // the offset at the result of the first.
  let end = local
  for (let i = 0; i < 2; i++) end = local - computeOffset(new Date(end), timeZone)
  return new Date(end).toISOString()
}

/** Milliseconds by which local clocks are ahead of UTC. */
function computeOffset(at: Date, timeZone: string) {
  const { year, month, day, hour, minute, second } = localTime(at.getTime(), timeZone)
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  return local - Math.floor(at.getTime() / 1000) * 1000
}

/** A null `muted_until` ends the mute. */
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
    tx.afterCommit(() => broadcasts.mute(context, context.me.id, { ...ids, muted_until }))
  })
  return { muted_until }
}

async function mutePrivateChat(context: MemberContext, other: number, muted_until: string | null) {
  const { conversation } = await chats.requirePrivate(context, other)
  // A private chat has no row to mute before its first message.
  if (conversation === null) throw chats.noMessage()
  return muteConversation(context, conversation, { userId: other, groupId: null }, muted_until)
}

async function muteGroup(context: MemberContext, group: number, muted_until: string | null) {
  await chats.requireMember(context, group)
  return muteConversation(context, group, { userId: null, groupId: group }, muted_until)
}

function toEndOfMute(
  { settings }: MemberContext,
  { for: choice, time_zone: zone }: { for: MuteDuration; time_zone: string | null },
) {
  const timeZone = zone && isKnownTimeZone(zone) ? zone : (settings.current().time_zone ?? 'UTC')
  return endOfMute(choice, timeZone)
}

export const muteHandlers: Handlers<typeof muteEndpoints> = {
  mutePrivate: (context) => mutePrivateChat(context, context.input.id, toEndOfMute(context, context.input)),
  unmutePrivate: (context) => mutePrivateChat(context, context.input.id, null),
  muteGroup: (context) => muteGroup(context, context.input.id, toEndOfMute(context, context.input)),
  unmuteGroup: (context) => muteGroup(context, context.input.id, null),
  markUnread: async (context) => {
    const { conversation_id, other, unread } = await readMarks.moveBack(context, context.input.id)
    const ids = { userId: other, groupId: other === null ? conversation_id : null }
    broadcasts.unreadCount(context, context.me.id, { ...ids, unread })
    return { unread }
  },
}
