import { sql } from 'kysely'
import type { MemberFileKindAndSizeQueryBuilder } from '#core/statistics.ts'

/**
 * The query for the owner and the size of each picture in replies. The admins' list of what takes space uses
 * it.
 */
export const replyPictureStatisticsDefinition: MemberFileKindAndSizeQueryBuilder = {
  kind: 'reply_pictures',
  buildQuery: () => sql`
    select replies.user_id, media.bytes from reply_images
    join replies on replies.id = reply_images.reply_id join media on media.name = reply_images.media`,
}
