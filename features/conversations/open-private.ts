import type { Db, Tx } from '#core/database/database.ts'
import { lockConversation } from './locks.ts'
import type { requirePrivate } from './read.ts'
import * as chats from './read.ts'

type PrivateChatAccess = Awaited<ReturnType<typeof requirePrivate>>

export async function openPrivateChat(
  tx: Tx,
  { conversation, first_received_at, first_sent_at }: PrivateChatAccess,
  me: number,
  other: number,
  at: string,
): Promise<TargetChat> {
  if (conversation !== null) {
    const isFirst = first_received_at === null && first_sent_at === null
    return { id: conversation, is_group: false, first_recipient_id: isFirst ? other : null }
  }
  const id = await createPrivateChat(tx, me, other, at)
  await lockConversation(tx, id)
  const recipient = await findRecipient(tx, id, me)
  return { id, is_group: false, first_recipient_id: recipient ?? null }
}

/** The other person's first message may have created it at the same moment: then the id of that. */
async function createPrivateChat(tx: Tx, me: number, other: number, at: string) {
  const pair = chats.pairOf(me, other)
  await tx
    .insertInto('conversations')
    .values({ pair, created_by: me, created_at: at })
    .onConflict((c) => c.column('pair').doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('conversations')
    .select('id')
    .where('pair', '=', pair)
    .executeTakeFirstOrThrow()
  const both = [me, other].map((user_id) => ({ conversation_id: id, user_id, created_at: at }))
  await tx
    .insertInto('conversation_members')
    .values(both)
    .onConflict((c) => c.doNothing())
    .execute()
  return id
}

/** Its row is locked. */
export interface TargetChat {
  id: number
  is_group: boolean
  /** The other person of a private chat, if nobody has received a message there before. */
  first_recipient_id: number | null
}

/**
 * Undefined if one of the two has received a message in this chat before, even if it was removed since. Ask
 * in the transaction that stores the message, before `first_received_at` is set.
 */
async function findRecipient(db: Db, conversation: number, author: number) {
  const members = await db
    .selectFrom('conversation_members')
    .select(['user_id', 'first_received_at'])
    .where('conversation_id', '=', conversation)
    .execute()
  if (members.some(({ first_received_at }) => first_received_at !== null)) return undefined
  return members.find(({ user_id }) => user_id !== author)?.user_id
}
