import { sql } from 'kysely'
import { type MemberFilesQuery, rowsSince, type Statistics } from '#core/community/statistics.ts'

export const chatStatistics: Statistics = {
  counts: (db) =>
    db
      .selectFrom('conversations')
      .select(sql<number>`count(*)`.as('groups'))
      .where('pair', 'is', null)
      .executeTakeFirstOrThrow(),
  authors: (since) => rowsSince('messages', since),
}

/** Pictures and files of messages, and the pictures of groups. */
export const fileSizes: MemberFilesQuery = {
  kind: 'chat_pictures',
  buildQuery: () => sql`
    select messages.user_id, media.bytes from message_attachments
    join messages on messages.id = message_attachments.message_id
    join media on media.name = message_attachments.media
    union all select media.owner_id as user_id, media.bytes from conversations
    join media on media.name = conversations.picture where media.owner_id is not null`,
}
