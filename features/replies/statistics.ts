import { sql } from 'kysely'
import type { MemberFilesQuery } from '#core/community/statistics.ts'

/** For the admins' list of what takes space. */
export const pictureSizes: MemberFilesQuery = {
  kind: 'reply_pictures',
  buildQuery: () => sql`
    select replies.user_id, media.bytes from reply_attachments
    join replies on replies.id = reply_attachments.reply_id join media on media.name = reply_attachments.media`,
}
