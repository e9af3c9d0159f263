import { sql } from 'kysely'
import {
  type BatchResult,
  type ContentKind,
  type ContentSummary,
  findLaterTime,
  parseSummary,
  type Retention,
} from '#core/community/retention.ts'
import { MAX_PREVIEW_COUNT } from '#core/community/settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as channels from '#features/conversations/channels.ts'
import * as attachments from '#features/posts/attachments.ts'
import * as messageBroadcasts from './broadcasts.ts'

type CountRow = Parameters<typeof parseSummary>[0]

/** Per transaction. A message loses all its files at once, so there can be a few more than PICTURE_BATCH. */
const MESSAGE_BATCH = 500
const PICTURE_BATCH = 200

/**
 * `pictures` includes the files of messages. Old messages are deleted; a message that only loses its pictures
 * and files stays, with their number.
 */
export const chatRetention: Retention = {
  async count({ db }, limits) {
    const counts: Partial<Record<ContentKind, ContentSummary>> = {}
    if (limits.messages !== null) {
      const { rows } = await sql<CountRow>`
        select count(*) as count, null as bytes, min(created_at) as oldest from (
          select created_at from messages where created_at < ${limits.messages} and deleted_at is null
          order by created_at limit ${MAX_PREVIEW_COUNT + 1}) old`.execute(db)
      counts.messages = parseSummary(rows[0]!)
    }
    // Includes those of old messages, which are removed with them.
    const picturesBefore = findLaterTime(limits.messages, limits.pictures)
    if (picturesBefore !== null) {
      const { rows } = await sql<CountRow>`
        select count(*) as count, sum(d.bytes) as bytes, min(old.created_at) as oldest
        from (${oldAttachments(picturesBefore, MAX_PREVIEW_COUNT + 1)}) old
        join media d on d.name = old.media`.execute(db)
      counts.pictures = parseSummary(rows[0]!)
    }
    return counts
  },
  removeBatch: { messages: removeMessages, pictures: removeMessagePictures },
}

async function removeMessages(context: AppContext, tx: Tx, before: string): Promise<BatchResult> {
  const rows = await oldMessages(tx, before).execute()
  const hasMore = rows.length === MESSAGE_BATCH
  if (!rows.length) return { count: 0, bytes: 0, hasMore }
  const conversations = [...new Set(rows.map(({ conversation_id }) => conversation_id))]
  await lockConversations(tx, conversations)
  const ids = rows.map(({ id }) => id)
  const names = await deleteImages(tx, ids)
  const bytes = await lifecycle.sumBytes(tx, names)
  await lifecycle.detach(tx, names)
  await tx.deleteFrom('messages').where('id', 'in', ids).execute()
  const kept = await readFirstKeptIds(tx, conversations)
  const newest = Math.max(...ids)
  tx.afterCommit(() => {
    for (const { id, pair, first } of kept)
      messageBroadcasts.removedBelow(context, channels.of(id, pair), first ?? newest + 1)
  })
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: ids.length, bytes, hasMore }
}

/** Also deleted and hidden ones, at most MESSAGE_BATCH. */
export const oldMessages = (tx: Tx, before: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(MESSAGE_BATCH)

/** Locks in the order of the ids. Only PostgreSQL needs it: SQLite runs one transaction at a time. */
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

/** Null for a conversation without messages. */
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

async function removeMessagePictures(context: AppContext, tx: Tx, before: string): Promise<BatchResult> {
  const { rows } = await oldAttachments(before).execute(tx)
  const hasMore = rows.length === PICTURE_BATCH
  if (!rows.length) return { count: 0, bytes: 0, hasMore }
  await lockConversations(tx, [...new Set(rows.map(({ conversation_id }) => conversation_id))])
  const removed = await tx
    .deleteFrom('message_attachments')
    .where('message_id', 'in', [...new Set(rows.map(({ message_id }) => message_id))])
    .returning(['message_id', 'media', 'file'])
    .execute()
  const byMessage = Map.groupBy(removed, ({ message_id }) => message_id)
  for (const [count, same] of Map.groupBy(byMessage, ([, gone]) => attachments.countOf(gone)))
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
  const bytes = await lifecycle.sumBytes(tx, names)
  await lifecycle.detach(tx, names)
  const cleared = await listCleared(tx, rows)
  tx.afterCommit(() => {
    for (const { id, pair, before_id } of cleared)
      messageBroadcasts.filesRemovedBelow(context, channels.of(id, pair), before_id)
  })
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: names.length, bytes, hasMore }
}

/**
 * For each conversation `before_id`: no message with a smaller id has files any more. Usually the id after
 * the last of these messages; if an earlier one was written while the clock was wrong, it can still have
 * some: then its id.
 */
async function listCleared(tx: Tx, messages: readonly { message_id: number; conversation_id: number }[]) {
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

/** Reads only up to the newest message before that time, not the pictures of newer ones. */
export const oldAttachments = (before: string, limit = PICTURE_BATCH) => sql<{
  message_id: number
  conversation_id: number
}>`
  select i.message_id, i.media, m.conversation_id, m.created_at
  from message_attachments i join messages m on m.id = i.message_id
  where i.message_id <= (
      select id from messages where created_at < ${before} order by created_at desc, id desc limit 1)
    and m.created_at < ${before}
  order by i.message_id limit ${limit}`
