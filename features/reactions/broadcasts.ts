import type { AppContext } from '#core/context.ts'
import { fillChannelNameParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import type { EmojiReactionCountWithMine, ReactionEventDataByName, ReactionSubjectKind } from './contract.ts'
import type { ReactionSubjectWithEventViewers } from './subjects.ts'

/**
 * Returns the name of the lock that a change of reactions and its broadcast hold together, so that the events
 * are sent in the order of the commits.
 */
export const toReactionLockKey = (subject: ReactionSubjectKind, id: number) => `reactions ${subject} ${id}`

/**
 * Broadcasts the new numbers of reactions to a post, reply or message, to the viewers who also get its other
 * live events.
 */
export function broadcastReactionCounts(
  { realtime }: Pick<AppContext, 'realtime'>,
  subject: ReactionSubjectKind,
  { id, channel, aboutUsers, unlessMuted, inGroup, onlyFor }: ReactionSubjectWithEventViewers,
  reactions: readonly EmojiReactionCountWithMine[],
) {
  const counts = reactions.map(({ emoji, count }) => ({ emoji, count }))
  const data: ReactionEventDataByName['ReactionsChanged'] = { subject, subject_id: id, reactions: counts }
  realtime.broadcast([channel], 'ReactionsChanged', data, { aboutUsers, unlessMuted, inGroup, onlyFor })
}

/** Tells all open windows of a member that the member has added or removed a reaction. */
export const broadcastOwnReactionToMember = (
  { realtime }: Pick<AppContext, 'realtime'>,
  member: number,
  data: ReactionEventDataByName['OwnReactionChanged'],
) =>
  realtime.broadcast(
    [fillChannelNameParameters(chatChannelDefinitions.member, { user: member })],
    'OwnReactionChanged',
    data,
    { aboutUsers: [] },
  )
