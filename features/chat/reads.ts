import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Tables } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { MOST_UNREAD } from './contract.ts'
import { conversationRef } from './model.ts'

/** Moves my mark forward to a message of the conversation, never back. Returns where it stands, and whether it moved. */
export const read = (db: Db, me: number, conversation: number, last: number) =>
  transaction(db, async (tx) => {
    const newest = tx
      .selectFrom('messages as m')
      .select('m.id')
      .where('m.conversation_id', '=', conversation)
      .where(conversationRef, '<=', last)
    const row = await newest.orderBy(conversationRef, 'desc').limit(1).executeTakeFirst()
    const last_read_id = row?.id ?? 0
    const { numUpdatedRows } = await tx
      .updateTable('members')
      .set({ last_read_id })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', me)
      .where('last_read_id', '<', last_read_id)
      .executeTakeFirstOrThrow()
    return { last_read_id, moved: numUpdatedRows > 0n, unread: await unreadIn(tx, me, conversation) }
  })

/** How many messages of others come after a member's mark, as far as they are counted: a walk along an index that ends at `MOST_UNREAD`. */
export const unreadOf = (q: ExpressionBuilder<Tables & { m: Tables['members'] }, 'm'>) =>
  q
    .selectFrom((nested) =>
      nested
        .selectFrom('messages as x')
        .select('x.id')
        .whereRef('x.conversation_id', '=', 'm.conversation_id')
        .where(sql<boolean>`x.id + 0 > m.last_read_id + 0`)
        .whereRef('x.user_id', '!=', 'm.user_id')
        .where('x.deleted_at', 'is', null)
        .orderBy(sql`x.id + 0`)
        .limit(MOST_UNREAD)
        .as('unread'),
    )
    .select(sql<number>`count(*)`.as('count'))

async function unreadIn(db: Db, me: number, conversation: number) {
  const row = await db
    .selectFrom('members as m')
    .select((q) => unreadOf(q).as('unread'))
    .where('m.conversation_id', '=', conversation)
    .where('m.user_id', '=', me)
    .executeTakeFirst()
  return Number(row?.unread ?? 0)
}
