import { sql } from 'kysely'
import { isPostgres, type Tx } from '#core/database/database.ts'
import * as chats from './read.ts'

/**
 * Locks until the commit, so that messages are committed in the order of their ids. Only PostgreSQL needs the
 * lock: SQLite runs one transaction at a time.
 */
export const lockConversation = async (tx: Tx, id: number) =>
  isPostgres(tx) && sql`select id from conversations where id = ${id} for no key update`.execute(tx)

/** As `lockConversation`. False if the two have no private chat, so that nothing is locked. */
export async function lockPrivateChat(tx: Tx, me: number, other: number) {
  if (!isPostgres(tx)) return true
  const pair = chats.pairOf(me, other)
  const { rows } = await sql`select id from conversations where pair = ${pair} for no key update`.execute(tx)
  return rows.length > 0
}
