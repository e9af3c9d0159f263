import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CurrentUser } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import type { MessageRow } from './message-mappers.ts'
import { formatPrivateChatPair } from './read.ts'
import { buildReadMarkUpdateStatementForOwnMessage } from './read-marks.ts'

/**
 * The result of `reserveMessageId`: the id of the new message, and whether the author has sent a message with
 * the same `client_id` before. Null on SQLite, and for the first message of a private chat: inserting the row
 * finds out both then.
 */
export type MessageIdReservation = { id: number; isRepeated: boolean } | null

/**
 * Takes the id of a new message from PostgreSQL before the message is inserted, so that the transaction need
 * not wait for the answer to the insertion: the commit leaves together with it. The conversation must be
 * locked. So the ids of its messages have the order of the commits, and no other request can use the
 * `client_id` meanwhile. `isConversation` is an SQL condition for a row `c` of `conversations`. Returns null
 * if there is no such row.
 */
export async function reserveMessageId(
  tx: Tx,
  author: number,
  isConversation: RawBuilder<SqlBool>,
  client_id: string | null | undefined,
): Promise<MessageIdReservation> {
  if (!isPostgres(tx)) return null
  const { rows } = await sql<{ id: number; is_repeated: boolean }>`
    select nextval(pg_get_serial_sequence('messages', 'id')) as id, exists (
      select 1 from messages where conversation_id = c.id and user_id = ${author}
        and client_id = ${client_id ?? null}) as is_repeated
    from conversations c where ${isConversation}`.execute(tx)
  return rows[0] ? { id: rows[0].id, isRepeated: rows[0].is_repeated } : null
}

/** Builds the condition for `reserveMessageId` that the conversation is the private chat of two members. */
export const buildIsPrivateChatCondition = (me: number, other: number) =>
  sql<SqlBool>`c.pair = ${formatPrivateChatPair(me, other)}`

type NewMessageValues = Pick<MessageRow, 'conversation_id' | 'user_id' | 'client_id' | 'body' | 'created_at'>

/**
 * Inserts the row of a new message, and moves the author's read mark to the message. Returns undefined if the
 * author has used the `client_id` before. On PostgreSQL, does not wait for the answer.
 */
export async function insertMessageRow(
  tx: Tx,
  me: CurrentUser,
  values: NewMessageValues,
  reserved: MessageIdReservation,
): Promise<MessageRow | undefined> {
  if (reserved?.isRepeated) return undefined
  const { conversation_id, user_id, client_id, body, created_at } = values
  const columns = sql`conversation_id, user_id, client_id, body, created_at`
  const given = sql`${conversation_id}, ${user_id}, ${client_id}, ${body}, ${created_at}`
  if (reserved) {
    const move = buildReadMarkUpdateStatementForOwnMessage(me, conversation_id, reserved.id)
    tx.sendStatement(sql`with created as
      (insert into messages (id, ${columns}) values (${reserved.id}, ${given})) ${move}`)
    const unset = { edited_at: null, deleted_at: null, hidden_at: null, quotes_id: null, removed_images: 0 }
    return { id: reserved.id, ...values, ...unset }
  }
  const { rows } = await sql<MessageRow>`insert into messages (${columns}) values (${given})
    on conflict (conversation_id, user_id, client_id) do nothing returning *`.execute(tx)
  if (rows[0]) await buildReadMarkUpdateStatementForOwnMessage(me, conversation_id, rows[0].id).execute(tx)
  return rows[0]
}
