import type { AppContext } from '#core/context.ts'
import type { ReactionSubjectKind } from '#features/reactions/contract.ts'
import type { ReactionSubjectWithEventViewers } from '#features/reactions/subjects.ts'
import type { LinkPreview, LinkPreviewChanged } from './contract.ts'

/**
 * Returns the name of the lock for the preview of one post, reply or message. A change of the preview and its
 * broadcast run under this lock, so that the events have the order of the commits.
 */
export const toLinkPreviewLockKey = (subject: ReactionSubjectKind, id: number) =>
  `link preview ${subject} ${id}`

/**
 * Broadcasts the new preview of a post, reply or message to the viewers who also get the other events about
 * it. Null as the preview means that it was removed.
 */
export function broadcastLinkPreview(
  { realtime }: Pick<AppContext, 'realtime'>,
  subject: ReactionSubjectKind,
  { id, channel, aboutUsers, unlessMuted, inGroup, onlyFor }: ReactionSubjectWithEventViewers,
  preview: LinkPreview | null,
) {
  const data: LinkPreviewChanged = { subject, subject_id: id, preview }
  realtime.broadcast([channel], 'LinkPreviewChanged', data, { aboutUsers, unlessMuted, inGroup, onlyFor })
}
