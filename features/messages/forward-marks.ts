import { isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import * as chats from '#features/conversations/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as readForwards from './read-forwards.ts'

/**
 * 404 if the viewer may not read the message, has blocked its author, or (group) muted them, and for a
 * deleted or hidden message.
 */
export async function requireOriginal(viewer: MemberViewer, id: number) {
  const message = await chats.requireMessage(viewer, id)
  // Also for its author, who can still read it.
  if (message.hidden_at !== null) throw chats.noMessage()
  return message
}

/** A copy of a copy names the author of the first original. 404 if the author may no longer forward it. */
export async function addMark(viewer: MemberViewer & { db: Tx }, id: number, original: number) {
  const source = await requireOriginal(viewer, original)
  const mark = await readForwards.findMark(viewer.db, original)
  const author_id = mark ? mark.author_id : source.former_since === null ? source.user_id : null
  await viewer.db
    .insertInto('forwarded_messages')
    .values({ message_id: id, author_id, created_at: isoNow() })
    .execute()
}

/** 403: a forwarded message has the words of another author and must not be edited. */
export async function requireNoMark(tx: Tx, id: number) {
  if (await readForwards.findMark(tx, id))
    throw new HttpError(403, {
      en: 'A forwarded message cannot be changed.',
      ja: '転送したメッセージは編集できません。',
    })
}

export const removeMark = (tx: Tx, id: number) =>
  tx.deleteFrom('forwarded_messages').where('message_id', '=', id).execute()
