import { sql } from 'kysely'
import {
  buildUserIdPerRowSinceQuery,
  type FeatureStatisticsFunctions,
  type MemberFileKindAndSizeQueryBuilder,
} from '#core/statistics.ts'
import { buildAllGroupsQuery } from './read-groups.ts'

export const chatStatisticsQueries: FeatureStatisticsFunctions = {
  counts: (db) =>
    buildAllGroupsQuery(db).select(sql<number>`count(*)`.as('groups')).executeTakeFirstOrThrow(),
  authors: (since) => buildUserIdPerRowSinceQuery('messages', since),
}

/**
 * Defines what the statistics of storage use, which admins see, count for chat: the pictures and files of
 * messages in private chats and groups, and the pictures of the groups themselves.
 */
export const chatFileStatisticsDefinition: MemberFileKindAndSizeQueryBuilder = {
  kind: 'chat_pictures',
  buildQuery: () => sql`
    select messages.user_id, media.bytes from message_attachments
    join messages on messages.id = message_attachments.message_id
    join media on media.name = message_attachments.media
    union all select media.owner_id as user_id, media.bytes from conversations
    join media on media.name = conversations.picture where media.owner_id is not null`,
}
