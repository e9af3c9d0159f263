import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { createNoSuchMessageError, requireReadableMessage } from './read.ts'
import { findForwardedMarkRow } from './read-message-forwards.ts'

// The functions of this file check whether a member may forward a message, and store, check and remove the
// mark that a message was forwarded.

/**
 * Reads a message that the viewer may forward. Throws 404 if the viewer may not read the message now, if the
 * message is deleted or hidden by a moderator, if the viewer has blocked its author, or if it is a group
 * message whose author the viewer has muted.
 */
export async function requireForwardableMessage(viewer: MemberViewerContext, id: number) {
  const message = await requireReadableMessage(viewer, id)
  // Refuses a hidden message also for its author, who can still read it but may not forward it.
  if (message.hidden_at !== null) throw createNoSuchMessageError()
  return message
}

/**
 * Marks a new message as forwarded, in the transaction that stores the message. If the original is itself a
 * forwarded copy, the mark names the author of the first original. Throws 404 if the author of the new
 * message may no longer forward the original.
 */
export async function storeForwardedMark(
  viewer: MemberViewerContext & { db: Tx },
  id: number,
  original: number,
) {
  const source = await requireForwardableMessage(viewer, original)
  const mark = await findForwardedMarkRow(viewer.db, original)
  const author_id = mark ? mark.author_id : source.former_since === null ? source.user_id : null
  await viewer.db
    .insertInto('forwarded_messages')
    .values({ message_id: id, author_id, created_at: currentIsoTime() })
    .execute()
}

/**
 * Throws 403 if the message was forwarded, because such a message has the words of another author and must
 * not be edited.
 */
export async function requireMessageIsNotForwarded(tx: Tx, id: number) {
  if (await findForwardedMarkRow(tx, id))
    throw new HttpError(403, {
      en: 'A forwarded message cannot be changed.',
      ja: '転送したメッセージは編集できません。',
    })
}

/** Removes the forwarding mark of a message, which is being deleted. */
export const deleteForwardedMark = (tx: Tx, id: number) =>
  tx.deleteFrom('forwarded_messages').where('message_id', '=', id).execute()
