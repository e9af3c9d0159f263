import type { Tx } from '#core/database/database.ts'
import { lockConversation } from './conversation-locks.ts'
import { formatPrivateChatPair, type requireReadablePrivateChat } from './read.ts'
import { findRecipientIfFirstPrivateMessage } from './read-conversations.ts'

type PrivateChatAccess = Awaited<ReturnType<typeof requireReadablePrivateChat>>

/**
 * Returns the conversation of a new private message. Creates the conversation if this is its first message.
 */
export async function findOrCreatePrivateChatForNewMessage(
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
 * Creates the conversation of two people and returns its id. Returns the id of the existing conversation if
 * the other person's first message has created it at the same moment.
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

/** The conversation in which a new message is stored. Its database row is locked. */
export interface ConversationOfNewMessage {
  id: number
  is_group: boolean
  /**
   * The id of the other person of a private chat, if nobody has received a message there before; otherwise
   * null.
   */
  first_recipient_id: number | null
}
