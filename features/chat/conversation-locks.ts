import { isPostgres, type Tx } from '#core/database/database.ts'
import { formatPrivateChatPair } from './read.ts'

/**
 * Locks a conversation until the commit, so that its messages are committed in the order of their ids. Only
 * PostgreSQL needs it, because SQLite runs one transaction at a time.
 */
export async function lockConversation(tx: Tx, id: number) {
  if (isPostgres(tx))
    tx.sendStatement(tx.selectFrom('conversations').select('id').where('id', '=', id).forNoKeyUpdate())
}

/** Locks the private chat of two members in the same way, if it exists. */
export function lockPrivateChat(tx: Tx, me: number, other: number) {
  const pair = formatPrivateChatPair(me, other)
  if (isPostgres(tx))
    tx.sendStatement(tx.selectFrom('conversations').select('id').where('pair', '=', pair).forNoKeyUpdate())
}
