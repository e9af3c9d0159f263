import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { readMessageOfDomainEventWithoutCheck } from '#features/chat/read-for-listeners.ts'
import { readPostForListenersWithoutCheck } from '#features/posts/read-for-listeners.ts'
import type { ReactionSubjectKind } from '#features/reactions/contract.ts'
import { readReplyForListenersWithoutCheck } from '#features/replies/read-for-listeners.ts'
import { storeFirstLinkAndEnqueuePreviewJobIfChanged } from './model.ts'

const readText = {
  post: readPostForListenersWithoutCheck,
  reply: (_: AppContext, tx: Tx, { id }: { id: number }) => readReplyForListenersWithoutCheck(tx, id),
  message: (_: AppContext, tx: Tx, event: { id: number }) => readMessageOfDomainEventWithoutCheck(tx, event),
} satisfies Record<ReactionSubjectKind, unknown>

/**
 * Returns a listener that saves the first link of a new or edited text, so that a job can load its preview.
 * The listener runs in the transaction of the change. It ignores new texts while previews are switched off.
 */
export const createListenerThatStoresFirstLinkOfText =
  (subject: ReactionSubjectKind, options: { isNew: boolean }) =>
  async (tx: Tx, event: { id: number }, context: AppContext) => {
    if (options.isNew && !context.settings.current().link_previews) return
    const text = await readText[subject](context, tx, event)
    if (!text) return
    const { author, body } = text
    await storeFirstLinkAndEnqueuePreviewJobIfChanged(
      context,
      tx,
      { subject, id: event.id, author, body },
      options,
    )
  }
