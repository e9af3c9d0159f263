import type { Tx } from '#core/database/database.ts'
import { lockConversation } from './conversation-locks.ts'
import { formatPrivateChatPair, type requireReadablePrivateChat } from './read.ts'
import { findRecipientIfFirstPrivateMessage } from './read-conversations.ts'

type PrivateChatAccess = Awaited<ReturnType<typeof requireReadablePrivateChat>>

/** Returns the private chat of a new message. Creates it for the first message. */
export async function openPrivateChatForNewMessage(
  tx: Tx,
  { conversation, first_received_at, first_sent_at }: PrivateChatAccess,
  me: number,
  other: number,
  at: string,
): Promise<ConversationOfNewMessage> {
  if (conversation !== null) {
    const isFirst = first_received_at === null && first_sent_at === null
    return { id: conversation, is_group: false, first_recipient_id: isFirst ? other : null }
  }
  const id = await createPrivateChat(tx, me, other, at)
  await lockConversation(tx, id)
  const recipient = await findRecipientIfFirstPrivateMessage(tx, id, me)
  return { id, is_group: false, first_recipient_id: recipient ?? null }
}

/**
 * Creates the conversation of two people. Returns the existing one if the other's first message has created
 * it at the same moment.
 */
async function createPrivateChat(tx: Tx, me: number, other: number, at: string) {
  const pair = formatPrivateChatPair(me, other)
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

/** The conversation of a new message. Its row is locked. */
export interface ConversationOfNewMessage {
  id: number
  is_group: boolean
  /** See `message.created` in events.ts. */
  first_recipient_id: number | null
}
