import '#features/groups/events.ts'
import '#features/people/events.ts'
import { withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import * as access from './access.ts'
import * as decisions from './decisions.ts'
import * as links from './links.ts'
import * as telling from './telling.ts'

export const openGroupListeners: Listeners = {
  'group.renamed': (tx, { conversation_id }, context) => access.renamed(context, tx, conversation_id),
  'group.description_changed': (tx, { conversation_id }, context) =>
    access.changed(context, tx, conversation_id),
  'group.picture_changed': (tx, { conversation_id }, context) => access.changed(context, tx, conversation_id),
  'group.member_added': async (tx, { conversation_id: group_id, user_id, actor_id }, context) => {
    await decisions.noteAccepted(withoutRoles(context, actor_id), tx, { group_id, user_id })
    await access.changed(context, tx, group_id)
  },
  'group.member_removed': async (tx, { conversation_id: group_id, user_id, actor_id }, context) => {
    if (user_id !== actor_id)
      await tx
        .insertInto('group_removals')
        .values({ group_id, user_id, removed_at: isoNow() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await access.changed(context, tx, group_id)
  },
  'group.ended': (tx, { conversation_id }, context) => access.changed(context, tx, conversation_id),
  'group.reopened': (tx, { conversation_id }, context) => access.changed(context, tx, conversation_id),
  'group.owner_changed': async (tx, { conversation_id }, context) => {
    await links.remove(tx, conversation_id)
    await telling.tellAgain(context, tx, conversation_id)
  },
  // Foreign keys have deleted the requests.
  'group.deleted': async (tx, { conversation_id }, context) => {
    await telling.endAll(context, tx, conversation_id)
    tx.afterCommit(() => access.listChanged(context))
  },
  'member.suspended': async (tx, { id }, context) =>
    telling.removeRequests(context, tx, await telling.waitingOfPerson(tx, id, null)),
  'member.deleted': async (tx, { id }, context) =>
    telling.removeRequests(context, tx, await telling.waitingOfPerson(tx, id, null)),
  'member.blocked': async (tx, { blocker_id, blocked_id }, context) => {
    await telling.removeRequests(context, tx, await telling.waitingOfPerson(tx, blocker_id, blocked_id))
    await telling.removeRequests(context, tx, await telling.waitingOfPerson(tx, blocked_id, blocker_id))
  },
}
