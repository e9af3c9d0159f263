import type { AppContext } from '#core/context.ts'
import { fillChannelParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import type { Reaction, ReactionEvents, ReactionSubject } from './contract.ts'
import type { ReactionTarget } from './subjects.ts'

/**
 * Returns the key of the lock under which a change of reactions and its broadcast run, so that the events
 * have the order of the commits.
 */
export const toReactionLockKey = (subject: ReactionSubject, id: number) => `reactions ${subject} ${id}`

/**
 * Broadcasts the new numbers of reactions to a post, reply or message, to the viewers who also get the
 * other live events about this post, reply or message.
 */
export function broadcastReactions(
  { realtime }: Pick<AppContext, 'realtime'>,
  subject: ReactionSubject,
  { id, channel, aboutUsers, unlessMuted, onlyFor }: ReactionTarget,
  reactions: readonly Reaction[],
) {
  const counts = reactions.map(({ emoji, count }) => ({ emoji, count }))
  const data: ReactionEvents['ReactionsChanged'] = { subject, subject_id: id, reactions: counts }
  realtime.broadcast([channel], 'ReactionsChanged', data, { aboutUsers, unlessMuted, onlyFor })
}

/** Tells all windows of a member that the member has added or taken back a reaction. */
export const broadcastOwnReaction = (
  { realtime }: Pick<AppContext, 'realtime'>,
  member: number,
  data: ReactionEvents['OwnReactionChanged'],
) =>
  realtime.broadcast(
    [fillChannelParameters(chatChannelDefinitions.member, { user: member })],
    'OwnReactionChanged',
    data,
    { aboutUsers: [] },
  )
