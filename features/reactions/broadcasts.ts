import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import type { EmojiCount, ReactionEvents, SubjectKind } from './contract.ts'
import type { Subject } from './subjects.ts'

/**
 * A change and its broadcast hold this lock together, so that events are sent in the order of the commits.
 */
export const lockKey = (subject: SubjectKind, id: number) => `reactions ${subject} ${id}`

/** To the viewers who also get the other live events of the post, reply or message. */
export function broadcastCounts(
  { realtime }: Pick<AppContext, 'realtime'>,
  subject: SubjectKind,
  { id, channel, aboutUsers, unlessMuted, inGroup, onlyFor }: Subject,
  reactions: readonly EmojiCount[],
) {
  const counts = reactions.map(({ emoji, count }) => ({ emoji, count }))
  const data: ReactionEvents['ReactionsChanged'] = { subject, subject_id: id, reactions: counts }
  realtime.broadcast([channel], 'ReactionsChanged', data, { aboutUsers, unlessMuted, inGroup, onlyFor })
}

/** To all open windows of the member. */
export const broadcastOwn = (
  { realtime }: Pick<AppContext, 'realtime'>,
  member: number,
  data: ReactionEvents['OwnReactionChanged'],
) =>
  realtime.broadcast([fillChannel(chatChannels.member, { user: member })], 'OwnReactionChanged', data, {
    aboutUsers: [],
  })
