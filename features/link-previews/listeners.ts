import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { readMessageForListeners } from '#features/chat/read-for-listeners.ts'
import { readPostForListeners } from '#features/posts/read-for-listeners.ts'
import type { ReactionSubject } from '#features/reactions/contract.ts'
import { readReplyForListeners } from '#features/replies/read-for-listeners.ts'
import { savePreviewOfText } from './model.ts'

const readText = {
  post: readPostForListeners,
  reply: (_: AppContext, tx: Tx, { id }: { id: number }) => readReplyForListeners(tx, id),
  message: (_: AppContext, tx: Tx, event: { id: number }) => readMessageForListeners(tx, event),
} satisfies Record<ReactionSubject, unknown>

/**
 * Returns a listener that saves the first link of a new or edited text, so that a job can load its preview.
 * The listener runs in the transaction of the change. It ignores new texts while previews are switched off.
 */
export const createTextListener =
  (subject: ReactionSubject, options: { isNew: boolean }) =>
  async (tx: Tx, event: { id: number }, context: AppContext) => {
    if (options.isNew && !context.settings.current().link_previews) return
    const text = await readText[subject](context, tx, event)
    if (!text) return
    const { author, body } = text
    await savePreviewOfText(context, tx, { subject, id: event.id, author, body }, options)
  }
