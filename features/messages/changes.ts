import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { withContact } from '#core/feature/contacts.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import { requireNotApart } from '#features/groups/of-two.ts'
import { requireMayWrite } from '#features/groups/writers.ts'
import * as forwards from './forward-marks.ts'
import { privateMapper } from './mappers.ts'
import { getParts } from './parts.ts'
import { deletePin } from './pins.ts'
import * as quotes from './quotes.ts'
import * as read from './read.ts'

/**
 * 403 without contact in a private chat, or in a group of two kept apart (see
 * `withContact`).
 */
export const edit = (context: MemberContext, id: number, body: string) =>
  withContact(context, 'first_message', (tx) => editInTransaction({ ...context, db: tx }, id, body))

const editInTransaction = (context: MemberContext, id: number, body: string) =>
  changeOwn(context, id, async (tx, message) => {
    // The edit would send the text of a hidden message to the others.
    if (message.deleted_at || message.hidden_at) throw chats.noMessage()
    await forwards.requireNoMark(tx, id)
    if (message.body === body) return []
    const { me, contacts } = context
    await (message.pair === null
      ? requireMayEdit(context, tx, message.conversation_id)
      : contacts.requireContact(tx, me.id, chats.otherOf(message.pair, me.id)))
    await tx.updateTable('messages').set({ body, edited_at: isoNow() }).where('id', '=', id).execute()
    await context.emit(tx, 'message.edited', changeEvent(message))
    return []
  })

async function requireMayEdit(context: MemberContext, tx: Tx, group: number) {
  requireMayWrite(context.me, await chats.requireMember({ ...context, db: tx }, group))
  await requireNotApart(context, tx, group)
}

/** The row stays. Also returns the names of the pictures and files, for the caller to delete. */
export const remove = (context: MemberContext, id: number) =>
  changeOwn(context, id, async (tx, message) => {
    if (message.deleted_at) return []
    const names = await empty(tx, id)
    await context.emit(tx, 'message.deleted', changeEvent(message))
    return names
  })

/** Also ends its pin. Returns the names of its pictures and files, which nothing refers to any more. */
export async function empty(tx: Tx, id: number) {
  await tx
    .updateTable('messages')
    .set({ body: '', edited_at: null, deleted_at: isoNow() })
    .where('id', '=', id)
    .execute()
  const images = await tx
    .deleteFrom('message_attachments')
    .where('message_id', '=', id)
    .returning('media')
    .execute()
  const names = images.map(({ media }) => media)
  await lifecycle.detach(tx, names)
  await deletePin(tx, id)
  await forwards.removeMark(tx, id)
  return names
}

type OwnMessage = Awaited<ReturnType<typeof readOwnMessage>>

export const changeEvent = ({
  id,
  conversation_id,
  user_id,
  pair,
}: Pick<OwnMessage, 'id' | 'conversation_id' | 'user_id' | 'pair'>) => ({
  id,
  conversation_id,
  user_id,
  is_group: pair === null,
})

/**
 * `change` returns the names of the files to delete. The member must still have access to the conversation.
 */
export const changeOwn = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, message: OwnMessage) => Promise<string[]>,
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const me = context.me.id
    const { conversation_id, pair } = await readOwnMessage(tx, me, id)
    await lockConversation(tx, conversation_id)
    // Again, because it may have changed before the conversation was locked.
    const message = await readOwnMessage(tx, me, id)
    const other = pair === null ? null : chats.otherOf(pair, me)
    await (other === null
      ? chats.requireMember(viewer, conversation_id)
      : chats.requirePrivate(viewer, other))
    const pictures = await change(tx, message)
    const row = await readOwnMessage(tx, me, id)
    const quote = row.deleted_at ? null : await quotes.live(viewer, row.quotes_id)
    if (other === null)
      return {
        ...{ pictures, quote },
        group: await read.getGroupMessage(viewer, id),
        members: await chats.listMemberIds(tx, conversation_id),
      }
    const parts = await getParts(viewer, row)
    return { pictures, quote, private: privateMapper(me, other)(row, parts) }
  })

/** Throws 404 unless `me` wrote it. */
async function readOwnMessage(tx: Tx, me: number, id: number) {
  const message = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.user_id', '=', me)
    .executeTakeFirst()
  if (!message) throw chats.noMessage()
  return message
}
