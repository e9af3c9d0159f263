import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as notifier from './model.ts'
import { conditionId, type ServerCondition } from './server-schemas.ts'
// The `source_id` of an event is twice the time of the change in ms, and one more if the condition is over.
// The actor is the member, because nobody else has done anything.

export const notifyOfServer = (
  context: AppContext,
  tx: Tx,
  user: number,
  { condition, is_over, at }: { condition: ServerCondition; is_over: boolean; at: number },
) =>
  notifier.add(context, tx, {
    user,
    actor: user,
    kind: 'server',
    subject: conditionId(condition),
    source: at * 2 + Number(is_over),
  })
