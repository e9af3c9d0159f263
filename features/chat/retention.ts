import { sql } from 'kysely'
import { MAX_COUNT_IN_RETENTION_PREVIEW } from '#core/community-settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { markMediaUnreferenced, sumBytesOfMediaWithNames } from '#core/media/lifecycle.ts'
import {
  type FeatureRetentionFunctions,
  findLaterTime,
  parseRemovableContentSummaryRow,
  type RemovableContentKind,
  type RemovableContentSummary,
  type RetentionBatchResult,
} from '#core/retention.ts'
import {
  broadcastRemovalOfAttachmentsBelowMessageId,
  broadcastRemovalOfMessagesBelowId,
  toChannelNameOfStoredConversation,
} from './broadcasts.ts'

type CountRow = Parameters<typeof parseRemovableContentSummaryRow>[0]

/**
 * The maximum number of messages that one transaction of the retention removes (MESSAGE_BATCH), and the
 * maximum number of old pictures and files that one transaction looks for (PICTURE_BATCH). A message loses
 * all its pictures and files in one transaction, so the transaction can remove a few more than PICTURE_BATCH.
 */
const MESSAGE_BATCH = 500
const PICTURE_BATCH = 200

/**
 * The retention of chat: counts and removes old messages with their pictures and files, and old pictures and
 * files of other messages. The kind `pictures` of the retention includes the files of messages. The rows of
 * old messages are deleted. A message that only loses its pictures and files stays, and stores the
 * number of those that were removed.
 */
export const chatRetentionFunctions: FeatureRetentionFunctions = {
  async count({ db }, limits) {
    const counts: Partial<Record<RemovableContentKind, RemovableContentSummary>> = {}
    if (limits.messages !== null) {
      const { rows } = await sql<CountRow>`
        select count(*) as count, null as bytes, min(created_at) as oldest from (
          select created_at from messages where created_at < ${limits.messages} and deleted_at is null
          order by created_at limit ${MAX_COUNT_IN_RETENTION_PREVIEW + 1}) old`.execute(db)
      counts.messages = parseRemovableContentSummaryRow(rows[0]!)
    }
    // The count of pictures and files includes those of old messages, because they are removed with their
    // messages.
    const picturesBefore = findLaterTime(limits.messages, limits.pictures)
    if (picturesBefore !== null) {
      const { rows } = await sql<CountRow>`
        select count(*) as count, sum(d.bytes) as bytes, min(old.created_at) as oldest
        from (${buildOldMessageAttachmentsQuery(picturesBefore, MAX_COUNT_IN_RETENTION_PREVIEW + 1)}) old
        join media d on d.name = old.media`.execute(db)
      counts.pictures = parseRemovableContentSummaryRow(rows[0]!)
    }
    return counts
  },
  removeBatch: { messages: removeMessages, pictures: removeMessagePictures },
}

async function removeMessages(context: AppContext, tx: Tx, before: string): Promise<RetentionBatchResult> {
  const rows = await buildOldMessagesQuery(tx, before).execute()
  const hasMore = rows.length === MESSAGE_BATCH
  if (!rows.length) return { count: 0, bytes: 0, hasMore }
  const conversations = [...new Set(rows.map(({ conversation_id }) => conversation_id))]
  await lockConversations(tx, conversations)
  const ids = rows.map(({ id }) => id)
  const names = await deleteImages(tx, ids)
  const bytes = await sumBytesOfMediaWithNames(tx, names)
  await markMediaUnreferenced(tx, names)
  await tx.deleteFrom('messages').where('id', 'in', ids).execute()
  const kept = await readFirstKeptIds(tx, conversations)
  const newest = Math.max(...ids)
  tx.afterCommit(() => {
    for (const { id, pair, first } of kept)
      broadcastRemovalOfMessagesBelowId(
        context,
        toChannelNameOfStoredConversation(id, pair),
        first ?? newest + 1,
      )
  })
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: ids.length, bytes, hasMore }
}

/**
 * Returns a query for the oldest messages that were written before a time, also deleted and hidden ones, at
 * most MESSAGE_BATCH.
 */
export const buildOldMessagesQuery = (tx: Tx, before: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(MESSAGE_BATCH)

/**
 * Locks the rows of conversations in the order of their ids. Only PostgreSQL needs the locks, because SQLite
 * runs one transaction at a time.
 */
async function lockConversations(tx: Tx, ids: readonly number[]) {
  if (isPostgres(tx))
    await tx
      .selectFrom('conversations')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
}

async function deleteImages(tx: Tx, messages: readonly number[]) {
  const images = await tx
    .deleteFrom('message_attachments')
    .where('message_id', 'in', messages)
    .returning('media')
    .execute()
  return images.map(({ media }) => media)
}

/**
 * Reads the id of the oldest remaining message of each of these conversations; null if a conversation has no
 * message.
 */
const readFirstKeptIds = (tx: Tx, conversations: readonly number[]) =>
  tx
    .selectFrom('conversations as c')
    .select(['c.id', 'c.pair'])
    .select(
      sql<number | null>`(select id from messages where conversation_id = c.id order by id + 0 limit 1)`.as(
        'first',
      ),
    )
    .where('c.id', 'in', conversations)
    .execute()

async function removeMessagePictures(
  context: AppContext,
  tx: Tx,
  before: string,
): Promise<RetentionBatchResult> {
  const { rows } = await buildOldMessageAttachmentsQuery(before).execute(tx)
  const hasMore = rows.length === PICTURE_BATCH
  if (!rows.length) return { count: 0, bytes: 0, hasMore }
  await lockConversations(tx, [...new Set(rows.map(({ conversation_id }) => conversation_id))])
  const removed = await tx
    .deleteFrom('message_attachments')
    .where('message_id', 'in', [...new Set(rows.map(({ message_id }) => message_id))])
    .returning(['message_id', 'media'])
    .execute()
  const byMessage = Map.groupBy(removed, ({ message_id }) => message_id)
  for (const [count, same] of Map.groupBy(byMessage, ([, images]) => images.length))
    await tx
      .updateTable('messages')
      .set((q) => ({ removed_images: q('removed_images', '+', count) }))
      .where(
        'id',
        'in',
        same.map(([id]) => id),
      )
      .execute()
  const names = removed.map(({ media }) => media)
  const bytes = await sumBytesOfMediaWithNames(tx, names)
  await markMediaUnreferenced(tx, names)
  const cleared = await readConversationsWithoutOldImages(tx, rows)
  tx.afterCommit(() => {
    for (const { id, pair, before_id } of cleared)
      broadcastRemovalOfAttachmentsBelowMessageId(
        context,
        toChannelNameOfStoredConversation(id, pair),
        before_id,
      )
  })
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: names.length, bytes, hasMore }
}

/**
 * Returns for each conversation of these messages an id `before_id`: no message of the conversation with a
 * smaller id has pictures or files any more. Usually this is the id after the last of these messages, because
 * pictures and files are removed in the order of the message ids. If the clock of the server was wrong when
 * an earlier message was written, that message can still have some. `before_id` is then the id of that
 * message.
 */
async function readConversationsWithoutOldImages(
  tx: Tx,
  messages: readonly { message_id: number; conversation_id: number }[],
) {
  const byConversation = Map.groupBy(messages, ({ conversation_id }) => conversation_id)
  const ids = [...byConversation.keys()]
  const conversations = await tx
    .selectFrom('conversations')
    .select(['id', 'pair'])
    .where('id', 'in', ids)
    .execute()
  const newest = Math.max(...messages.map(({ message_id }) => message_id))
  const { rows: kept } = await sql<{ conversation_id: number; first: number }>`
    select m.conversation_id, min(i.message_id) as first
    from message_attachments i join messages m on m.id = i.message_id
    where i.message_id <= ${newest} and m.conversation_id in (${sql.join(ids)})
    group by m.conversation_id`.execute(tx)
  const firstKept = new Map(kept.map(({ conversation_id, first }) => [conversation_id, Number(first)]))
  return conversations.map(({ id, pair }) => {
    const removed = byConversation.get(id)!.map(({ message_id }) => message_id)
    return {
      id,
      pair,
      before_id: Math.min(firstKept.get(id) ?? Number.POSITIVE_INFINITY, Math.max(...removed) + 1),
    }
  })
}

/**
 * Returns an SQL query for the oldest pictures and files of the messages that were written before a time. It
 * reads only messages up to the id of the newest message before that time, so that it does not read the
 * pictures of newer messages.
 */
export const buildOldMessageAttachmentsQuery = (before: string, limit = PICTURE_BATCH) => sql<{
  message_id: number
  conversation_id: number
}>`
  select i.message_id, i.media, m.conversation_id, m.created_at
  from message_attachments i join messages m on m.id = i.message_id
  where i.message_id <= (
      select id from messages where created_at < ${before} order by created_at desc, id desc limit 1)
    and m.created_at < ${before}
  order by i.message_id limit ${limit}`
