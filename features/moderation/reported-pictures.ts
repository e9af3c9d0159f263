import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { MediaGuard, MediaGuards } from '#core/media/guards.ts'
import * as posts from '#features/posts/moderation.ts'
import { POST_FILE_GUARD, POST_IMAGE_GUARD } from '#features/posts/tables.ts'
import * as replies from '#features/replies/moderation.ts'
import { REPLY_FILE_GUARD, REPLY_IMAGE_GUARD } from '#features/replies/tables.ts'

/** Moderators outside the audience may fetch what a reported post or reply has while its case is open. */
export function pictureGuards(context: AppContext): MediaGuards {
  const ofPost: MediaGuard = async (me, name) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'post', await posts.findByMedia(context.db, name))
  const ofReply: MediaGuard = async (me, name) =>
    me.is_moderator &&
    hasOpenCaseForModerator({ ...context, me }, 'reply', await replies.findByMedia(context.db, name))
  return {
    [POST_IMAGE_GUARD]: ofPost,
    [POST_FILE_GUARD]: ofPost,
    [REPLY_IMAGE_GUARD]: ofReply,
    [REPLY_FILE_GUARD]: ofReply,
  }
}

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
