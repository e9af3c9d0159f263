import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { findEventMessage } from '#features/messages/event-message.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import { replyOfEvent } from '#features/replies/read-for-listeners.ts'
import * as model from './model.ts'

const readText = {
  post: postOfEvent,
  reply: (_: AppContext, tx: Tx, { id }: { id: number }) => replyOfEvent(tx, id),
  message: (_: AppContext, tx: Tx, event: { id: number }) => findEventMessage(tx, event),
} satisfies Record<SubjectKind, unknown>

/** Runs in the transaction of the change. Ignores new texts while previews are switched off. */
export const linkListener =
  (subject: SubjectKind, options: { isNew: boolean }) =>
  async (tx: Tx, event: { id: number }, context: AppContext) => {
    if (options.isNew && !context.settings.current().link_previews) return
    const text = await readText[subject](context, tx, event)
    if (!text) return
    const { author, body } = text
    await model.storeLink(context, tx, { subject, id: event.id, author, body }, options)
  }
