import { sql } from 'kysely'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { formatPrivateChatPair } from './read.ts'

/**
 * Locks the row of a conversation until the transaction commits, so that the conversation's messages are
 * committed in the order of their ids. Only PostgreSQL needs the lock, because SQLite runs one transaction at
 * a time.
 */
export async function lockConversation(tx: Tx, id: number) {
  if (isPostgres(tx)) tx.sendStatement(sql`select id from conversations where id = ${id} for no key update`)
}

/**
 * Locks the conversation row of the private chat of two members until the transaction commits, as
 * `lockConversation` does. Resolves to false if the two have no private chat, so that nothing is locked.
 */
export async function lockPrivateChat(tx: Tx, me: number, other: number) {
  if (!isPostgres(tx)) return true
  const pair = formatPrivateChatPair(me, other)
  const { rows } = await tx.sendStatement(
    tx.selectFrom('conversations').select('id').where('pair', '=', pair).forNoKeyUpdate(),
  )
  return rows.length > 0
}
