import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { shorten } from '#core/text/shorten.ts'
import * as attached from '#features/conversations/attachments.ts'
import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { MAX_QUOTED } from './contract.ts'

// The content of a quote is not stored, so it changes and disappears with the quoted message.

/** Columns of the quoted message (`m`), its conversation (`c`) and its author (`u`). */
const quotedColumns = [
  ...(['m.id', 'm.user_id', 'm.deleted_at', 'm.hidden_at', 'c.pair'] as const),
  ...(['u.name', 'u.image', 'u.shared_handle', 'u.former_since'] as const),
] as const

const quotedContent = [
  sql<string>`substr(m.body, 1, ${sql.lit(MAX_QUOTED + 1)})`.as('text'),
  ...attached.countColumns,
] as const

interface QuotedRow {
  id: number
  user_id: number
  text: string
  images_count: number
  files_count: number
  voices_count: number
  videos_count: number
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

/** By message id. Without messages of people who have blocked the viewer, who must not know of them. */
export async function get(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return new Map<number, QuotedMessage>()
  const rows = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(people.authorsWithBlocked(viewer).as('u'), 'u.id', 'm.user_id')
    .select(quotedColumns)
    .select(quotedContent)
    .select(['u.is_blocked', 'u.is_muted'])
    .where('m.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toQuotedMessage(viewer, row, viewer.me.id)]))
}

export interface LiveQuote {
  author: number
  quoted: QuotedMessage
  /** Viewers who may not see, or have muted, the author of the quoted message. */
  hiddenFrom: readonly number[]
}

/** For the live event, as viewers see it who may see the author. Null if there is none. */
export async function live(viewer: ViewerContext, id: number | null): Promise<LiveQuote | null> {
  if (id === null) return null
  const row = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(people.unfiltered(viewer).as('u'), 'u.id', 'm.user_id')
    .select(quotedColumns)
    .select(quotedContent)
    .where('m.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    author: row.user_id,
    // No member has the id 0, so a hidden message is hidden from its author too.
    quoted: toQuotedMessage(viewer, { ...row, is_blocked: null, is_muted: null }, 0),
    hiddenFrom: await visibility.listHiddenOrMuting(viewer.db, row.user_id),
  }
}

/**
 * Null for a former member; undefined if the viewer sees no such message in the conversation, or only a note
 * in its place because they have blocked or muted its author.
 */
export async function findAuthor(viewer: MemberViewer & { db: Db }, conversation: number, id: number) {
  const row = await viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(people.authorsWithBlocked(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.former_since', 'u.is_blocked', 'u.is_muted', 'c.pair'])
    .where('m.id', '=', id)
    .where('m.conversation_id', '=', conversation)
    .where('m.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!row || isNote(row)) return undefined
  return row.former_since === null ? row.user_id : null
}

/**
 * A note stands for the message of a blocked or muted author. Not in private chats: a member may read a muted
 * person there, and has no access to the chat with a blocked one.
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
  const user = people.fromRow(media, { id: user_id, name, image, shared_handle, former_since })
  const isHidden = row.hidden_at !== null && user_id !== me
  const deleted_at = row.deleted_at ?? (isHidden ? row.hidden_at : null)
  if (deleted_at !== null) return { id, user, text: '', images_count: 0, deleted_at }
  return { id, user, text: shorten(row.text, MAX_QUOTED, ''), ...attached.toCounts(row), deleted_at }
}
