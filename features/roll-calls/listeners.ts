import '#features/groups/events.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import * as model from './model.ts'

export const rollCallListeners: Listeners = {
  'group.member_removed': (tx, { conversation_id, user_id }, context) =>
    model.removeMember(context, tx, conversation_id, user_id),
  'group.owner_changed': (tx, { conversation_id }, context) =>
    model.recheckWatchers(context, tx, conversation_id),
  'group.deleted': (tx, { conversation_id }) => model.removeOfGroup(tx, conversation_id),
}
