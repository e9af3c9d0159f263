import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import { findPostIdOfPicture } from '#features/posts/moderation.ts'
import { POST_IMAGE_ACCESS_GUARD_NAME } from '#features/posts/tables.ts'

/**
 * Creates the guard that lets moderators see the pictures of a reported post, even if they are not in the
 * audience of the post.
 */
export const createReportedPostImageAccessGuards = (context: AppContext): MediaGuards => ({
  [POST_IMAGE_ACCESS_GUARD_NAME]: (me, picture) => maySeeReportedPicture({ ...context, me }, picture),
})

/**
 * Whether the picture belongs to a reported post whose case is open, and the viewer may work on the case:
 * a moderator who is not the author.
 */
async function maySeeReportedPicture({ db, me }: MemberContext, picture: string) {
  if (!me.is_moderator) return false
  const post = await findPostIdOfPicture(db, picture)
  if (post === undefined) return false
  return hasMatchingRow(
    db
      .selectFrom('report_cases')
      .select('id')
      .where('kind', '=', 'post')
      .where('subject_id', '=', post)
      .where('closed_at', 'is', null)
      .where('author_id', '!=', me.id),
  )
}
