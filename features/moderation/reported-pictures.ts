import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import * as posts from '#features/posts/moderation.ts'
import { POST_IMAGE_GUARD } from '#features/posts/tables.ts'
import * as replies from '#features/replies/moderation.ts'
import { REPLY_IMAGE_GUARD } from '#features/replies/tables.ts'

/** Moderators outside the audience may fetch pictures of a reported post or reply while its case is open. */
export const pictureGuards = (context: AppContext): MediaGuards => ({
  [POST_IMAGE_GUARD]: async (me, picture) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'post', await posts.findByPicture(context.db, picture)),
  [REPLY_IMAGE_GUARD]: async (me, picture) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'reply', await replies.findByPicture(context.db, picture)),
})

/** False for the author, who may not work on the case. */
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
