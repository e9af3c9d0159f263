import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { addNotificationEventAndAnnounce } from './model.ts'
import { type ServerCondition, toServerSubjectId } from './server-contract.ts'

// Notifications of the kind `server`. Their `subject_id` is the position of the condition, from 1 on. The
// `source_id` of an event is twice the time of the change in ms, and one more if the condition is over. The
// actor is the member, because nobody else has done anything.

/** Tells a member that a condition of the server has begun, or is over. */
export const addServerNotification = (
  context: AppContext,
  tx: Tx,
  user: number,
  { condition, is_over, at }: { condition: ServerCondition; is_over: boolean; at: number },
) =>
  addNotificationEventAndAnnounce(context, tx, {
    user,
    actor: user,
    kind: 'server',
    subject: toServerSubjectId(condition),
    source: at * 2 + Number(is_over),
  })
