import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisibleFormerOrBlockedAuthorRowsQuery,
  toPersonFromRow,
} from '#features/people/read.ts'
import {
  listViewerIdsWhoMuteOrMayNotSeePerson,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { buildMessageAttachmentCountExpression, messageVoiceRecordingCountExpression } from './attachments.ts'
import { MAX_QUOTED_TEXT_LENGTH, type QuotedMessage } from './contract.ts'

// The functions of this file read the messages that other messages quote. The content of a quote is not
// stored: it is read from the quoted message each time, so it changes and disappears with the quoted message.

/**
 * The names of the columns that are read for a quote: of the quoted message (`m`), of its conversation (`c`)
 * and of its author (`u`).
 */
const quotedColumns = [
  ...(['m.id', 'm.user_id', 'm.deleted_at', 'm.hidden_at', 'c.pair'] as const),
  ...(['u.name', 'u.image', 'u.shared_handle', 'u.former_since'] as const),
] as const

/**
 * SQL expressions: the beginning of the text of the message `m`, and the numbers of its pictures, other files
 * and voice recordings.
 */
const quotedContent = [
  sql<string>`substr(m.body, 1, ${sql.lit(MAX_QUOTED_TEXT_LENGTH)})`.as('text'),
  buildMessageAttachmentCountExpression('picture').as('images_count'),
  buildMessageAttachmentCountExpression('file').as('files_count'),
  messageVoiceRecordingCountExpression.as('recordings_count'),
] as const

interface QuotedRow {
  id: number
  user_id: number
  text: string
  images_count: number
  files_count: number
  recordings_count: number
  deleted_at: string | null
  hidden_at: string | null
  pair: string | null
  name: string
  image: string | null
  shared_handle: string | null
  former_since: string | null
  is_blocked: number | null
  is_muted: number | null
}

/**
 * Reads quoted messages as the viewer may see them, as a map by message id. Leaves out the messages of
 * people who have blocked the viewer, because the viewer must not know of them.
 */
export async function readQuotedMessagesById(viewer: MemberViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, QuotedMessage>()
  const rows = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(buildVisibleFormerOrBlockedAuthorRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(quotedColumns)
    .select(quotedContent)
    .select(['u.is_blocked', 'u.is_muted'])
    .where('m.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toQuotedMessage(viewer, row, viewer.me.id)]))
}

/** The quote of a message for its live event: the quoted message, and the viewers who must not see it. */
export interface QuotedMessageWithExcludedViewers {
  author: number
  quoted: QuotedMessage
  /** The ids of the viewers who may not see the author of the quoted message, or have muted that author. */
  hiddenFrom: readonly number[]
}

/**
 * Reads the quote of a message for its live event, as viewers see it who may see the author of the quoted
 * message. Returns null if there is no such quoted message.
 */
export async function readQuotedMessageWithExcludedViewers(
  viewer: ViewerContext,
  id: number | null,
): Promise<QuotedMessageWithExcludedViewers | null> {
  if (id === null) return null
  const row = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(buildUnfilteredPersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(quotedColumns)
    .select(quotedContent)
    .where('m.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    author: row.user_id,
    // Uses the viewer id 0, which no member has, so that a message that a moderator has hidden is hidden from
    // its author too.
    quoted: toQuotedMessage(viewer, { ...row, is_blocked: null, is_muted: null }, 0),
    hiddenFrom: await listViewerIdsWhoMuteOrMayNotSeePerson(viewer.db, row.user_id),
  }
}

/**
 * Returns the id of the author of a message that a new message of this conversation may quote; null for a
 * former member. Returns undefined if the viewer sees no such message in the conversation, or only a note in
 * its place because they have blocked or muted its author.
 */
export async function findAuthorIdOfQuotableMessage(
  viewer: MemberViewerContext & { db: Db },
  conversation: number,
  id: number,
) {
  const row = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(buildVisibleFormerOrBlockedAuthorRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.former_since', 'u.is_blocked', 'u.is_muted', 'c.pair'])
    .where('m.id', '=', id)
    .where('m.conversation_id', '=', conversation)
    .where('m.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!row || isNote(row)) return undefined
  return row.former_since === null ? row.user_id : null
}

/**
 * Returns whether the viewer sees a note in place of the message, because they have blocked or muted its
 * author. In private chats no note replaces a message: a member may read the messages of a muted person
 * there, and has no access to the chat with a blocked person.
 */
const isNote = ({ pair, is_blocked, is_muted }: Pick<QuotedRow, 'pair' | 'is_blocked' | 'is_muted'>) =>
  pair === null && (is_blocked !== null || is_muted !== null)

function toQuotedMessage({ media }: ViewerContext, row: QuotedRow, me: number): QuotedMessage {
  const { id, user_id, name, image, shared_handle, former_since } = row
  if (isNote(row))
    return {
      ...{ id, text: '', images_count: 0, deleted_at: null },
      user: { id: 0, name: '', profile_image: null },
      ...(row.is_blocked === null ? { is_muted: true } : { is_blocked: true }),
    }
  const user = toPersonFromRow(media, { id: user_id, name, image, shared_handle, former_since })
  const isHidden = row.hidden_at !== null && user_id !== me
  const deleted_at = row.deleted_at ?? (isHidden ? row.hidden_at : null)
  if (deleted_at !== null) return { id, user, text: '', images_count: 0, deleted_at }
  const [images_count, files_count] = [Number(row.images_count), Number(row.files_count)]
  const isVoice = Number(row.recordings_count) > 0 && ({ is_voice: true } as const)
  return {
    id,
    user,
    text: row.text,
    images_count,
    ...(files_count && { files_count }),
    ...isVoice,
    deleted_at,
  }
}
