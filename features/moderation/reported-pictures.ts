import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import { findPostIdOfPicture } from '#features/posts/moderation.ts'
import { POST_IMAGE_ACCESS_GUARD_NAME } from '#features/posts/tables.ts'
import { findReplyIdOfPicture } from '#features/replies/moderation.ts'
import { REPLY_IMAGE_ACCESS_GUARD_NAME } from '#features/replies/tables.ts'

/**
 * Creates the access guards that let moderators, too, fetch the pictures of a reported post or reply while
 * its case is open, even if they are not in the audience of the post.
 */
export const createReportedPictureAccessGuards = (context: AppContext): MediaReadGuardsByName => ({
  [POST_IMAGE_ACCESS_GUARD_NAME]: async (me, picture) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'post', await findPostIdOfPicture(context.db, picture)),
  [REPLY_IMAGE_ACCESS_GUARD_NAME]: async (me, picture) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'reply', await findReplyIdOfPicture(context.db, picture)),
})

/**
 * Returns whether there is an open case about the post or reply, and the moderator is not its author, who may
 * not work on the case.
 */
async function hasOpenCaseForModerator(
  { db, me }: MemberContext,
  kind: 'post' | 'reply',
  subject: number | undefined,
) {
  if (subject === undefined) return false
  return hasMatchingRow(
    db
      .selectFrom('report_cases')
      .select('id')
      .where('kind', '=', kind)
      .where('subject_id', '=', subject)
      .where('closed_at', 'is', null)
      .where('author_id', '!=', me.id),
  )
}
